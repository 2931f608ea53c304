import type { Converged } from '../../../lib/experiment/converged.ts'

/** A value and its tolerance for a mean of 12 traces. */
export type Pair = readonly [value: number, tolerance: number]

/** @param seeds the number of traces in the mean */
export const converged = ([value, tolerance]: Pair, seeds = 12): Converged => ({ value, tolerance, ofSeeds: 12, seeds })
