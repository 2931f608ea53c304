/** What came of each incident, as a live page tells while the run goes on. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isMessage } from '../../lib/core/data.ts'
import { UNIT } from '../../lib/core/time.ts'
import { aftermathOf } from '../../lib/report/aftermath.ts'
import { LOST } from '../../lib/report/bars.ts'
import { Incidents } from '../../lib/report/incidents.ts'
import { type ObjectRow, type PageReader, textOf } from '../../lib/scenario/page.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { marketPage } from '../../scenarios/bidding/page.ts'
import { marketLines } from '../trace/traces.ts'

/** The aftermath after the lines up to an instant, as texts; the run goes on. */
function toldAt(lines: readonly Line[], until: number, page: PageReader = marketPage()): string[][] {
  const incidents = new Incidents()
  for (const line of lines) {
    const { t, who, at, fact } = line
    if (typeof at === 'number' && at > until) break
    incidents.add(line)
    if (typeof who !== 'string' || typeof at !== 'number') continue
    if (t === 'fact' && isMessage(fact)) page.fold?.(fact, who, at)
    if (t === 'died') page.died?.(who, at)
  }
  const objects = page.objects?.(until) ?? []
  return aftermathOf(incidents.all, objects, until).map((one) => one.map(textOf))
}

test('the account of a death grows: the task that was lost, when it was announced again, and that it is over', async () => {
  const lines = await marketLines({ tasks: 12, faults: ['kill @m3 at 60'] })
  const lost = 'm3 has been dead since 60.00.'
  const [first] = toldAt(lines, 61 * UNIT)
  assert.is(first?.[0], lost)
  const [, task = ''] = /^Lost with it: (task \d+)\.$/.exec(first?.at(-2) ?? '') ?? []
  assert.is(first?.at(-1), `${task}: lost with m3 at once.`)
  const [last] = toldAt(lines, Number.POSITIVE_INFINITY)
  assert.is(last?.[0], lost)
  assert.match(last?.find((text) => / messages were lost\.$/.test(text)) ?? '', /^\d+ messages/)
  assert.match(last?.at(-1) ?? '', new RegExp(`^${task}: .*runs on m\\d after [\\d.]+, .*over after [\\d.]+\\.$`))
})

const spawned = (...all: readonly string[]): Line[] => all.map((who) => ({ t: 'spawn', at: 0, who }))
const killed = (who: string, at: number): Line => ({ t: 'died', at: at * UNIT, who, cause: 'Killed', message: '' })

test('in real time the actors of a machine die one after another, and are one incident', () => {
  const fault: Line = { t: 'fault', at: 5 * UNIT, fault: 'kill @m1 at 5' }
  const back: Line[] = [
    { t: 'fault', at: 9 * UNIT, fault: 'restart @m1 at 9' },
    { t: 'spawn', at: 9.5 * UNIT, who: 'a@m1' },
    { t: 'spawn', at: 9.75 * UNIT, who: 'b@m1' },
  ]
  const lines = [...spawned('a@m1', 'b@m1', 'c@m2'), fault, killed('a@m1', 5.5), killed('b@m1', 6)]
  assert.equal(toldAt(lines, 7 * UNIT, {}), [['m1 has been dead since 5.50.']])
  assert.equal(toldAt([...lines, ...back], 20 * UNIT, {}), [['m1 was dead from 5.50 to 9.75.']])
})

test('a pause and a partition that still last are told with their ends', () => {
  const lines: Line[] = [
    ...spawned('a@m1', 'b@m2'),
    { t: 'fault', at: 2 * UNIT, fault: 'partition m1 | m2 at 2 until 40' },
    { t: 'fault', at: 5 * UNIT, fault: 'pause @m1 for 100 at 5' },
  ]
  assert.equal(toldAt(lines, 6 * UNIT, {}), [
    ['m1 does nothing from 5.00 until 105.00.'],
    ['m1 cannot reach m2 from 2.00 until 40.00.'],
  ])
  assert.equal(toldAt(lines, 105 * UNIT, {}), [
    ['m1 did nothing from 5.00 to 105.00.'],
    ['m1 could not reach m2 from 2.00 to 40.00.'],
  ])
})

test('an object is told to be over only where its page says so', () => {
  const phases = [
    { label: 'lost', from: 5 * UNIT, until: 6 * UNIT, tone: LOST },
    { label: 'runs on m2', from: 6 * UNIT, until: 9 * UNIT, tone: 'running' },
  ]
  const of = (row: Partial<ObjectRow>): PageReader => ({
    objects: () => [{ name: 'job', columns: [], rows: [{ id: 1, values: [], phases, ...row }] }],
  })
  const lines = [...spawned('a@m1', 'b@m2'), killed('a@m1', 5)]
  const fateOf = (row: Partial<ObjectRow>) => toldAt(lines, 9 * UNIT, of(row))[0]?.at(-1)
  assert.is(fateOf({}), 'job 1: runs on m2 after 1.00.')
  assert.is(fateOf({ isOver: false }), 'job 1: runs on m2 after 1.00.')
  assert.is(fateOf({ isOver: true }), 'job 1: runs on m2 after 1.00, over after 4.00.')
  assert.is(fateOf({ phases: phases.slice(0, 1) }), 'job 1: nothing was done about it yet.')
})

test('mail that a partition or a death cost is counted with it', () => {
  const letter = (from: string, to: string, reason: string): Line => ({ t: 'dead', from, to, reason })
  const lines = [
    ...spawned('a@m1', 'b@m2', 'c@m3'),
    { t: 'fault', at: 2 * UNIT, fault: 'partition m1 | m2 at 2 until 4' },
    letter('a@m1', 'b@m2', 'a partition separates the machines'),
    letter('b@m2', 'a@m1', 'a partition separates the machines'),
    letter('c@m3', 'a@m1', 'lost on the network'),
    killed('c@m3', 5),
    letter('a@m1', 'c@m3', 'the recipient is dead'),
  ]
  assert.equal(toldAt(lines, 9 * UNIT, {}), [
    ['c@m3 has been dead since 5.00.', '1 message was lost.'],
    ['m1 could not reach m2 from 2.00 to 4.00.', '2 messages were lost.'],
  ])
})

test.run()
