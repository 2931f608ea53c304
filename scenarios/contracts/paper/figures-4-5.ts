/**
 * The converged values of figures 4 and 5: how much more FirstReward earns than FirstPrice, by alpha. They are of 5000 tasks
 * of the mix `figures4And5`, load 1, discount rate 0.01. Each row of `gains` in figures-4-5.json has an alpha, the improvement
 * over FirstPrice and its tolerance, the pooled improvement, and the gain of the value offered and its tolerance.
 */
import { PREEMPTIONS, type Preemption } from '../../../actors/contracts/terms.ts'
import { numberIn } from '../../../lib/core/decode.ts'
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

type Row = (typeof table.figure4 | typeof table.figure5)[number]

function oneOf<T>(choices: readonly T[], value: unknown, name: string): T {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new RangeError(`figures-4-5.json: ${name} must not be ${value}`)
  return found
}

const weighted = (row: Row): Weighted => ({
  processors: oneOf([16, 1] as const, row.processors, 'processors'),
  bound: oneOf([0, null] as const, row.bound, 'bound'),
  decaySkew: numberIn(row, 'decaySkew'),
  preempt: oneOf(PREEMPTIONS, row.preempt, 'preempt'),
  gains: row.gains.map(([alpha, improvement, within, pooled, ofOffered, ofOfferedWithin, ...more]) => {
    if (alpha === undefined || improvement === undefined || within === undefined || pooled === undefined) throw short()
    if (ofOffered === undefined || ofOfferedWithin === undefined || more.length > 0) throw short()
    return { alpha, ...gain([improvement, within, pooled, ofOffered, ofOfferedWithin], numberIn(row, 'seeds')) }
  }),
})

const short = () => new RangeError('figures-4-5.json: every row of gains needs six numbers')

/** Figure 4: penalties are bounded at 0. */
export const FIGURE_4: readonly Weighted[] = table.figure4.map(weighted)

/** Figure 5: penalties are unbounded. */
export const FIGURE_5: readonly Weighted[] = table.figure5.map(weighted)
