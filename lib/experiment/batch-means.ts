/**
 * A confidence interval from one long run by batch means. Values of one run are correlated with their neighbours, but
 * means of long batches hardly are, so batch means are treated as independent (Law and Carson 1979; 40 batches as in Malone et al. 1986).
 */

import { mean, sampleVariance } from 'simple-statistics'
import { OutOfRange } from '../core/error.ts'
import { studentQuantile } from './student.ts'

/** The options of `batchMeans`. */
export interface BatchMeansOptions {
  /** The number of batches, at least 2. */
  readonly batches?: number
  /** The part of the run dropped from its front as warm-up, in [0, 1). */
  readonly drop?: number
  /** The wanted coverage of the interval, in (0, 1). */
  readonly confidence?: number
}

/** The mean of one long run, with an interval from the means of its batches. */
export interface BatchMeans {
  /** The mean of all values kept. */
  readonly mean: number
  /** The interval is mean ± halfWidth; null with fewer values than batches. */
  readonly halfWidth: number | null
  /** Correlation of neighbouring batches; beyond about ±0.2 the run is too short for its interval. Null with fewer values than batches. */
  readonly lag1: number | null
}

/** Lag-1 autocorrelation around the series' own mean; 0 for a constant series. */
export function lag1(values: readonly number[]): number {
  const center = mean([...values])
  let products = 0
  let squares = 0
  let previous = 0
  for (const value of values) {
    const deviation = value - center
    products += previous * deviation
    squares += deviation * deviation
    previous = deviation
  }
  return squares === 0 ? 0 : products / squares
}

/** Splits into `count` stretches whose lengths differ by one at most, so that no value is lost. */
export const batchesOf = (values: readonly number[], count: number): number[] =>
  Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * values.length) / count)
    const until = Math.floor(((i + 1) * values.length) / count)
    return mean(values.slice(from, until))
  })

/**
 * The mean of a run's values in their order of time, with its interval (defaults: 40 batches, first 5 % dropped, 90 %).
 *
 * @throws OutOfRange for no values or an option out of range
 */
export function batchMeans(values: readonly number[], options: BatchMeansOptions = {}): BatchMeans {
  const { batches = 40, drop = 0.05, confidence = 0.9 } = options
  if (values.length === 0) throw new OutOfRange('batchMeans needs at least one value')
  if (!Number.isInteger(batches) || batches < 2)
    throw new OutOfRange(`batchMeans: batches must be 2 or more, not ${batches}`)
  if (!(drop >= 0 && drop < 1)) throw new OutOfRange(`batchMeans: drop must be in [0, 1), not ${drop}`)
  const kept = values.slice(Math.floor(values.length * drop))
  const overall = mean(kept)
  if (kept.length < batches) return { mean: overall, halfWidth: null, lag1: null }
  const means = batchesOf(kept, batches)
  const t = studentQuantile((1 + confidence) / 2, batches - 1)
  return { mean: overall, halfWidth: t * Math.sqrt(sampleVariance(means) / batches), lag1: lag1(means) }
}
