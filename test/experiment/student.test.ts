import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { studentQuantile } from '../../lib/experiment/student.ts'
import { throwsSaying } from '../throws.ts'

const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`)

test('t quantiles agree with known values to ten digits', () => {
  near(studentQuantile(0.975, 9), 2.2621571627982, 1e-10)
  near(studentQuantile(0.95, 39), 1.68487512171124, 1e-10)
  near(studentQuantile(0.975, 29), 2.0452296421327, 1e-10)
  near(studentQuantile(0.975, 39), 2.0226909200367587, 1e-10)
})

test('one and two degrees of freedom agree with their closed forms', () => {
  for (const p of [0.55, 0.75, 0.9, 0.95, 0.975, 0.99, 0.999]) {
    const cauchy = Math.tan(Math.PI * (p - 0.5))
    near(studentQuantile(p, 1), cauchy, 1e-11 * cauchy)
    const two = (2 * p - 1) / Math.sqrt(2 * p * (1 - p))
    near(studentQuantile(p, 2), two, 1e-11 * two)
  }
})

test('with many degrees of freedom the t quantile is the normal quantile', () => {
  near(studentQuantile(0.975, 1e9), 1.959963984540054, 1e-8)
})

test('quantiles are odd around one half, grow with p and shrink with the degrees of freedom', () => {
  const probability = fc.double({ min: 0.501, max: 0.999, noNaN: true })
  const freedom = fc.double({ min: 0.5, max: 1000, noNaN: true })
  fc.assert(
    fc.property(probability, freedom, (p, df) => {
      const t = studentQuantile(p, df)
      near(studentQuantile(1 - p, df), -t, 1e-9 * t)
      return studentQuantile(p + 0.0005, df) > t && studentQuantile(p, df + 1) < t
    }),
    { numRuns: 50 },
  )
  assert.is(studentQuantile(0.5, 7), 0)
})

test('a probability or freedom out of range is refused', () => {
  for (const p of [0, 1, -1, NaN]) throwsSaying(() => studentQuantile(p, 5), 'p must be in (0, 1)')
  for (const df of [0, -1, NaN, Infinity]) throwsSaying(() => studentQuantile(0.9, df), 'freedom must be > 0')
})

test.run()
