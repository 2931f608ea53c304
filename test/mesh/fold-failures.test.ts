/** Folding after deaths of processors, jobs or the allocator, and the changes that it refuses. */

import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cellsOf, healthyOf } from '../../actors/mesh/fold/cells.ts'
import { arrival, departure, settled } from '../../actors/mesh/fold/changes.ts'
import { divided } from '../../actors/mesh/fold/division.ts'
import { emptyFold, type Fold, hasFree, jobsOf, partitionsOf, toEach } from '../../actors/mesh/fold/fold.ts'
import { gathered, type Report } from '../../actors/mesh/fold/recovery.ts'
import { wholeOf } from '../../actors/mesh/mesh.ts'
import { areaOf, contains, type Rectangle, rectangleOf, textOf } from '../../actors/mesh/rectangle.ts'
import { throwsSaying } from '../throws.ts'

const MACHINE = wholeOf({ m: 4, n: 4 })

function arrived(jobs: number, machine = MACHINE): Fold {
  let fold = emptyFold(machine)
  for (let job = 1; job <= jobs; job++) fold = arrival(fold, `${job}`).at(-1)?.fold ?? fold
  return fold
}

const healthy = (area: Rectangle, ...dead: readonly (readonly [number, number])[]) => {
  const cell = healthyOf(
    area,
    dead.map(([row, column]) => ({ row, column })),
  )
  return cell && textOf(cell)
}

test('a machine that loses processors continues as its largest healthy half, quarter, and so on', () => {
  assert.is(healthy(MACHINE), '0,0 16x16')
  assert.is(healthy(MACHINE, [3, 12]), '8,0 8x16')
  assert.is(healthy(MACHINE, [12, 3]), '0,0 8x16')
  assert.is(healthy(MACHINE, [12, 3], [3, 3]), '0,8 8x8')
  assert.is(healthy(MACHINE, [12, 3], [3, 3], [0, 15], [15, 15]), '4,0 4x8')
  assert.is(healthy({ row: 8, column: 0, rows: 8, columns: 16 }, [9, 15]), '8,0 8x8')
  assert.is(healthy(wholeOf({ m: 1, n: 1 }), [0, 0], [0, 1], [1, 1]), '1,0 1x1')
  assert.is(healthy({ row: 2, column: 2, rows: 1, columns: 1 }, [2, 2]), null)
})

test('the healthy part has no dead processor, and every larger cell has one', () => {
  const anyDead = fc.array(fc.record({ row: fc.nat(7), column: fc.nat(15) }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(anyDead, (dead) => {
      const area = wholeOf({ m: 3, n: 4 })
      const left = healthyOf(area, dead)
      assert.ok(left)
      const isDead = (cell: Rectangle) => dead.some((place) => contains(cell, { ...place, rows: 1, columns: 1 }))
      assert.not(isDead(left))
      for (let level = 0; areaOf(area) >> level > areaOf(left); level++)
        assert.ok(cellsOf(area, level).flat().every(isDead), `level ${level}`)
    }),
  )
})

test('the healthy part of a machine folds like a machine of its size', () => {
  const part = { row: 8, column: 0, rows: 8, columns: 16 }
  const shifted = partitionsOf(arrived(21, wholeOf({ m: 3, n: 4 }))).map(({ owner, size, rectangle }) => ({
    owner,
    size,
    rectangle: { ...rectangle, row: rectangle.row + 8 },
  }))
  assert.equal(partitionsOf(arrived(21, part)), shifted)
})

const reportsOf = (fold: Fold): readonly Report[] => toEach(fold).map(({ job, cells, next }) => ({ job, cells, next }))

test('an allocator that has forgotten everything learns it again from the reports of jobs', () => {
  for (const jobs of [0, 1, 2, 5, 12, 16, 17, 20]) {
    const fold = arrived(jobs)
    const cut = divided(fold)?.fold
    assert.equal(gathered(MACHINE, [...reportsOf(fold)].reverse()), fold, `${jobs} jobs`)
    if (cut) assert.equal(partitionsOf(gathered(MACHINE, reportsOf(cut))), partitionsOf(cut), `${jobs} jobs, divided`)
  }
})

test('cells that no job reports are free, also in the middle of a departure or an arrival', () => {
  for (const steps of [departure(arrived(13), '6'), departure(arrived(8), '3'), arrival(arrived(8), 'new')]) {
    assert.ok(steps.some(({ fold }) => hasFree(fold)))
    for (const { fold } of steps) assert.equal(partitionsOf(gathered(MACHINE, reportsOf(fold))), partitionsOf(fold))
  }
})

const report = (job: string, next: string, ...cells: readonly string[]): Report => ({
  job,
  next,
  cells: cells.flatMap((text) => rectangleOf(text) ?? []),
})

test('contradictory reports are refused with the reason', () => {
  const [top, bottom] = ['0,0 8x16', '8,0 8x16']
  const refused = (text: string, ...reports: readonly Report[]) => throwsSaying(() => gathered(MACHINE, reports), text)
  refused('a and b both have 0,0 8x16', report('a', 'b', top), report('b', 'a', top))
  refused('b has 4,0 8x16, none of 2 cells', report('a', 'b', top), report('b', 'a', '4,0 8x16'))
  refused('a is followed by a job that is not there', report('a', 'c', top), report('b', 'a', bottom))
  refused('no job has 0,8 8x8 and 8,8 8x8 and 8,0 8x8', report('a', 'a', '0,0 8x8'))
  refused('no job has 0,0 8x8 and 8,8 8x8', report('a', 'b', '0,8 8x8'), report('b', 'a', '8,0 8x8'))
  const torn = [report('a', 'a', '0,8 8x8', '0,0 8x8'), report('b', 'c', '8,8 8x8')]
  refused('a has two cells that do not follow each other', ...torn)
  const corners = ['0,0 8x8', '8,8 8x8', '0,8 8x8', '8,0 8x8']
  const crossed = corners.map((cell, i) => report(`${i}`, `${(i + 1) % 4}`, cell))
  refused('8,8 8x8 does not touch 0,0 8x8, which it follows', ...crossed)
})

test('one job arrives or departs at a time, and there is room for one job on each processor', () => {
  const fold = arrived(5)
  const [vacated] = departure(fold, '3')
  assert.ok(vacated && hasFree(vacated.fold))
  throwsSaying(() => arrival(vacated.fold, 'new'), 'new arrives while a job departs')
  throwsSaying(() => departure(vacated.fold, '2'), '2 departs while another departs')
  throwsSaying(() => departure(fold, '9'), '9 departs, and is not there')
  const full = arrived(16, wholeOf({ m: 2, n: 2 }))
  throwsSaying(() => arrival(full, 'new'), 'no room for new: 16 jobs on as many processors')
  assert.equal(departure(arrived(1), '1'), [
    { orders: [{ type: 'vacate', job: '1', isFailed: false }], fold: emptyFold(MACHINE) },
  ])
  assert.is(jobsOf(emptyFold(MACHINE)).length, 0)
})

test('the last job has the whole machine, wherever its first cell is, and its threads do not move for that', () => {
  for (const [gone, left] of [
    ['1', '2'],
    ['2', '1'],
  ] as const) {
    const steps = departure(arrived(2), gone)
    assert.equal(
      steps.map(({ orders }) => orders.map(({ type }) => type).join()),
      ['vacate,link', 'tick', 'link', 'link'],
    )
    assert.equal(
      steps.at(-1)?.fold.rings.map(({ stretches }) => stretches),
      [[{ owner: left, cells: [0] }]],
    )
  }
})

test('recovery does not wait for cells that no job can take', () => {
  const free = gathered(MACHINE, [report('a', 'a', '8,8 8x8', '8,0 8x8')])
  assert.ok(hasFree(free))
  throwsSaying(() => settled(free), 'cells are still free after 2 ticks')
})

test('an arrival disturbs one job, and a change of level moves no thread', () => {
  const kinds = (jobs: number) =>
    arrival(arrived(jobs), 'new').map(({ orders }) => orders.map(({ type }) => type).join(' '))
  assert.equal(kinds(0), ['start'])
  assert.equal(kinds(1), ['link', 'split', 'start link'])
  assert.equal(kinds(5), ['split', 'start link'])
  assert.equal(kinds(4), ['link link link link', 'split', 'start link'])
})

test.run()
