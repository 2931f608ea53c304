/** Folding under random arrivals, departures and rotations. */

import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { arrival, departure, ticked } from '../../actors/mesh/fold/changes.ts'
import { divided, undivided } from '../../actors/mesh/fold/division.ts'
import { emptyFold, type Fold, hasFree, jobsOf, linksOf, partitionsOf, type Step } from '../../actors/mesh/fold/fold.ts'
import { gathered } from '../../actors/mesh/fold/recovery.ts'
import { simpleLoad } from '../../actors/mesh/mapping.ts'
import { isPowerOfTwo, type Mesh, processorsOf, wholeOf } from '../../actors/mesh/mesh.ts'
import { areaOf, coverFault, textOf, touch } from '../../actors/mesh/rectangle.ts'
import { sizesOf } from '../../scenarios/mesh/formulas/policies.ts'
import { repeats } from '../repeats.ts'
import { RingOfJobs } from './ring-of-jobs.ts'

const RUNS = repeats(60)

const drawn = (fold: Fold) =>
  partitionsOf(fold)
    .map(({ owner, size, rectangle }) => `${owner} ${size} ${textOf(rectangle)}`)
    .sort()

/** Checks the rules of section 8, which hold between any two exchanges. */
function check(mesh: Mesh, fold: Fold): void {
  const partitions = partitionsOf(fold)
  if (partitions.length === 0) return
  assert.is(
    coverFault(
      wholeOf(mesh),
      partitions.map(({ rectangle }) => rectangle),
    ),
    null,
  )
  for (const { rectangle } of partitions) assert.ok(isPowerOfTwo(rectangle.rows) && isPowerOfTwo(rectangle.columns))
  let from = 0
  for (const { cells, stretches } of fold.rings) {
    assert.is(stretches.length << fold.level, partitions.length * cells.length, 'rings have as many jobs as cells')
    const ring = partitions.slice(from, from + stretches.length)
    from += stretches.length
    for (const [i, { rectangle }] of ring.entries()) {
      const before = ring.at(i - 1)?.rectangle ?? rectangle
      assert.ok(ring.length === 1 || touch(rectangle, before), `${textOf(before)} and ${textOf(rectangle)} touch`)
    }
  }
  if (hasFree(fold)) return
  const { level, small, large } = sizesOf(partitions.length)
  const cell = processorsOf(mesh) >> level
  const areas = partitions.map(({ rectangle }) => areaOf(rectangle))
  assert.equal(
    [areas.filter((area) => area === cell).length, areas.filter((area) => area === 2 * cell).length],
    [small, large],
  )
  for (const { rectangle } of partitions) assert.is(simpleLoad(mesh, rectangle) * areaOf(rectangle), processorsOf(mesh))
}

/** Jobs on a ring, and the fold that the allocator plans with. The two must agree after every step. */
class Both {
  fold: Fold
  readonly jobs = new RingOfJobs()
  readonly mesh: Mesh

  constructor(mesh: Mesh) {
    this.mesh = mesh
    this.fold = emptyFold(wholeOf(mesh))
  }

  /** Carries out steps on both sides. Returns the number of ticks among them. */
  do(steps: readonly Step[]): number {
    let ticks = 0
    for (const step of steps) {
      if (step.orders.some(({ type }) => type === 'tick')) {
        ticks++
        assert.equal(this.jobs.links, linksOf(this.fold))
      }
      this.jobs.run([step])
      this.fold = step.fold
      assert.equal(this.jobs.texts, drawn(this.fold))
      if (hasFree(this.fold)) this.#gather()
    }
    assert.equal(this.jobs.links, linksOf(this.fold))
    this.#gather()
    check(this.mesh, this.fold)
    return ticks
  }

  /** Checks that the reports of jobs determine the fold. */
  #gather(): void {
    assert.equal(drawn(gathered(this.fold.area, this.jobs.reports)), drawn(this.fold))
  }

  rotate(): void {
    const cut = divided(this.fold)
    if (cut) this.do([cut])
    this.do([ticked(this.fold)])
  }
}

const anyMesh = fc.record({ m: fc.integer({ min: 1, max: 5 }), n: fc.integer({ min: 1, max: 5 }) })
const anyEvent = fc.record({ what: fc.constantFrom('arrive', 'arrive', 'depart', 'rotate'), which: fc.nat(1000) })

test('partitions keep their rules through arrivals, departures and rotations, and jobs do what the allocator expects', () => {
  let most = 0
  fc.assert(
    fc.property(anyMesh, fc.nat(40), fc.array(anyEvent, { minLength: 10, maxLength: 40 }), (mesh, first, events) => {
      const both = new Both(mesh)
      const room = Math.min(processorsOf(mesh), 64)
      let next = 0
      for (; next < Math.min(first, room); next++) both.do(arrival(both.fold, `j${next}`))
      for (const { what, which } of events) {
        const jobs = jobsOf(both.fold)
        if (what === 'rotate') for (let i = which % 8; i >= 0; i--) both.rotate()
        else {
          both.do(undivided(both.fold))
          assert.ok(both.fold.rings.length <= 1)
          const job = jobs[which % jobs.length]
          if (what === 'arrive' && jobs.length < room) both.do(arrival(both.fold, `j${next++}`))
          else if (job) {
            const ticks = both.do(departure(both.fold, job))
            assert.ok(ticks <= jobs.length, `${ticks} ticks for the departure of one of ${jobs.length}`)
            most = Math.max(most, ticks / jobs.length)
          }
        }
      }
    }),
    { numRuns: RUNS, seed: 8 },
  )
  assert.is(most, 1, 'a departure that needs a tick for every job')
})

test.run()
