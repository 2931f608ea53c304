/** The window of time that the pictures of a page share, its axes and its marks. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shortUnits } from '../../lib/core/format.ts'
import { UNIT } from '../../lib/core/time.ts'
import { dragged, keyed } from '../../lib/report/brush.ts'
import { binsOf, LaneDensity, LEVELS, levelOf } from '../../lib/report/density.ts'
import { Graph } from '../../lib/report/graph.ts'
import { timeMarks } from '../../lib/report/marks.ts'
import { shownRun } from '../../lib/report/model.ts'
import { OrderAxis } from '../../lib/report/order-axis.ts'
import { Sight } from '../../lib/report/sight.ts'
import { axisTitle, timeTicks } from '../../lib/report/time-ticks.ts'
import { clamped, resized } from '../../lib/report/viewport.ts'
import { marketLines } from '../trace/traces.ts'

const BOUNDS = { from: 0, to: 100, least: 10 }

test('a window stays within its run, whatever is asked for', () => {
  assert.equal(clamped({ from: -20, to: 10 }, BOUNDS), { from: 0, to: 30 })
  assert.equal(clamped({ from: 90, to: 120 }, BOUNDS), { from: 70, to: 100 })
  assert.equal(clamped({ from: -1e300, to: 1e300 }, BOUNDS), { from: 0, to: 100 })
  assert.equal(clamped({ from: 50, to: 40 }, BOUNDS), { from: 50, to: 60 })
  assert.equal(clamped({ from: 2, to: 3 }, { ...BOUNDS, to: 4 }), { from: 0, to: 4 }, 'a run shorter than the least')
})

test('each end of a window can be moved, but not beyond the other', () => {
  const window = { from: 20, to: 50 }
  assert.equal(resized(window, 'from', 30, BOUNDS), { from: 30, to: 50 })
  assert.equal(resized(window, 'from', 70, BOUNDS), { from: 40, to: 50 })
  assert.equal(resized(window, 'from', -5, BOUNDS), { from: 0, to: 50 })
  assert.equal(resized(window, 'to', 200, BOUNDS), { from: 20, to: 100 })
  assert.equal(resized(window, 'to', 0, BOUNDS), { from: 20, to: 30 })
})

test('a drag moves the window, moves one of its ends, or draws a new window', () => {
  const window = { from: 20, to: 50 }
  assert.equal(dragged(window, 'window', 30, 45, BOUNDS), { from: 35, to: 65 })
  assert.equal(dragged(window, 'window', 30, 999, BOUNDS), { from: 70, to: 100 })
  assert.equal(dragged(window, 'from', 21, 31, BOUNDS), { from: 30, to: 50 })
  assert.equal(dragged(window, 'to', 50, 10, BOUNDS), { from: 20, to: 30 })
  assert.equal(dragged(window, 'new', 80, 60, BOUNDS), { from: 60, to: 80 })
})

test('keys move a window and its ends, and other keys are left to the page', () => {
  const window = { from: 20, to: 50 }
  assert.equal(keyed(window, 'window', 'ArrowRight', BOUNDS), { from: 23, to: 53 })
  assert.equal(keyed(window, 'window', 'PageUp', BOUNDS), { from: 5, to: 35 })
  assert.equal(keyed(window, 'window', 'End', BOUNDS), { from: 70, to: 100 })
  assert.equal(keyed(window, 'from', 'Home', BOUNDS), { from: 0, to: 50 })
  assert.equal(keyed(window, 'to', 'ArrowLeft', BOUNDS), { from: 20, to: 47 })
  assert.equal(keyed(window, 'window', '+', BOUNDS), { from: 27.5, to: 42.5 })
  for (const key of ['Tab', 'Enter', 'x', 'constructor']) assert.is(keyed(window, 'window', key, BOUNDS), null)
})

test('each message is counted in one part of the run', () => {
  assert.equal([...binsOf([0, 1, 5, 9, 10, 11], (i) => i + 1, { from: 0, to: 10 }, 5)], [3, 0, 3, 0, 9])
  assert.equal(
    [...binsOf([0, 0], () => 1, { from: 0, to: 0 }, 2)].reduce((sum, n) => sum + n),
    2,
  )
  assert.equal([...binsOf([], () => 1, { from: 0, to: 1 }, 0)], [0])
})

test('the density of a lane is the number of its shown events in each part, whatever the window', () => {
  const [lanes, places] = [
    [0, 1, 0, 0, 1, 0, 1],
    [0, 0, 1, 1, 4, 7, 9],
  ]
  const isShown = (event: number) => event !== 3
  const of = { lane: (event: number) => lanes[event] ?? 0, place: (event: number) => places[event] ?? 0, isShown }
  const density = new LaneDensity(2, lanes.keys(), of)
  for (const [from, to, parts] of [
    [0, 10, 5],
    [1, 9, 3],
    [-5, 20, 50],
    [4, 4.5, 1],
  ] as const) {
    for (const lane of [0, 1]) {
      const expected = Array.from({ length: parts }, (_, part) => {
        const [low, high] = [part, part + 1].map((one) => from + (one * (to - from)) / parts)
        const isIn = (place: number, event: number) =>
          lanes[event] === lane && isShown(event) && place >= (low ?? 0) && place < (high ?? 0)
        return places.filter(isIn).length
      })
      assert.equal([...density.counts(lane, { from, to }, parts)], expected)
    }
  }
  assert.is(density.count(1, 0, 10), 3)
  assert.is(density.count(7, 0, 10), 0)
})

test('the intensity grows with the count, and one event can be seen', () => {
  assert.is(levelOf(0, 100), 0)
  assert.ok(levelOf(1, 100_000) >= 1)
  assert.is(levelOf(100_000, 100_000), LEVELS)
  for (let count = 1; count < 200; count++) assert.ok(levelOf(count, 200) <= levelOf(count + 1, 200))
})

test('a window on the whole run grows with it, one at its end moves along, and another stays', () => {
  const sight = new Sight(100 * UNIT)
  const window = () => [sight.window.from / UNIT, sight.window.to / UNIT]
  assert.equal(window(), [0, 100])
  sight.grow(200 * UNIT)
  assert.equal(window(), [0, 200])
  sight.look({ from: 150 * UNIT, to: 200 * UNIT })
  sight.grow(300 * UNIT)
  assert.equal(window(), [250, 300])
  sight.look({ from: 10 * UNIT, to: 20 * UNIT })
  sight.grow(400 * UNIT)
  assert.equal(window(), [10, 20])
  sight.lookAtAll()
  sight.grow(500 * UNIT)
  assert.equal(window(), [0, 500])
})

test('whoever listens hears of each window and each instant once', () => {
  const sight = new Sight(100 * UNIT)
  const heard: string[] = []
  sight.onWindow(() => heard.push(`${sight.window.from / UNIT}-${sight.window.to / UNIT}`))
  sight.onPoint((at) => heard.push(String(at)))
  sight.look({ from: 90 * UNIT, to: 130 * UNIT })
  sight.point(5)
  sight.point(5)
  sight.point(null)
  assert.equal(heard, ['60-100', '5', 'null'])
})

test('times and columns are converted in both directions', async () => {
  const graph = new Graph(await shownRun({ name: '', lines: await marketLines({ tasks: 8 }) }))
  const axis = new OrderAxis(graph)
  for (let event = 0; event < graph.count; event++) {
    const [at = 0, column = 0] = [graph.at[event], graph.column[event]]
    assert.is(axis.timeAt(column), at)
    // several columns may have one instant
    assert.ok(axis.placeOf(at) >= column)
    assert.is(axis.timeAt(axis.placeOf(at)), at)
    const { from, to } = axis.columnsOf({ from: at, to: at })
    assert.ok(from < column && column < to)
  }
  for (let place = -2; place < graph.count; place += 0.3) assert.ok(axis.timeAt(place) <= axis.timeAt(place + 0.3))
  assert.is(new OrderAxis({ column: new Int32Array(), at: new Float64Array(), count: 0 }).timeAt(3), 0)
})

test('with a filter only columns with a shown event have a place, and others lie between them', () => {
  const graph = { column: Int32Array.of(0, 1, 1, 2, 3), at: Float64Array.of(0, 5, 5, 8, 9), count: 5 }
  const axis = new OrderAxis(graph, Uint8Array.of(0, 1, 0, 0, 1))
  assert.equal([...axis.places], [-0.5, 0, 0, 0.5, 1])
  assert.equal([axis.timeAt(0), axis.timeAt(1), axis.placeOf(5), axis.placeOf(9)], [5, 9, 0, 1])
  assert.equal([...new OrderAxis(graph, new Uint8Array(5)).places], [0, 1, 1, 2, 3], 'a filter that nothing passes')
})

test('ticks have at most two decimals, and no two of them the same text', () => {
  for (let length = 1e10; length >= 10_000; length /= 3) {
    for (const from of [0, 123_456_789]) {
      const { values, labels } = timeTicks({ from, to: from + length }, 1200)
      assert.ok(labels.length > 0, `${length}`)
      assert.is(new Set(labels).size, labels.length)
      for (const [i, label] of labels.entries()) {
        assert.match(label, /^\d+(\.\d\d?)?$/)
        assert.is(Math.round(Number(label) * 1e6), values[i])
      }
    }
  }
  assert.is(shortUnits(837_325_610), '837.33')
  assert.is(axisTitle('minutes'), 'time in minutes')
})

test('deaths, pauses, partitions, slow links and disks, and wrong clocks are marked in their order, each once', async () => {
  const faults = [
    ...['kill @m1 at 60', 'restart @m1 at 100', 'partition m2 | c1 at 70 until 90'],
    ...['pause contractor@m3 for 5 at 80', 'restart contractor@m2 at 110'],
    ...['slow client@c1 by 1 at 120 until 125', 'slow m2 | c1 by 1 at 122 until 124'],
    'jump m2 by 3 at 126 until 127',
  ]
  const lines = await marketLines({ tasks: 8, faults })
  const marks = timeMarks(new Graph(await shownRun({ name: '', lines })))
  assert.equal(
    marks.map(({ type, from, until, label }) => `${type}: ${label}, ${from / UNIT}-${until / UNIT}`),
    [
      'dead: m1 dead, 60-100',
      'cut off: m2 cut off from c1, 70-90',
      'paused: contractor@m3 paused, 80-85',
      'dead: contractor@m2 restarted, 110-110',
      'slow disk: slow disk of client@c1, 120-125',
      'slow links: slow links between m2 and c1, 122-124',
      'wrong clock: wrong clock of m2, 126-127',
    ],
  )
})

test('what is shown of a run that goes on may begin later, and the window stays within it', () => {
  const sight = new Sight(100 * UNIT, 20 * UNIT)
  assert.equal(sight.window, { from: 20 * UNIT, to: 100 * UNIT, least: sight.bounds.least })
  sight.look({ from: 30 * UNIT, to: 40 * UNIT })
  sight.grow(200 * UNIT, true, 35 * UNIT)
  assert.equal([sight.window.from, sight.window.to], [35 * UNIT, 45 * UNIT])
  sight.lookAtAll()
  sight.grow(300 * UNIT, true, 90 * UNIT)
  assert.equal([sight.window.from, sight.window.to], [90 * UNIT, 300 * UNIT])
})

test.run()
