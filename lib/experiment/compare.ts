/**
 * Compares two policies: which is better, by how much, and whether the difference is significant. With common random
 * numbers (the same arrivals and sizes for both, see lib/core/random.ts) replications are pairs, and most noise cancels.
 */

import { sampleCorrelation, sampleVariance } from 'simple-statistics'
import { type NamesOf, requireKnown } from '../core/check-options.ts'
import { OutOfRange } from '../core/error.ts'
import type { Interval } from '../core/table.ts'
import { tInterval } from './interval.ts'
import { studentQuantile } from './student.ts'

/** The difference of two policies over the same replications, with its interval. */
export interface Paired extends Interval {
  /** The correlation of the two policies over replications, positive if common random numbers work; null without variance. */
  readonly correlation: number | null
  /** Var(A - B) / (Var A + Var B): 1 is no gain, 0.1 means a tenth of the replications suffices. Null if none varies. */
  readonly variance: number | null
}

const variesIn = (values: readonly number[]): boolean => values.some((value) => value !== values[0])

/**
 * The mean of A - B over replications that shared their random numbers, with its interval.
 *
 * @throws OutOfRange for different numbers of replications or none
 */
export function paired(a: readonly number[], b: readonly number[], confidence = 0.95): Paired {
  if (a.length !== b.length)
    throw new OutOfRange(`paired: both samples must have the same length, not ${a.length} and ${b.length} values`)
  const differences = a.map((value, i) => value - (b[i] ?? Number.NaN))
  const estimate = tInterval(differences, confidence)
  const [varyA, varyB] = [variesIn(a), variesIn(b)]
  const variances = (varyA ? sampleVariance([...a]) : 0) + (varyB ? sampleVariance([...b]) : 0)
  return {
    ...estimate,
    correlation: varyA && varyB ? sampleCorrelation([...a], [...b]) : null,
    variance: variances > 0 ? sampleVariance(differences) / variances : null,
  }
}

/** The difference of two policies over different replications, with its interval. */
export interface Unpaired extends Interval {
  /** The degrees of freedom (Welch and Satterthwaite); null where there is no interval or no variance. */
  readonly freedom: number | null
}

/**
 * The mean of A - B over independent replications, with Welch's interval: the two may differ in variance and number.
 *
 * @throws OutOfRange if one has no values
 */
export function welch(a: readonly number[], b: readonly number[], confidence = 0.95): Unpaired {
  const difference = tInterval(a, confidence).mean - tInterval(b, confidence).mean
  if (a.length < 2 || b.length < 2) return { mean: difference, halfWidth: null, freedom: null }
  const ofA = sampleVariance([...a]) / a.length
  const ofB = sampleVariance([...b]) / b.length
  const both = ofA + ofB
  if (both === 0) return { mean: difference, halfWidth: 0, freedom: null }
  const freedom = (both * both) / ((ofA * ofA) / (a.length - 1) + (ofB * ofB) / (b.length - 1))
  return { mean: difference, halfWidth: studentQuantile((1 + confidence) / 2, freedom) * Math.sqrt(both), freedom }
}

/** A policy with its values, one for each replication. */
export interface Policy {
  readonly name: string
  /** One value per replication. */
  readonly values: readonly number[]
}

/** The difference of a policy to the baseline, with its interval. */
export interface Comparison extends Interval {
  readonly name: string
  /** The confidence of this one interval; all intervals together have at least the requested one (Bonferroni). */
  readonly confidence: number
  /** The correlation of the two policies; null where replications were not paired. */
  readonly correlation: number | null
  readonly variance: number | null
  readonly verdict: string
}

export interface Comparing {
  /** The confidence of all intervals together, in (0, 1); default 0.95. */
  readonly confidence?: number
  /** Whether the policies shared their random numbers in each replication (default true). */
  readonly arePaired?: boolean
}

const COMPARING: NamesOf<Comparing> = { confidence: 1, arePaired: 1 }

/**
 * Every policy minus the baseline. With k policies each interval is at 1 - alpha / (k - 1), so that all of them hold
 * together with the requested confidence.
 */
export function againstBaseline(baseline: Policy, others: readonly Policy[], options: Comparing = {}): Comparison[] {
  requireKnown('againstBaseline', options, COMPARING)
  const { confidence = 0.95, arePaired = true } = options
  const each = 1 - (1 - confidence) / Math.max(1, others.length)
  return others.map(({ name, values }) => {
    const {
      mean: center,
      halfWidth,
      ...gain
    } = arePaired
      ? paired(values, baseline.values, each)
      : { ...welch(values, baseline.values, each), correlation: null, variance: null }
    const { correlation, variance } = gain
    const verdict = verdictOf({ mean: center, halfWidth }, name, baseline.name)
    return { name, mean: center, halfWidth, confidence: each, correlation, variance, verdict }
  })
}

/** The verdict of an interval of A - B. An interval that contains 0 does not prove that A and B are equal. */
export function verdictOf({ mean: difference, halfWidth }: Interval, a: string, b: string): string {
  if (halfWidth === null || Math.abs(difference) <= halfWidth) return 'no difference shown'
  return `${a} is ${difference < 0 ? 'lower' : 'higher'} than ${b}`
}
