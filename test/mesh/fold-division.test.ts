/** An even number of jobs in two rings, and one ring again. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { arrival, departure, rotated, ticked } from '../../actors/mesh/fold/changes.ts'
import { divided, undivided } from '../../actors/mesh/fold/division.ts'
import { emptyFold, type Fold, type Ring, ringWith, sizeIn, stretchesOf } from '../../actors/mesh/fold/fold.ts'
import { processorsOf, wholeOf } from '../../actors/mesh/mesh.ts'
import { type Rectangle, textOf } from '../../actors/mesh/rectangle.ts'
import { periodOf } from '../../scenarios/mesh/formulas/policies.ts'
import { throwsSaying } from '../throws.ts'

function arrived(jobs: number, machine: Rectangle): Fold {
  let fold = emptyFold(machine)
  for (let job = 1; job <= jobs; job++) fold = arrival(fold, `${job}`).at(-1)?.fold ?? fold
  return fold
}

const sizesByJob = (fold: Fold) =>
  stretchesOf(fold)
    .map((stretch) => `${stretch.owner}${sizeIn(stretch)}`)
    .sort()
    .join(' ')

for (const mesh of [
  { m: 3, n: 3 },
  { m: 4, n: 4 },
  { m: 3, n: 5 },
]) {
  const machine = wholeOf(mesh)
  test(`${textOf(machine)}: after arrivals only, the rings are odd, and sizes repeat after N(J) ticks and not before`, () => {
    for (let jobs = 1; jobs < Math.min(64, processorsOf(mesh)); jobs++) {
      const whole = arrived(jobs, machine)
      const fold = divided(whole)?.fold ?? whole
      const period = periodOf(jobs)
      if (period > 0) for (const { stretches } of fold.rings) assert.is(stretches.length, period, `${jobs} jobs`)
      else assert.is(fold, whole)
      let now = fold
      for (let tick = 0; tick < jobs; tick++) now = ticked(now).fold
      const start = sizesByJob(now)
      for (let tick = 1; tick <= period; tick++) {
        now = ticked(now).fold
        assert.is(sizesByJob(now) === start, tick === period, `${jobs} jobs, ${tick} ticks`)
      }
    }
  })
}

test('rings that are cut and have not rotated are joined without a tick', () => {
  const fold = arrived(12, wholeOf({ m: 4, n: 4 }))
  const cut = divided(fold)
  assert.ok(cut)
  assert.is(cut.fold.rings.length, 4)
  const steps = undivided(cut.fold)
  assert.equal(steps.at(-1)?.fold, fold)
  assert.equal(
    steps.flatMap(({ orders }) => orders).filter(({ type }) => type !== 'link'),
    [],
  )
  assert.equal(undivided(fold), [])
})

/** Reads a ring such as `44 45,46`: a partition of one cell, then one of two cells. */
function ringOf(text: string): Ring {
  const stretches = text
    .split(' ')
    .map((cells, job) => ({ owner: `${text} ${job}`, cells: cells.split(',').map(Number) }))
  return ringWith(
    stretches.flatMap(({ cells }) => cells),
    stretches,
  )
}

/** 36 jobs on 32x8 after some departures, arrivals and rotations. */
const TORN: Fold = {
  area: wholeOf({ m: 5, n: 3 }),
  level: 6,
  rings: [
    ringOf('0 1,2 3 4,5 6 7,8 9,10 11,12 13,14 15,16 17,18 19,20 21,22 23 24,25 26,27 28,29 30,31'),
    ringOf('45,46 47 48,49 50,51 52,53 54,55 56,57 58 59,44'),
    ringOf('61,62 63,32 33,34 35,36 37 38,39 40 41,42 43,60'),
  ],
}

/** Whether the cells of every job follow each other on the whole ring of 64. */
const isWhole = ({ stretches }: Ring) =>
  stretches.every(({ cells: [first = 0, second] }) => second === undefined || second === (first + 1) % 64)

test('rings are joined pair by pair: a ring may rotate forever before all its pairs are pairs of the whole ring', () => {
  const positions = ({ stretches }: Ring) => stretches.map(({ owner, cells }) => `${owner}: ${cells}`).join()
  const neverWhole = TORN.rings.filter((ring) => {
    const seen = new Set<string>()
    for (let now = ring; !seen.has(positions(now)); now = rotated(now)) {
      if (isWhole(now)) return false
      seen.add(positions(now))
    }
    return true
  })
  assert.is(neverWhole.length, 1)
  const joined = undivided(TORN).at(-1)?.fold
  assert.is(joined?.rings.length, 1)
  assert.ok(joined?.rings.every(isWhole))
})

test('no job arrives or departs while the ring is divided', () => {
  const fold = divided(arrived(6, wholeOf({ m: 4, n: 4 })))?.fold
  assert.ok(fold)
  throwsSaying(() => arrival(fold, 'new'), 'new arrives while the ring is divided')
  throwsSaying(() => departure(fold, '3'), '3 departs while the ring is divided')
})

test.run()
