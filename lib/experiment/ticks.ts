/** The ticks of an axis: multiples of 1, 2 or 5 times a power of ten. */

import { OutOfRange } from '../core/error.ts'

export interface Ticks {
  /** The ticks in ascending order; the first and the last are the ends of the axis. */
  readonly values: readonly number[]
  /** The ticks as text, all with the same number of decimals. */
  readonly labels: readonly string[]
}

/** The least of 1, 2, 5, 10, ... times a power of ten that is at least `rough`, and its decimal exponent. */
function niceStep(rough: number): { factor: number; exponent: number } {
  // read from the printed number, since powers and logarithms of ten are not exact
  const [digits, exponent] = rough.toExponential(12).split('e').map(Number)
  const factor = [1, 2, 5].find((nice) => nice >= (digits ?? 1))
  return { factor: factor ?? 1, exponent: (exponent ?? 0) + (factor === undefined ? 1 : 0) }
}

/** A range that is a smaller part of its values is rounding error, and one smaller than `LEAST` counts as empty. */
const RESOLUTION = 1e-9
const LEAST = 1e-290

/**
 * About `count` ticks from below `low` to above `high`. An empty range is widened around its value.
 *
 * @throws OutOfRange for a bound that is no finite number, or bounds in the wrong order
 */
export function ticksOf(low: number, high: number, count = 8): Ticks {
  if (!(Number.isFinite(low) && Number.isFinite(high) && low <= high))
    throw new OutOfRange(`ticksOf: the bounds must be finite and in order, not ${low} and ${high}`)
  const size = Math.max(Math.abs(low), Math.abs(high))
  if (high - low <= Math.max(size * RESOLUTION, LEAST)) {
    const around = size <= LEAST ? 1 : size / 2
    return ticksOf(low - around, high + around, count)
  }
  const { factor, exponent } = niceStep((high - low) / (count - 1))
  const step = Number(`${factor}e${exponent}`)
  // a bound that differs from a tick only by rounding error is a tick
  const first = Math.floor(low / step + RESOLUTION)
  const last = Math.ceil(high / step - RESOLUTION)
  const multiples = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const values = multiples.map((multiple) => Number(`${multiple * factor}e${exponent}`))
  return { values, labels: values.map((value) => labelOf(value, exponent)) }
}

const DECADES_MAX = 10

/**
 * Ticks of a logarithmic axis from below `low` to above `high`: the powers of ten, and where those are few also 2 and 5
 * times each.
 *
 * @throws OutOfRange for a bound that is no finite number > 0, or bounds in the wrong order
 */
export function logTicksOf(low: number, high: number): Ticks {
  if (!(low > 0 && high < Number.POSITIVE_INFINITY && low <= high))
    throw new OutOfRange(`logTicksOf: the bounds must be finite, > 0 and in order, not ${low} and ${high}`)
  const exponentOf = (value: number) => Number(value.toExponential(12).split('e')[1])
  const [first, last] = [exponentOf(low), exponentOf(high) + 1]
  const every = Math.ceil((last - first) / DECADES_MAX)
  const factors = last - first > 4 ? [1] : [1, 2, 5]
  const decades = Array.from({ length: Math.ceil((last - first) / every) + 1 }, (_, i) => first + i * every)
  const all = decades.flatMap((exponent) => factors.map((factor) => Number(`${factor}e${exponent}`)))
  const from = all.findLastIndex((value) => value <= low * (1 + RESOLUTION))
  const to = all.findIndex((value, i) => i > from && value >= high * (1 - RESOLUTION))
  const values = all.slice(from, to + 1)
  return { values, labels: values.map(String) }
}

const labelOf = (value: number, exponent: number): string =>
  exponent < -6 || Math.abs(value) >= 1e15 ? String(value) : value.toFixed(Math.max(0, -exponent))
