/** Independent replications: repeats an experiment with other seeds until its mean is as precise as wanted. */

import { type NamesOf, requireCount, requireKnown } from '../core/check-options.ts'
import { OutOfRange } from '../core/error.ts'
import { keyed } from '../core/random.ts'
import type { Interval } from '../core/table.ts'
import { sum } from '../core/tally.ts'
import { requireConfidence, tInterval } from './interval.ts'

const TWO_53 = 9_007_199_254_740_992

/**
 * The seed of replication `r` (0, 1, ...), below 2^53. It is a separate draw and not `seed + r`, else the second replication
 * of seed 1 would be the first of seed 2.
 */
export const replicationSeed = (seed: number, r: number): number => keyed(seed, 'replication', r) * TWO_53

/** The seeds of the first `count` replications. */
export const replicationSeeds = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, r) => replicationSeed(seed, r))

/** Part and whole of a ratio, such as useful time and time, or misses and jobs. */
export type Share = readonly [part: number, whole: number]

/**
 * The value of a replication whose metric is a ratio: the sum of the parts over the sum of the wholes, not the mean of
 * the ratios. Null if there is no whole.
 */
export function ratioOfSums(shares: readonly Share[]): number | null {
  const whole = sum(shares, ([, w]) => w)
  return whole === 0 ? null : sum(shares, ([part]) => part) / whole
}

/** The stopping rule of `replicate`. */
export interface Precision {
  /** The wanted half-width relative to the true mean (default 0.05); the estimate is compared with gamma / (1 + gamma). */
  readonly relative?: number
  /** The wanted half-width in the unit of the values, instead of `relative`. */
  readonly absolute?: number
  /** The confidence, in (0, 1); default 0.95. */
  readonly confidence?: number
  /** The least number of replications (default 10, at least 2). */
  readonly least?: number
  /** The most replications (default 1000). */
  readonly cap?: number
}

/** The estimate of `replicate`: a mean over independent replications, with its interval. */
export interface Replicated extends Interval {
  /** The number of replications behind the estimate. */
  readonly replications: number
  /** Whether the precision was reached before the cap. */
  readonly reached: boolean
}

interface Rule {
  readonly confidence: number
  readonly least: number
  readonly cap: number
  isPrecise(estimate: Interval): boolean
}

const PRECISION: NamesOf<Precision> = { relative: 1, absolute: 1, confidence: 1, least: 1, cap: 1 }

function ruleOf(precision: Precision): Rule {
  requireKnown('replicate', precision, PRECISION)
  const { relative = 0.05, absolute, confidence = 0.95, least = 10, cap = 1000 } = precision
  requireConfidence(confidence)
  const wanted = absolute ?? relative
  if (!(wanted > 0)) throw new OutOfRange(`replicate: the precision must be > 0, not ${wanted}`)
  if (!(Number.isInteger(least) && least >= 2)) throw new OutOfRange(`replicate: least must be >= 2, not ${least}`)
  if (!(Number.isInteger(cap) && cap >= least)) throw new OutOfRange(`replicate: cap must be >= ${least}, not ${cap}`)
  return {
    confidence,
    least,
    cap,
    isPrecise: ({ mean: center, halfWidth }) =>
      halfWidth !== null && halfWidth <= (absolute ?? (Math.abs(center) * relative) / (1 + relative)),
  }
}

/** The estimate of the least number of values that is precise; undefined if none is. */
function firstPrecise(values: readonly number[], from: number, rule: Rule): Replicated | undefined {
  for (let n = from; n <= values.length; n++) {
    const estimate = tInterval(values.slice(0, n), rule.confidence)
    if (rule.isPrecise(estimate)) return { ...estimate, replications: n, reached: true }
  }
  return undefined
}

/**
 * Runs replications until their mean is precise enough (Law, Simulation Modeling and Analysis, 9.4.1), some at a time:
 * `run` gets the numbers of replications and returns their values, for instance by a `sweep`. The estimate uses the
 * smallest number of replications that suffices, so it does not depend on `atOnce`.
 *
 * ```ts
 * const { mean, halfWidth, replications, reached } = await replicate((rs) => Promise.all(rs.map(meanFlow)))
 * ```
 *
 * @throws OutOfRange for a precision out of range
 */
export async function replicate(
  run: (replications: readonly number[]) => Promise<readonly number[]>,
  precision: Precision = {},
  atOnce = 10,
): Promise<Replicated> {
  const rule = ruleOf(precision)
  requireCount('replicate: atOnce', atOnce, 1)
  const values: number[] = []
  for (;;) {
    const looked = Math.max(rule.least, values.length + 1)
    const more = Math.min(rule.cap, Math.max(rule.least, values.length + atOnce)) - values.length
    const asked = Array.from({ length: more }, (_, i) => values.length + i)
    const got = await run(asked)
    if (got.length !== more) throw new OutOfRange(`replicate: the run must return ${more} values, not ${got.length}`)
    values.push(...got)
    const found = firstPrecise(values, looked, rule)
    if (found !== undefined) return found
    if (values.length >= rule.cap)
      return { ...tInterval(values, rule.confidence), replications: values.length, reached: false }
  }
}
