import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { stream, type Uniform } from '../../lib/core/random.ts'
import { batchesOf, batchMeans, lag1 } from '../../lib/experiment/batch-means.ts'
import { throwsSaying } from '../throws.ts'
import { golden, mm1Waits, take } from './queues.ts'

const near = (actual: number | null, expected: number, tolerance: number): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`)

const waits = (count: number, rho: number, next: Uniform): number[] => take(count, mm1Waits(rho, next))

test('mean, half-width and autocorrelation of an M/M/1 queue agree with the golden numbers', () => {
  const values = waits(4000, 0.5, golden(1n))
  const result = batchMeans(values, { drop: 0 })
  near(result.mean, 0.969181493032, 1e-11)
  near(result.halfWidth, 0.188570703118, 1e-11)
  near(lag1(batchesOf(values, 400)), 0.493853784442, 1e-11)
})

test('the interval covers the true mean of M/M/1 about as often as stated', () => {
  const runs = 200
  let covered = 0
  for (let seed = 0; seed < runs; seed++) {
    const { mean, halfWidth } = batchMeans(waits(16_000, 0.5, stream(seed, 'waits')))
    if (halfWidth !== null && Math.abs(mean - 1) <= halfWidth) covered++
  }
  // 90 % nominal, standard error 2.1 %; batches of 380 are still slightly correlated
  assert.ok(covered / runs > 0.83 && covered / runs < 0.97, `${covered} of ${runs}`)
})

test('batches of independent values are uncorrelated, batches of a slow wave are not', () => {
  const next = stream(1, 'independent')
  near(batchMeans(Array.from({ length: 8000 }, next)).lag1, 0, 0.45)
  const wave = Array.from({ length: 8000 }, (_, i) => Math.sin(i / 2000))
  const { lag1: slow } = batchMeans(wave)
  assert.ok(slow !== null && slow > 0.8)
})

test('the front of the run is dropped and every other value counts', () => {
  const values = Array.from({ length: 103 }, (_, i) => (i < 5 ? 1e9 : i % 2))
  assert.is(batchMeans(values).mean, 49 / 98)
  near(batchMeans([...values].reverse(), { drop: 0 }).mean, (5e9 + 49) / 103, 1e-3)
})

test('batches differ in length by one at most, and no value is lost', () => {
  assert.equal(batchesOf([1, 2, 3, 4, 5, 6, 7], 3), [1.5, 3.5, 6])
})

test('constant values have an interval of no width', () => {
  assert.equal(batchMeans(new Array<number>(100).fill(3)), { mean: 3, halfWidth: 0, lag1: 0 })
})

test('fewer values than batches give a mean without an interval', () => {
  assert.equal(batchMeans([1, 2, 6]), { mean: 3, halfWidth: null, lag1: null })
})

test('no values and options out of range are refused', () => {
  throwsSaying(() => batchMeans([]), 'at least one value')
  throwsSaying(() => batchMeans([1], { batches: 1 }), 'batches must be 2 or more, not 1')
  throwsSaying(() => batchMeans([1], { drop: 1 }), 'drop must be in [0, 1), not 1')
})

test.run()
