/** Statecharts and axes, without a browser. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMachine } from 'xstate'
import { drawingOf } from '../../lib/report/boxes.ts'
import { readableOn } from '../../lib/report/contrast.ts'
import { machineOf } from '../../lib/report/machines.ts'
import { shownRun } from '../../lib/report/model.ts'
import { following, panned, showing, zoomed } from '../../lib/report/viewport.ts'
import { marketLines } from '../trace/traces.ts'

const machine = createMachine({
  initial: 'open',
  on: { query: {} },
  states: {
    open: {
      initial: 'free',
      on: { close: 'shut' },
      states: { free: { on: { take: 'busy' } }, busy: { on: { take: {} } } },
    },
    shut: { type: 'final' },
  },
})

const met = (pairs: Readonly<Record<string, number>>) => ({
  pairs: new Map(Object.entries(pairs)),
  unhandled: new Map(),
  entered: new Set<string>(),
  moves: [],
  chartMoves: new Map(),
})

test('an event counts for the state that handles it, also if that is a parent of the current state', () => {
  const pairs = met({ 'open.free: take': 3, 'open.busy: take': 3, 'open.busy: close': 1, 'open.free: query': 5 })
  const shown = machineOf('some.ts', machine, pairs)
  const said = shown.states.flatMap(({ path, transitions }) =>
    transitions.map(({ event, visits, targets }) => `${path}: ${event} ${visits} to ${targets.join()}`),
  )
  assert.equal(said, [': query 5 to ', 'open: close 1 to 4', 'open.free: take 3 to 3', 'open.busy: take 3 to '])
  assert.equal(shown.missing, ['open.free: close', 'open.busy: query'])
  assert.equal(
    shown.states.map(({ parent, isInitial, isFinal }) => [parent, isInitial, isFinal]),
    [
      [-1, false, false],
      [0, true, false],
      [1, true, false],
      [1, false, false],
      [0, false, true],
    ],
  )
})

test('every box lies within the box of its parent state, and overlaps no other', () => {
  const shown = machineOf('some.ts', machine, met({}))
  const { boxes, arrows, width, height } = drawingOf(shown)
  assert.is(boxes.length, shown.states.length)
  const boxOf = (state: number) => boxes.find((box) => box.state === state)
  for (const box of boxes) {
    const around = boxOf(shown.states[box.state]?.parent ?? -1)
    assert.ok(box.y + box.height <= height && box.x + box.width <= width)
    if (around) assert.ok(box.y > around.y && box.y + box.height < around.y + around.height && box.x > around.x)
  }
  const [free, busy] = [boxOf(2), boxOf(3)]
  assert.ok(free && busy && free.y + free.height < busy.y)
  assert.equal(
    arrows.map(({ from, to, count }) => [from, to, count]),
    [
      [2, 3, 0],
      [1, 4, 0],
    ],
  )
})

test('steps that changed the state are numbered arrows, also those of transitions without an event', async () => {
  const { machines } = await shownRun({ name: '', lines: await marketLines({ tasks: 6 }) })
  const contractor = machines.find(({ module }) => module.endsWith('dsp/contractor.ts'))
  assert.ok(contractor)
  const moves = contractor.moves.map(([from, event, to, count]) => {
    return `${contractor.states[from]?.path} ${event} ${contractor.states[to]?.path} ${count > 0}`
  })
  assert.ok(moves.includes('trading.free task trading.busy true'), moves.join('\n'))
  const { arrows } = drawingOf(contractor)
  const taken = arrows.filter((arrow) => arrow.count > 0)
  for (const { from, to, events, count } of taken) {
    const own = contractor.moves.filter(([start, , end]) => start === from && end === to)
    assert.equal([...events].sort(), own.map(([, event]) => event).sort())
    assert.is(
      count,
      own.reduce((sum, move) => sum + move[3], 0),
    )
  }
  assert.ok(taken.length > 1)
  const heights = arrows.map(({ labelY }) => labelY).sort((one, other) => one - other)
  assert.ok(
    heights.every((y, i) => i === 0 || y - (heights[i - 1] ?? 0) >= 13),
    heights.join(),
  )
})

test('a viewport stays within its bounds, and zooming keeps its focus in place', () => {
  const bounds = { from: 0, to: 100, least: 4 }
  assert.equal(zoomed({ from: 20, to: 60 }, 0.5, 30, bounds), { from: 25, to: 45 })
  assert.equal(zoomed({ from: 20, to: 60 }, 0.01, 30, bounds), { from: 29, to: 33 })
  assert.equal(zoomed({ from: 20, to: 60 }, 10, 30, bounds), { from: 0, to: 100 })
  assert.equal(panned({ from: 20, to: 60 }, 70, bounds), { from: 60, to: 100 })
  assert.equal(showing({ from: 20, to: 60 }, 40, bounds), { from: 20, to: 60 })
  assert.equal(showing({ from: 20, to: 60 }, 75, bounds), { from: 55, to: 95 })
  assert.equal(showing({ from: 20, to: 60 }, 1, bounds), { from: 0, to: 40 })
})

test('as a run continues, a view at its end follows it, and any other view stays in place', () => {
  const [before, now] = [
    { from: 0, to: 100 },
    { from: 0, to: 130, least: 4 },
  ]
  assert.equal(following({ from: 60, to: 100 }, before, now, 0), { from: 90, to: 130 })
  assert.equal(following({ from: 90, to: 100 }, before, now, 40), { from: 90, to: 130 })
  assert.equal(following({ from: 20, to: 60 }, before, now, 40), { from: 20, to: 60 })
})

test('text on a colour is black or white, whichever is readable', () => {
  const written = ['#ffffff', '#f0e442', '#56b4e9', '#1fb88e', '#0072b2', '#59636e', ' #000000'].map(readableOn)
  assert.equal(written, ['#000', '#000', '#000', '#000', '#fff', '#fff', '#fff'])
})

test.run()
