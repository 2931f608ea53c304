/**
 * The converged values of figures 3 and 4: mean response, mean response over service and utilisation by load, for all jobs
 * and by class, and the ratio of ECON to RES seed by seed. They are from runs with 128 processors, 10 users of equal income
 * and 500,000 minutes of arrivals, until the last job is done. FCFS has no steady state from 0.8 on (utilisation stops at
 * 0.84), so its values there belong to that length. figures-3-4.json has the values and their tolerances in the order of
 * `MEASURES`, and the utilisation after them.
 */
import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged } from './converged.ts'
import table from './figures-3-4.json' with { type: 'json' }

export const MEASURES = ['S', 'S1', 'S2', 'S3', 'U', 'U1', 'U2', 'U3'] as const
/** S: the mean response in minutes; U: the mean of response / service. Both are of all jobs or of one class. */
export type Measure = (typeof MEASURES)[number]

export const POLICIES = ['FCFS', 'RES', 'ECON/paper', 'ECON/literal'] as const
export type Policy = (typeof POLICIES)[number]

export interface Point {
  readonly load: number
  readonly policy: Policy
  readonly means: Readonly<Record<Measure, Converged>>
  readonly utilisation: Converged
}

interface Ratio {
  readonly load: number
  /** The preset of ECON. */
  readonly preset: 'paper' | 'literal'
  /** The ratios of ECON to RES: means of the ratios of single seeds. */
  readonly ratios: Readonly<Record<Measure, Converged>>
}

const MEANS = v.object({
  load: v.number(),
  policy: v.picklist(POLICIES),
  seeds: v.number(),
  /** The value of each of `MEASURES`, then the utilisation; and their tolerances. */
  values: v.pipe(v.array(v.number()), v.length(MEASURES.length + 1)),
  tolerances: v.pipe(v.array(v.number()), v.length(MEASURES.length + 1)),
})

const RATIOS = v.object({
  load: v.number(),
  preset: v.picklist(['paper', 'literal']),
  values: v.pipe(v.array(v.number()), v.length(MEASURES.length)),
  tolerances: v.pipe(v.array(v.number()), v.length(MEASURES.length)),
})

type Row = Pick<v.InferOutput<typeof RATIOS>, 'values' | 'tolerances'>

const columnOf = ({ values, tolerances }: Row, column: number, seeds: number): Converged =>
  converged([values[column] ?? Number.NaN, tolerances[column] ?? Number.NaN], seeds)

function measured(row: Row, seeds: number): Readonly<Record<Measure, Converged>> {
  const at = (of: Measure) => columnOf(row, MEASURES.indexOf(of), seeds)
  return { S: at('S'), S1: at('S1'), S2: at('S2'), S3: at('S3'), U: at('U'), U1: at('U1'), U2: at('U2'), U3: at('U3') }
}

const { means, ratios } = decoderOf(v.object({ means: v.array(MEANS), ratios: v.array(RATIOS) }))(table)

/** The means and the utilisation by load and policy. */
export const FIGURES_3_4: readonly Point[] = means.map(({ load, policy, seeds, ...row }) => ({
  load,
  policy,
  means: measured(row, seeds),
  utilisation: columnOf(row, MEASURES.length, seeds),
}))

/** The ratios of ECON to RES by load and preset, each from 30 seeds. */
export const ECON_OVER_RES: readonly Ratio[] = ratios.map(({ load, preset, ...row }) => ({
  load,
  preset,
  ratios: measured(row, 30),
}))

/** FCFS at 0.9, counting only the jobs that are done by the end of the arrivals. */
export const FCFS_BY_HORIZON = {
  load: 0.9,
  S: converged([15344.839, 5651.6871], 10),
  utilisation: converged([0.8438, 0.0034], 10),
} as const

/** S of ECON over S of RES at load 0.9, where wasted time counts as work in an offer, and where it does not. */
export const CHARGED = 0.6533
export const UNCHARGED = 0.6291
