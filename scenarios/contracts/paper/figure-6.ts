/**
 * The converged values of figure 6: yield in dollars per unit of time, from the first arrival to the last finish, by load, with
 * admission control (slack of at least 180) and without. They are of 5000 tasks of the mix `FIGURES_6_AND_7`, FirstReward with a
 * discount rate of 0.01, no preemption.
 */
import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import type { Converged } from '../../../lib/experiment/converged.ts'
import { PAIR } from '../../study/paper.ts'
import { converged } from './converged.ts'
import table from './figure-6.json' with { type: 'json' }

export const THRESHOLD = 180

export const ALPHAS = [0, 0.3, 0.9] as const

interface Rates {
  readonly admitting: Converged
  readonly takingAll: Converged
}

export interface Loaded {
  readonly processors: 1 | 16
  readonly load: number
  /** The share of tasks that are accepted with admission control, at an alpha of 0.3. */
  readonly accepted: Converged
  readonly rates: Readonly<Record<(typeof ALPHAS)[number], Rates>>
}

const RATES = v.pipe(
  v.strictTuple([PAIR, PAIR]),
  v.transform(
    ([admitting, takingAll]): Rates => ({ admitting: converged(admitting, 8), takingAll: converged(takingAll, 4) }),
  ),
)

const ROWS = v.array(
  v.object({
    processors: v.picklist([1, 16]),
    load: v.number(),
    accepted: PAIR,
    /** The rates with admission control and without, for each of `ALPHAS`. */
    rates: v.strictTuple([RATES, RATES, RATES]),
  }),
)

export const FIGURE_6: readonly Loaded[] = decoderOf(ROWS)(table).map(
  ({ accepted, rates: [at0, at3, at9], ...row }) => ({
    ...row,
    accepted: converged(accepted, 8),
    rates: { 0: at0, 0.3: at3, 0.9: at9 },
  }),
)
