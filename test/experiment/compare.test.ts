import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exponential, stream } from '../../lib/core/random.ts'
import { againstBaseline, paired, verdictOf, welch } from '../../lib/experiment/compare.ts'
import { tInterval } from '../../lib/experiment/interval.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('compare')
const near = (actual: number | null, expected: number, tolerance: number): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`)

test('a paired difference is the mean difference with the interval of the differences', () => {
  const a = [5, 7, 9, 12]
  const b = [4, 5, 8, 9]
  const { mean, halfWidth, correlation, variance } = paired(a, b)
  assert.equal({ mean, halfWidth }, tInterval([1, 2, 1, 3]))
  near(correlation, 20.5 / Math.sqrt(26.75 * 17), 1e-12)
  // 11/12 over 107/12 + 17/3
  near(variance, 11 / (107 + 68), 1e-12)
})

test('common random numbers find a difference that independent replications do not', () => {
  const next = stream(1, 'common')
  const common = Array.from({ length: 20 }, () => exponential(next(), 100))
  const a = common.map((value) => value + next())
  const b = common.map((value) => value + 2 + next())
  const pairs = paired(a, b)
  assert.ok(pairs.halfWidth !== null && pairs.mean + pairs.halfWidth < 0)
  assert.ok((pairs.correlation ?? 0) > 0.99 && (pairs.variance ?? 1) < 0.01)
  const alone = welch(a, b)
  assert.is(verdictOf(alone, 'a', 'b'), 'no difference shown')
  near(alone.mean, pairs.mean, 1e-12)
})

test("Welch's interval has fractional degrees of freedom", () => {
  // Welch 1947 as in textbooks: variances 1 of 3 and 10 of 5
  const { mean, freedom, halfWidth } = welch([1, 2, 3], [0, 2, 4, 6, 8])
  assert.is(mean, -2)
  near(freedom, ((1 / 3 + 2) * (1 / 3 + 2)) / (1 / 9 / 2 + 4 / 4), 1e-12)
  // t(0.975, 5.157895) by numerical inversion
  near((halfWidth ?? 0) / Math.sqrt(1 / 3 + 2), 2.547, 1e-3)
})

test('constant values have no correlation, and single replications have no interval', () => {
  assert.equal(paired([1, 1], [1, 1]), { mean: 0, halfWidth: 0, correlation: null, variance: null })
  assert.equal(paired([1], [3]), { mean: -2, halfWidth: null, correlation: null, variance: null })
  assert.equal(welch([1, 1], [3, 3]), { mean: -2, halfWidth: 0, freedom: null })
  assert.equal(welch([1], [3, 4]), { mean: -2.5, halfWidth: null, freedom: null })
  throwsSaying(() => paired([1], [1, 2]), 'both samples must have the same length, not 1 and 2')
})

test('several policies share the error probability, so each interval against the baseline is wider', () => {
  const baseline = { name: 'dsp', values: [10, 12, 11, 13] }
  const others = [
    { name: 'eager', values: [9, 11.1, 9.9, 12] },
    { name: 'random', values: [12, 11, 13, 12] },
  ]
  const [eager, random] = againstBaseline(baseline, others)
  assert.is(eager?.confidence, 0.975)
  assert.is(eager?.verdict, 'eager is lower than dsp')
  assert.is(random?.verdict, 'no difference shown')
  const alone = paired(others[0]?.values ?? [], baseline.values)
  assert.ok((eager?.halfWidth ?? 0) > (alone.halfWidth ?? 0))
  const [unpaired] = againstBaseline(baseline, others, { arePaired: false })
  assert.is(unpaired?.correlation, null)
  assert.is(unpaired?.verdict, 'no difference shown')
})

test('an interval that contains 0, or a missing one, does not prove that two policies are alike', () => {
  assert.is(verdictOf({ mean: 1, halfWidth: 1 }, 'a', 'b'), 'no difference shown')
  assert.is(verdictOf({ mean: 5, halfWidth: null }, 'a', 'b'), 'no difference shown')
  assert.is(verdictOf({ mean: 0, halfWidth: 0 }, 'a', 'b'), 'no difference shown')
  assert.is(verdictOf({ mean: 2, halfWidth: 1 }, 'a', 'b'), 'a is higher than b')
})

test.run()
