/** Folding on 16x16 compared with the specification, and the rings of every machine. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { deepestOf, parentOf, ringOf, roomIn } from '../../actors/mesh/fold/cells.ts'
import { arrival, departure, ticked } from '../../actors/mesh/fold/changes.ts'
import { divided } from '../../actors/mesh/fold/division.ts'
import { emptyFold, type Fold, partitionsOf, sizeIn, stretchesOf } from '../../actors/mesh/fold/fold.ts'
import { halvesOf, meshText, wholeOf } from '../../actors/mesh/mesh.ts'
import { joined, type Rectangle, textOf } from '../../actors/mesh/rectangle.ts'
import { exchangesOf, periodOf } from '../../scenarios/mesh/formulas/policies.ts'
import { throwsSaying } from '../throws.ts'
import { FIVE, PARENT, RINGS, ROTATIONS, SCRIPT } from './golden/fold.ts'
import { RingOfJobs } from './ring-of-jobs.ts'

const MACHINE = wholeOf({ m: 4, n: 4 })

const text = (cells: readonly Rectangle[]) => cells.map(textOf).join(' | ')

const drawn = (fold: Fold) =>
  partitionsOf(fold)
    .map(({ owner, size, rectangle }) => `${owner}${size} ${textOf(rectangle)}`)
    .join(' | ')

/** The fold after the arrivals of jobs 1 to `jobs`. */
function arrived(jobs: number, machine = MACHINE): Fold {
  let fold = emptyFold(machine)
  for (let job = 1; job <= jobs; job++) fold = arrival(fold, `${job}`).at(-1)?.fold ?? fold
  return fold
}

test('the cells of a level have the order of the specification', () => {
  assert.is(RINGS.length, 6)
  for (const [level, ring] of RINGS.entries()) assert.is(text(ringOf(MACHINE, level)), ring, `level ${level}`)
  assert.is(text(parentOf(MACHINE, 4)), PARENT)
  assert.is(text(parentOf(MACHINE, 3)), RINGS[3])
})

/** All machines with at least two rows and two columns up to 32x32, and the healthy part of a larger one. */
const MACHINES: readonly Rectangle[] = [
  ...[1, 2, 3, 4, 5].flatMap((m) => [1, 2, 3, 4, 5].map((n) => wholeOf({ m, n }))),
  { row: 8, column: 16, rows: 8, columns: 4 },
]

for (const machine of MACHINES) {
  test(`${textOf(machine)}: neighbours share a side, and cells 2q and 2q + 1 are the halves of cell q of the parent`, () => {
    for (let level = 0; level <= deepestOf(machine); level++) {
      const ring = ringOf(machine, level)
      assert.is(new Set(ring.map(textOf)).size, 1 << level)
      for (const [i, cell] of ring.entries()) assert.ok(level === 0 || joined(cell, ring.at(i - 1) ?? cell))
      if (level === 0) continue
      const parent = parentOf(machine, level - 1)
      for (const [q, cell] of parent.entries()) {
        const pair = joined(ring[2 * q] ?? cell, ring[2 * q + 1] ?? cell)
        assert.is(pair && textOf(pair), textOf(cell))
      }
      assert.equal(new Set(parent.map(textOf)), new Set(ringOf(machine, level - 1).map(textOf)))
    }
  })
}

test('the order changes with the level from the fourth on, and never on two rows or two columns', () => {
  const changes = (machine: Rectangle) =>
    Array.from({ length: deepestOf(machine) }, (_, level) => level).filter(
      (level) => text(ringOf(machine, level)) !== text(parentOf(machine, level)),
    )
  assert.equal(changes(MACHINE), [4, 5, 6, 7])
  assert.equal(changes(wholeOf({ m: 3, n: 4 })), [4, 5, 6])
  assert.equal(changes(wholeOf({ m: 2, n: 5 })), [4])
  assert.equal(changes(wholeOf({ m: 1, n: 5 })), [])
})

test('a machine of one row folds for two jobs and no more', () => {
  const row = wholeOf({ m: 0, n: 3 })
  assert.is(drawn(arrived(2, row)), '1s 0,0 1x4 | 2s 0,4 1x4')
  throwsSaying(() => arrived(3, row), 'no ring of 4 cells on 0,0 1x8')
  throwsSaying(() => ringOf(wholeOf({ m: 1, n: 1 }), 3), 'cells of level 2 of 0,0 2x2 cannot be halved')
  throwsSaying(() => ringOf({ row: 0, column: 0, rows: 3, columns: 4 }, 1), 'powers of two, but are 0,0 3x4')
  assert.is(halvesOf(row, 'columns').length, 2)
})

test('there is room for as many jobs as the deepest ring has cells', () => {
  for (let m = 0; m <= 4; m++) {
    for (let n = 0; n <= 4; n++) {
      const area = wholeOf({ m, n })
      const levels = Array.from({ length: m + n + 1 }, (_, level) => level)
      const deepest = levels.findLast((level) => isRing(area, level)) ?? 0
      assert.is(roomIn(area), 1 << deepest, meshText({ m, n }))
    }
  }
})

function isRing(area: Rectangle, level: number): boolean {
  try {
    return ringOf(area, level).length === 1 << level
  } catch {
    return false
  }
}

test('arrivals and departures match the specification, exchange by exchange, from the decisions of each job', () => {
  const jobs = new RingOfJobs()
  let fold = emptyFold(MACHINE)
  assert.is(SCRIPT.length, 32)
  for (const { event, exchanges, ring } of SCRIPT) {
    const [what, job = ''] = event.split(' ')
    const steps = what === 'arrive' ? arrival(fold, job) : departure(fold, job)
    const ticks = jobs.run(steps)
    const realigned = steps.some(({ orders }) => orders.some(({ type }) => type === 'shift')) ? ['realign'] : []
    const taken = ticks.map((tick) => sorted(tick.map(({ by, from }) => `${by}<-${from ?? 'free'}`)))
    fold = steps.at(-1)?.fold ?? fold
    assert.is(drawn(fold), ring, event)
    const expected = exchanges.split(' ; ').map((tick) => sorted(tick.split(',')))
    assert.equal([...taken, ...realigned].join(' ; '), expected.join(' ; '), event)
    assert.equal(jobs.texts, drawnOne(fold), event)
  }
})

const sorted = (exchanges: readonly string[]) => [...exchanges].sort().join(',')

/** The partitions of a fold as `job size rectangle`. */
const drawnOne = (fold: Fold) =>
  partitionsOf(fold)
    .map(({ owner, size, rectangle }) => `${owner} ${size} ${textOf(rectangle)}`)
    .sort()

for (const { jobs, order, sizes } of ROTATIONS) {
  test(`${jobs} jobs: their sizes change as in the specification, tick by tick`, () => {
    let fold = arrived(jobs)
    fold = divided(fold)?.fold ?? fold
    const owners = fold.rings.map(({ stretches }) => stretches.map(({ owner }) => owner))
    assert.is(owners.map((ring) => ring.join(',')).join('/'), order)
    const got = sizes.split(' ').map(() => {
      const now = new Map(stretchesOf(fold).map((stretch) => [stretch.owner, sizeIn(stretch)]))
      fold = ticked(fold).fold
      return owners.map((ring) => ring.map((owner) => now.get(owner)).join('')).join('/')
    })
    assert.is(got.join(' '), sizes)
    assert.ok(sizes.split(' ').length > periodOf(jobs) && exchangesOf(jobs) > 0)
  })
}

test('five jobs move over the whole mesh as in the specification', () => {
  let fold = arrived(5)
  for (const ring of FIVE) {
    assert.is(drawn(fold), ring)
    fold = ticked(fold).fold
  }
})

test.run()
