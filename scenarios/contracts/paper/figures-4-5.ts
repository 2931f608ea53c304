/**
 * The converged values of figures 4 and 5: how much more FirstReward earns than FirstPrice, by alpha. They are of 5000 tasks
 * of the mix `figures4And5`, load 1, discount rate 0.01. Each row of `gains` in figures-4-5.json has an alpha, the improvement
 * over FirstPrice and its tolerance, the pooled improvement, and the gain of the value offered and its tolerance.
 */
import * as v from 'valibot'
import { PREEMPTIONS, type Preemption } from '../../../actors/contracts/terms.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import table from './figures-4-5.json' with { type: 'json' }
import { type Gain, gain } from './gain.ts'

export interface Weighted {
  readonly processors: 16 | 1
  /** Figure 4 has penalties bounded at 0, figure 5 has unbounded ones. */
  readonly bound: 0 | null
  readonly decaySkew: number
  readonly preempt: Preemption
  /** The gains by alpha, in rising order. */
  readonly gains: readonly (Gain & { readonly alpha: number })[]
}

const ROW = v.object({
  processors: v.picklist([16, 1]),
  bound: v.nullable(v.literal(0)),
  decaySkew: v.number(),
  preempt: v.picklist(PREEMPTIONS),
  seeds: v.number(),
  gains: v.array(v.strictTuple([v.number(), v.number(), v.number(), v.number(), v.number(), v.number()])),
})

const { figure4, figure5 } = decoderOf(v.object({ figure4: v.array(ROW), figure5: v.array(ROW) }))(table)

const weighted = ({ gains, seeds, ...row }: v.InferOutput<typeof ROW>): Weighted => ({
  ...row,
  gains: gains.map(([alpha, ...five]) => ({ alpha, ...gain(five, seeds) })),
})

/** Figure 4: penalties are bounded at 0. */
export const FIGURE_4: readonly Weighted[] = figure4.map(weighted)

/** Figure 5: penalties are unbounded. */
export const FIGURE_5: readonly Weighted[] = figure5.map(weighted)
