/**
 * The converged values of figure 3: how much more PV earns than FirstPrice, by discount rate. They are from runs of 5000 tasks
 * of the mix `figure3` with one processor, load 1 and preemption by arrivals.
 */
import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import type { Converged } from '../../../lib/experiment/converged.ts'
import { PAIR } from '../../study/paper.ts'
import { converged } from './converged.ts'
import table from './figure-3.json' with { type: 'json' }

/** The discount rates per unit. At 0 PV is FirstPrice, task by task. */
export const DISCOUNTS = [0.0003, 0.001, 0.01, 0.1] as const

interface Discounted {
  readonly valueSkew: number
  /** The yield of FirstPrice in dollars. */
  readonly firstPrice: Converged
  /** The improvement in percent of that yield at each discount rate; means over traces. */
  readonly improvements: Readonly<Record<(typeof DISCOUNTS)[number], Converged>>
}

const ROWS = v.array(
  v.object({
    valueSkew: v.number(),
    firstPrice: PAIR,
    /** The improvement at each of `DISCOUNTS`. */
    improvements: v.strictTuple([PAIR, PAIR, PAIR, PAIR]),
  }),
)

export const FIGURE_3: readonly Discounted[] = decoderOf(ROWS)(table).map(
  ({ valueSkew, firstPrice, improvements: [i0003, i001, i01, i1] }) => ({
    valueSkew,
    firstPrice: converged(firstPrice),
    improvements: { 0.0003: converged(i0003), 0.001: converged(i001), 0.01: converged(i01), 0.1: converged(i1) },
  }),
)

/** The improvement at a value skew of 9 and a discount rate of 0.01, if one parameter differs. */
export const FIGURE_3_OTHERWISE = {
  /** 16 processors. */
  processors: converged([-1.6465, 0.0971]),
  /** The mean value of all tasks is 1, not that of the high class. */
  mean: converged([4.3565, 0.3144]),
  /** No preemption. */
  preempt: converged([5.4205, 2.0217]),
} as const
