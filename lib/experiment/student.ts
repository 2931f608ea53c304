/**
 * Quantiles of Student's t distribution, for confidence intervals. Degrees of freedom may be fractional (Welch).
 *
 * The tail is half a regularized incomplete beta function, computed by its continued fraction (Abramowitz and Stegun
 * 26.5.8 and 26.7.1) and inverted by bisection: slow, but a report needs a handful, and it cannot diverge.
 */

import { OutOfRange } from '../core/error.ts'

/** Γ(x + 1/2) / Γ(x): the asymptotic series where it is exact to the last digits, the recurrence below. */
function gammaRatio(x: number): number {
  let factor = 1
  let y = x
  while (y < 25) {
    factor *= y / (y + 0.5)
    y += 1
  }
  const z = 1 / (y * y)
  return factor * Math.sqrt(y) * Math.exp((-1 / 8 + z * (1 / 192 + z * (-1 / 640 + (z * 17) / 14_336))) / y)
}

const TINY = 1e-300

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const awayFromZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    result *= d * c
    if (Math.abs(d * c - 1) < 1e-16) break
  }
  return result
}

/** P(T > t) for t >= 0. */
function upperTail(t: number, freedom: number): number {
  const a = freedom / 2
  const x = freedom / (freedom + t * t)
  const y = (t * t) / (freedom + t * t)
  // x^a y^(1/2) / B(a, 1/2), without a power function
  const front = (Math.exp(a * Math.log(x)) * Math.sqrt(y) * gammaRatio(a)) / Math.sqrt(Math.PI)
  // the fraction converges fast on one side of the mean only; the other side is the complement
  const twoTails = x < (a + 1) / (a + 2.5) ? (front * fraction(x, a, 0.5)) / a : 1 - 2 * front * fraction(y, 0.5, a)
  return twoTails / 2
}

/**
 * The `p`-quantile of Student's t with `freedom` degrees of freedom, to about 12 digits:
 * `studentQuantile(0.95, 39)` is the factor of a 90 % interval from 40 batches.
 *
 * @throws OutOfRange unless 0 < p < 1 and freedom > 0
 */
export function studentQuantile(p: number, freedom: number): number {
  if (!(p > 0 && p < 1)) throw new OutOfRange(`studentQuantile: p must be in (0, 1), not ${p}`)
  if (!(freedom > 0 && freedom < Infinity)) throw new OutOfRange(`studentQuantile: freedom must be > 0, not ${freedom}`)
  if (p === 0.5) return 0
  if (p < 0.5) return -studentQuantile(1 - p, freedom)
  const tail = 1 - p
  let low = 0
  let high = 1
  while (upperTail(high, freedom) > tail && high < Number.MAX_SAFE_INTEGER) {
    low = high
    high *= 2
  }
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (upperTail(middle, freedom) > tail) low = middle
    else high = middle
  }
}
