/** What lies on the grid of a run at each moment, and the moment that shows most of it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { areasAt, areaTones, coverAt, coversOf, fullestIn, fullestOf, type Gridded } from '../../lib/report/cover.ts'

type Bar = readonly [from: number, until: number, tone: string, ...area: readonly [number, number, number, number]]

const TEXTS = ['', 'computing', 'moving', 'waiting']
const NO_AREA = [0, 0, 0, 0] as const

/** A run on a grid of 4 x 4 with these bars, the last of which go on at its end. */
const runOf = (bars: readonly Bar[], open = 0): Gridded => ({
  texts: TEXTS,
  grid: { name: 'mesh', vacant: 'empty', prefix: 'job ', moving: 'moving', rows: 4, columns: 4, open },
  bars: {
    row: bars.map((_, i) => i),
    from: bars.map(([from]) => from),
    length: bars.map(([from, until]) => until - from),
    label: bars.map(() => 0),
    tone: bars.map(([, , tone]) => TEXTS.indexOf(tone)),
    object: bars.map(() => 0),
    area: bars.flatMap(([, , , ...area]) => area),
  },
})

const momentOf = (run: Gridded): number | undefined => coversOf(run)[fullestOf(coversOf(run))]?.at

/** Two jobs rotate: at 10 a third one has come, and the moved ones lie on the cells of others. */
const ROTATION: readonly Bar[] = [
  [0, 10, 'computing', 0, 0, 4, 2],
  [0, 12, 'computing', 0, 2, 4, 2],
  [10, 14, 'moving', 0, 0, 2, 2],
  [10, 14, 'moving', 0, 0, 2, 2],
  [14, 20, 'computing', 0, 0, 4, 2],
]

test('a moment in the middle of a rotation has more areas but fewer covered cells, and loses', () => {
  const run = runOf(ROTATION)
  assert.is(areasAt(run, 0).length, 2)
  assert.is(areasAt(run, 10).length, 3)
  assert.equal(coversOf(run), [
    { at: 0, covered: 16, settled: 16, areas: 2, moving: 0 },
    { at: 10, covered: 12, settled: 8, areas: 3, moving: 2 },
    { at: 12, covered: 4, settled: 0, areas: 2, moving: 2 },
    { at: 14, covered: 8, settled: 8, areas: 1, moving: 0 },
    { at: 20, covered: 0, settled: 0, areas: 0, moving: 0 },
  ])
  assert.is(momentOf(run), 0)
})

test('of moments with the same number of covered cells, one without moves wins, whichever comes first', () => {
  const moved: Bar = [0, 5, 'moving', 0, 0, 4, 4]
  assert.is(momentOf(runOf([moved, [5, 9, 'computing', 0, 0, 4, 4]])), 5)
  assert.is(
    momentOf(
      runOf([
        [0, 5, 'computing', 0, 0, 4, 4],
        [5, 9, 'moving', 0, 0, 4, 4],
      ]),
    ),
    0,
  )
  assert.is(momentOf(runOf([moved])), 0)
})

test('cells under moving areas do not make a moment full', () => {
  const moves: Bar[] = [
    [0, 5, 'moving', 0, 0, 4, 4],
    [0, 5, 'computing', 0, 0, 2, 2],
    [5, 9, 'computing', 0, 0, 3, 4],
  ]
  assert.is(momentOf(runOf(moves)), 5)
})

test('what goes on at the end of the run is there at its last instant, although it has just begun', () => {
  const bars: Bar[] = [
    [0, 8, 'moving', 0, 0, 4, 4],
    [3, 8, 'computing', 0, 0, 1, 1],
    [8, 8, 'computing', 0, 0, 4, 4],
  ]
  const ended = runOf(bars)
  const goesOn = runOf(bars, 1)
  assert.equal(
    [ended, goesOn].map((run) => areasAt(run, 8)),
    [[], [2]],
  )
  assert.equal([ended, goesOn].map(momentOf), [3, 8])
  assert.is(coversOf(goesOn).at(-1)?.settled, 16)
})

test('if all areas move, the moment with most of them wins', () => {
  const coming: Bar[] = [0, 8, 16].map((from) => [from, 20, 'moving', 0, 0, 4, 4])
  assert.is(momentOf(runOf(coming)), 16)
})

test('in a window the fullest moment is one of the window', () => {
  const covers = coversOf(runOf(ROTATION))
  const fullest = ([from, to]: readonly [number, number]): number => fullestIn(covers, { from, to })
  assert.equal(
    (
      [
        [0, 20],
        [11, 13],
        [12, 20],
        [25, 30],
      ] as const
    ).map(fullest),
    [0, 11, 14, 25],
  )
})

test('of full moments without moves the one with the most areas wins', () => {
  const alone: Bar = [0, 5, 'computing', 0, 0, 4, 4]
  const halves: Bar[] = [
    [5, 9, 'computing', 0, 0, 4, 2],
    [5, 9, 'computing', 0, 2, 4, 2],
  ]
  assert.is(momentOf(runOf([alone, ...halves])), 5)
})

test('bars without an area or without length do not change the grid, and a run without a grid has no moments', () => {
  const bars: Bar[] = [
    [0, 50, 'waiting', ...NO_AREA],
    [3, 3, 'moving', 0, 0, 4, 4],
    [4, 8, 'computing', 1, 1, 2, 2],
  ]
  const run = runOf(bars)
  assert.equal(
    coversOf(run).map(({ at, covered }) => [at, covered]),
    [
      [4, 4],
      [8, 0],
    ],
  )
  assert.equal(areaTones(run), ['computing'])
  assert.equal(coversOf({ ...run, grid: null }), [])
  assert.is(fullestOf([]), -1)
})

test('an instant belongs to the last moment before it', () => {
  const covers = coversOf(runOf(ROTATION))
  assert.equal(
    [-1, 0, 9, 10, 13, 99].map((at) => coverAt(covers, at)),
    [0, 0, 0, 1, 2, 4],
  )
})

test('beyond a limit cells are not counted, and the moment with the fewest moves and the most areas wins', () => {
  const bars: Bar[] = [
    [0, 5, 'moving', 0, 0, 1024, 1024],
    [5, 9, 'computing', 0, 0, 1024, 1024],
    [7, 9, 'computing', 0, 0, 1024, 1024],
  ]
  const run = runOf([...bars, ...Array.from({ length: 10 }, (): Bar => [20, 21, 'moving', 0, 0, 1024, 1024])])
  assert.ok(coversOf(run).every(({ covered }) => covered === 0))
  assert.equal(
    coversOf(run).map(({ at, areas }) => [at, areas]),
    [
      [0, 1],
      [5, 1],
      [7, 2],
      [9, 0],
      [20, 10],
      [21, 0],
    ],
  )
  assert.is(momentOf(run), 7)
})

test.run()
