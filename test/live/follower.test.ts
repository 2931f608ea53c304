/** The follower of a running run. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Follower } from '../../lib/live/follower.ts'
import { coloredTypes } from '../../lib/report/colored-types.ts'
import { Texts } from '../../lib/report/contents.ts'
import { Graph } from '../../lib/report/graph.ts'
import { LIMITS, shownPrefix } from '../../lib/report/model.ts'
import { movedEvent } from '../../lib/report/moved-event.ts'
import { type Prefix, prefixOf } from '../../lib/report/prefix.ts'
import { Reading } from '../../lib/report/reading.ts'
import type { ShownRun } from '../../lib/report/types.ts'
import { Window } from '../../lib/report/window.ts'
import { type Line, TRACE_VERSION } from '../../lib/trace/lines.ts'
import { marketPage } from '../../scenarios/bidding/page.ts'
import { marketLines } from '../trace/traces.ts'

/** The lines of an actor with a number of timers that fire. */
function lines(count: number): Line[] {
  const who = 'a@m1'
  const event = { type: 'tick' }
  return [
    { t: 'trace', version: TRACE_VERSION, seed: 1 },
    { t: 'spawn', at: 0, who, slot: 1, life: 0, module: 'nowhere.ts', input: null },
    { t: 'start', at: 0, who },
    ...Array.from(
      { length: count },
      (_, n): Line => ({ t: 'timer', at: n, who, id: 'tick', n, kind: 'protocol', event }),
    ),
  ]
}

const graphOf = async (prefix: Prefix): Promise<Graph> =>
  new Graph(await shownPrefix(prefix, new Reading({}, LIMITS), { name: '' }, LIMITS, new Texts()))

async function followed(count: number, isWanted: boolean, events?: number): Promise<ShownRun[]> {
  const shown: ShownRun[] = []
  const follower = new Follower(
    {},
    {
      isWanted: () => isWanted,
      onShown: (run) => shown.push(run),
      onQuiet: () => {},
      onFailure: (error) => {
        throw error
      },
    },
    events,
  )
  for (const line of lines(count)) follower.add(line)
  await follower.finish()
  return shown
}

test('the pictures of a protocol are drawn of the run so far', async () => {
  const nothing = () => {}
  const listener = { isWanted: () => true, onShown: nothing, onQuiet: nothing, onFailure: nothing }
  const follower = new Follower(marketPage(), listener)
  const all = await marketLines({ tasks: 10 })
  for (const line of all.slice(0, all.length / 2)) follower.add(line)
  await follower.shown()
  const half = follower.drawn
  assert.equal(
    half.map(({ title }) => title.split(',')[0]),
    ['Tasks in flight', 'Flow time of each task'],
  )
  for (const line of all.slice(all.length / 2)) follower.add(line)
  await follower.finish()
  const dots = (pictures: typeof half): number => (pictures[1]?.panels[0]?.svg.match(/<circle/g) ?? []).length
  assert.ok(dots(follower.drawn) > dots(half), `${dots(half)} tasks, then ${dots(follower.drawn)}`)
})

test('of a long run the page shows the last events, and says how many there are', async () => {
  const [run] = await followed(1000, true, 100)
  assert.ok(run?.window)
  const { dropped, standing } = run.window
  // the spawn and the start of its actor, which has no states
  assert.is(standing, 2)
  assert.is(run.events.lane.length, 1002 - dropped + standing)
  const graph = new Graph(run)
  assert.ok(graph.count >= 102 && graph.count <= 127, `${graph.count} events`)
  assert.equal([graph.at[0], graph.at[1], graph.at.at(-1)], [0, 0, 999])
  assert.is(graph.at[standing], dropped - 2)
  assert.is(graph.begins, dropped - 2)
  assert.match(run.omissions.join(), `The page has the last ${1002 - dropped} of 1,002 events (--live-events).`)
})

test('a run that is not longer than that is shown as a whole', async () => {
  const [run] = await followed(100, true, 100)
  assert.equal([run?.window, run?.events.lane.length, run?.omissions], [undefined, 102, []])
})

test('the window shows every actor of a market in its state, and all that happened in it, with deaths and restarts', async () => {
  const faults = [
    'kill @m1 at 60',
    'restart @m1 at 120',
    'kill processor@m2 at 90',
    'kill @m3 at 100',
    'restart @m3 at 101',
  ]
  const lines = await marketLines({ tasks: 30, faults })
  const window = new Window(100)
  let left = 0
  for (const [i, line] of lines.entries()) {
    window.add(line)
    if (i % 97 > 0 && i < lines.length - 1) continue
    const whole = prefixOf(lines.slice(0, i + 1), 1e6)
    const [some, all] = await Promise.all([window.prefix, whole].map(graphOf))
    assert.ok(some && all)
    const { dropped, standing } = some.run.window ?? { dropped: 0, standing: 0 }
    left = dropped
    const named = (graph: Graph, from: number) =>
      Array.from({ length: graph.count - from }, (_, k) => {
        const event = from + k
        return [graph.at[event], graph.laneName(graph.lane(event)), graph.kind(event), graph.state(event)].join(' ')
      })
    assert.equal(named(some, standing), named(all, dropped), `after line ${i + 1}`)
    const statesOf = (graph: Graph) =>
      new Map(
        graph.lanes.flatMap((events, lane) =>
          events.length > 0 ? [[graph.laneName(lane), graph.state(events.at(-1) ?? -1)]] : [],
        ),
      )
    assert.equal(statesOf(some), statesOf(all), `after line ${i + 1}`)
  }
  assert.ok(left > 200, `${left} events are left out`)
})

test('an event keeps its place when the window moves on, until it is left out', () => {
  const moved = (event: number) => movedEvent(event, { dropped: 10, standing: 4 }, { dropped: 30, standing: 6 })
  assert.equal([0, 3, 4, 23, 24, 25].map(moved), [-1, -1, -1, -1, 6, 7])
  assert.is(movedEvent(7, undefined, { dropped: 5, standing: 2 }), 4)
  assert.is(movedEvent(7, { dropped: 5, standing: 2 }, { dropped: 5, standing: 2 }), 7)
})

test('frequent types of messages get a colour and keep it; rare ones get none', () => {
  const many = (type: number, count: number): number[] => Array.from({ length: count }, () => type)
  assert.equal(coloredTypes([], many(1, 99)), [])
  const first = coloredTypes([], [...many(1, 40), ...many(2, 58), ...many(3, 2)])
  assert.equal(first, [2, 1])
  assert.equal(coloredTypes(first, [...many(1, 10), ...many(3, 90)]), [2, 1, 3])
  const all = [1, 2, 3, 4, 5, 6, 7].flatMap((type) => many(type, 20 + type))
  assert.equal(coloredTypes(first, all), [2, 1, 7, 6, 5])
  assert.equal(coloredTypes([1, 2, 3, 4, 5], all), [1, 2, 3, 4, 5])
})

test('without viewers no report is made', async () => {
  assert.equal(await followed(10, false), [])
})

test.run()
