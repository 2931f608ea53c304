import * as v from 'valibot'
import type { Converged } from '../../../lib/experiment/converged.ts'

/** A value and its tolerance for a mean of 12 traces. */
export const PAIR = v.strictTuple([v.number(), v.number()])
type Pair = Readonly<v.InferOutput<typeof PAIR>>

/** @param seeds the number of traces in the mean */
export const converged = ([value, tolerance]: Pair, seeds = 12): Converged => ({ value, tolerance, ofSeeds: 12, seeds })
