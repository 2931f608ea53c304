/** How far a ring can be refined in place, cell by cell (4.4.5 of the thesis: facts F4 and F5). */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Cycle, cutAfter, ringOf } from '../../actors/mesh/fold/cells.ts'
import { arrival } from '../../actors/mesh/fold/changes.ts'
import { emptyFold, type Fold, stretchesOf } from '../../actors/mesh/fold/fold.ts'
import { type Dimension, halvesOf, other, wholeOf } from '../../actors/mesh/mesh.ts'
import { type Rectangle, touch } from '../../actors/mesh/rectangle.ts'

const MACHINE = wholeOf({ m: 4, n: 4 })
const SIXTEEN = ringOf(MACHINE, 4)

/** Whether the halves of each cell can be ordered so that all consecutive ones touch, also the last and the first. */
function closes(cells: readonly (readonly Rectangle[])[]): boolean {
  const [first = [], ...others] = cells.map(ordersOf)
  return first.some((start) => {
    let ends = [start]
    for (const orders of others) ends = orders.filter(([head]) => ends.some(([, tail]) => touch(tail, head)))
    return ends.some(([, tail]) => touch(tail, start[0]))
  })
}

/** The first and the last half in each order of a cell's halves. */
function ordersOf([one, another]: readonly Rectangle[]): readonly (readonly [Rectangle, Rectangle])[] {
  if (!one) return []
  return another
    ? [
        [one, another],
        [another, one],
      ]
    : [[one, one]]
}

const split = (cycle: Cycle, cut: Dimension, isSplit: (cell: number) => boolean) =>
  cycle.map((cell, i) => (isSplit(i) ? halvesOf(cell, cut) : [cell]))

const all = () => true

test('F4: halved alternately in both dimensions, the ring is refined in place up to 16 cells, and not to 32', () => {
  const growsAt = (level: number) => closes(split(ringOf(MACHINE, level), cutAfter(MACHINE, level), all))
  assert.equal([1, 2, 3, 4].map(growsAt), [true, true, true, false])
})

test('F4: halved twice in the same dimension, the ring is refined in place to 32 cells', () => {
  assert.is(cutAfter(MACHINE, 4), 'rows')
  assert.ok(closes(split(SIXTEEN, other('rows'), all)))
})

test('F5: an 18th partition has no place next to its neighbours for 4 of the 120 pairs of cells that may be split', () => {
  const stuck = SIXTEEN.flatMap((_, one) =>
    SIXTEEN.flatMap((_, another) =>
      one < another && !closes(split(SIXTEEN, 'rows', (cell) => cell === one || cell === another))
        ? [`${one},${another}`]
        : [],
    ),
  )
  assert.equal(stuck, ['0,1', '6,7', '8,9', '14,15'])
})

test('F5: with our order of splitting cells, the first job without a place is the 25th', () => {
  let fold: Fold = emptyFold(MACHINE)
  const closing: number[] = []
  for (let jobs = 1; jobs <= 25; jobs++) {
    fold = arrival(fold, `${jobs}`).at(-1)?.fold ?? fold
    if (jobs <= 16) continue
    const halves = new Set(stretchesOf(fold).flatMap(({ cells }) => (cells.length === 1 ? cells : [])))
    if (closes(split(SIXTEEN, 'rows', (cell) => halves.has(2 * cell)))) closing.push(jobs)
  }
  assert.equal(closing, [17, 18, 19, 20, 21, 22, 23, 24])
})

test.run()
