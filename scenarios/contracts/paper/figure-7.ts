/**
 * The converged values of figure 7: yield in dollars per unit of time by slack threshold and load, as in figure 6, at an alpha
 * of 0.3.
 */
import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged } from './converged.ts'
import table from './figure-7.json' with { type: 'json' }

/** The thresholds in units of slack. */
export const THRESHOLDS = [-400, -200, 0, 50, 100, 180, 250, 350, 500, 700, 1000] as const

export interface Guarded {
  readonly processors: 1 | 16
  readonly load: number
  /** The rates in the order of `THRESHOLDS`. */
  readonly rates: readonly { readonly threshold: number; readonly rate: Converged }[]
  /** The best threshold, and those whose rates cannot be distinguished from its rate. */
  readonly best: readonly number[]
}

const EACH = v.pipe(v.array(v.number()), v.length(THRESHOLDS.length))

const ROWS = v.array(
  v.object({
    processors: v.picklist([1, 16]),
    load: v.number(),
    best: v.array(v.number()),
    /** The rate at each of `THRESHOLDS`, and its tolerance. */
    rates: EACH,
    tolerances: EACH,
  }),
)

export const FIGURE_7: readonly Guarded[] = decoderOf(ROWS)(table).map(({ rates, tolerances, ...row }) => ({
  ...row,
  rates: THRESHOLDS.map((threshold, i) => ({
    threshold,
    rate: converged([rates[i] ?? Number.NaN, tolerances[i] ?? Number.NaN], 8),
  })),
}))
