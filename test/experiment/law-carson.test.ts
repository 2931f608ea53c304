import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stream } from '../../lib/core/random.ts'
import { batchesOf } from '../../lib/experiment/batch-means.ts'
import { jackknifedLag1, lawCarson } from '../../lib/experiment/law-carson.ts'
import { throwsSaying } from '../throws.ts'
import { golden, mm1Waits, take } from './queues.ts'

const test = suite('law and carson')
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`)

test('length, mean and half-width of three M/M/1 runs agree with the golden numbers', () => {
  for (const [rho, seed, observations, mean, halfWidth] of [
    [0.5, 1n, 19_200, 0.980221670075934, 0.06913858795],
    [0.5, 2n, 51_200, 1.00504482354, 0.04824453409],
    [0.8, 1n, 76_800, 4.109040353511, 0.2760810817],
  ] as const) {
    const result = lawCarson(mm1Waits(rho, golden(seed)))
    assert.ok(result.reached)
    assert.is(result.observations, observations)
    near(result.mean, mean, 1e-11)
    near(result.halfWidth, halfWidth, 1e-10)
  }
})

test('jackknifed correlations of 400 and of 200 batches agree with the golden numbers', () => {
  const values = take(4000, mm1Waits(0.5, golden(1n)))
  near(jackknifedLag1(batchesOf(values, 400)), 0.554359793987, 1e-11)
  near(jackknifedLag1(batchesOf(values, 200)), 0.321967421236, 1e-11)
})

test('independent values need one of the shortest runs', () => {
  const result = lawCarson(stream(3, 'independent'))
  assert.ok(result.reached && result.observations <= 1600, String(result.observations))
  near(result.mean, 0.5, 2 * result.halfWidth)
})

test('strong correlation lengthens the run, even if it falls and the interval is narrow', () => {
  // autoregressive around 1000: the half-width is far below 7.5 % from the start
  const next = stream(1, 'autoregressive')
  let deviation = 0
  const source = () => {
    deviation = 0.8 * deviation + next() - 0.5
    return 1000 + deviation
  }
  const taken: number[] = []
  const { observations } = lawCarson(() => {
    const value = source()
    taken.push(value)
    return value
  })
  const correlation = (length: number, batches: number) => jackknifedLag1(batchesOf(taken.slice(0, length), batches))
  assert.ok(correlation(800, 400) > 0.4 && correlation(800, 200) < correlation(800, 400))
  assert.ok(observations > 800)
  assert.ok(correlation(observations, 400) <= 0.4)
})

test('a cap that is reached first is reported, with the longest interval below it and without further observations', () => {
  let taken = 0
  const source = mm1Waits(0.8, golden(1n))
  const result = lawCarson(
    () => {
      taken++
      return source()
    },
    { cap: 3000 },
  )
  assert.not(result.reached)
  assert.is(result.observations, 2400)
  assert.is(taken, 2400)
  assert.ok(result.halfWidth > 0)
})

test('a mean of 0 is never known to a relative precision', () => {
  const next = stream(1, 'around zero')
  const result = lawCarson(() => next() - 0.5, { cap: 10_000 })
  assert.not(result.reached)
})

test('options out of range are refused', () => {
  const next = () => 1
  throwsSaying(() => lawCarson(next, { gamma: 0 }), 'gamma must be > 0, not 0')
  throwsSaying(() => lawCarson(next, { cap: 799 }), '800 observations or more, not 799')
  throwsSaying(() => lawCarson(next, { confidence: 1 }), 'the confidence must be in (0, 1), not 1')
})

test.run()
