/** Confidence intervals of means. */

import { mean, sampleVariance } from 'simple-statistics'
import { OutOfRange } from '../core/error.ts'
import type { Interval } from '../core/table.ts'
import { studentQuantile } from './student.ts'

/**
 * Checks that a confidence level is between 0 and 1.
 *
 * @throws OutOfRange unless 0 < confidence < 1
 */
export function requireConfidence(confidence: number): void {
  if (!(confidence > 0 && confidence < 1)) throw new OutOfRange(`the confidence must be in (0, 1), not ${confidence}`)
}

/**
 * The mean of independent values, such as one mean per replication, with Student's interval; a single value has none.
 *
 * @throws OutOfRange for no values or a confidence out of range
 */
export function tInterval(values: readonly number[], confidence = 0.95): Interval {
  requireConfidence(confidence)
  const n = values.length
  if (n === 0) throw new OutOfRange('tInterval needs at least one value')
  const center = mean([...values])
  if (n === 1) return { mean: center, halfWidth: null }
  const halfWidth = studentQuantile((1 + confidence) / 2, n - 1) * Math.sqrt(sampleVariance([...values]) / n)
  return { mean: center, halfWidth }
}
