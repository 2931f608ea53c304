/**
 * The converged values of figure 5: the mean wait of user 1 by income, in minutes, among nine others with 100 dollars a
 * minute.
 */
import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import type { Converged } from '../../../lib/experiment/converged.ts'
import { PAIR } from '../../study/paper.ts'
import { converged } from './converged.ts'
import table from './figure-5.json' with { type: 'json' }

export const INCOMES = [50, 100, 200] as const

export interface Incomes {
  readonly preset: 'paper' | 'literal'
  readonly load: number
  /** The mean wait of user 1 at each income. */
  readonly waits: Readonly<Record<(typeof INCOMES)[number], Converged>>
  /** The mean wait of the nine others in the same runs. */
  readonly others: Readonly<Record<50 | 200, Converged>>
  /** The wait of user 1 over that at an income of 100: the mean of the ratios of single seeds. */
  readonly ratios: Readonly<Record<50 | 200, Converged>>
}

const MEAN = v.pipe(
  PAIR,
  v.transform((pair) => converged(pair, 30)),
)

const ROWS = v.array(
  v.object({
    preset: v.picklist(['paper', 'literal']),
    load: v.number(),
    /** The wait at each of `INCOMES`; the others' waits and the ratios are at the first and the last. */
    waits: v.strictTuple([MEAN, MEAN, MEAN]),
    others: v.strictTuple([MEAN, MEAN]),
    ratios: v.strictTuple([MEAN, MEAN]),
  }),
)

export const FIGURE_5: readonly Incomes[] = decoderOf(ROWS)(table).map(({ waits, others, ratios, ...row }) => ({
  ...row,
  waits: { 50: waits[0], 100: waits[1], 200: waits[2] },
  others: { 50: others[0], 200: others[1] },
  ratios: { 50: ratios[0], 200: ratios[1] },
}))
