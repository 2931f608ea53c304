/** One run of the figures of placement, for `sweep`: plain data in, plain data out. */

import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import { requireNone } from '../../../lib/scenario/verdict.ts'
import type { Runner } from '../../study/points.ts'
import { machineName, PARALLEL, problemsOf, problemsOfRun, type RunContext, runVariant, SEQUENTIAL } from './measure.ts'
import { evennessOf, JOBS } from './random.ts'
import { ALONE, VARIANTS_6, VARIANTS_7, VARIANTS_10, VARIANTS_11 } from './variants.ts'

const VARIANTS = [...VARIANTS_6, ...VARIANTS_7, ...VARIANTS_10, ...VARIANTS_11, ALONE]

/** A run of a variant, by its name, or a run that asks some machines at random. */
export type Row = {
  readonly variant: string | null
  readonly ask: number
  readonly runtime: RunContext['runtime']
}

/** A number for each name. */
const NAMED = v.record(v.string(), v.number())

const RAN = v.object({
  /** The measured values by their names: `usedBy` of each job, and `rate`; or `most` and `deviation`. */
  values: NAMED,
  /** The processor time by job and machine, separated by a space. */
  cpu: NAMED,
  messages: v.number(),
})
export type Ran = v.InferOutput<typeof RAN>

/** The name of the share of a machine that a job uses in a phase. */
export const usedBy = (phase: string, job: string, machine: string): string => `${phase}: ${job} on ${machine}`

/**
 * Runs a point.
 *
 * @throws Error if a promise was broken, or a job is not where it should be with the tickets that are due
 */
export async function runPoint({ variant: what, ask, ...context }: Row & { readonly seed: number }): Promise<Ran> {
  const variant = VARIANTS.find((one) => one.what === what)
  if (!variant) {
    const { most, deviation, run } = await evennessOf(ask, context)
    requireNone(problemsOfRun(run))
    return { values: { most, deviation }, cpu: {}, messages: run.messages }
  }
  const isParallel = variant.phases.some(({ jobs }) => jobs.some(({ nodes }) => nodes.length > 1))
  const setting = isParallel ? { ...PARALLEL, ...(variant === ALONE && { spin: null }) } : SEQUENTIAL
  const told = await runVariant(variant, setting, context)
  requireNone(problemsOf(told))
  const used = told.phases.flatMap((phase) =>
    phase.jobs.flatMap(({ job, used }) =>
      job.nodes.map((node, i) => [usedBy(phase.what, job.name, machineName(node)), used[i] ?? 0]),
    ),
  )
  const rate = told.phases[0]?.jobs.find(({ job }) => job.name === 'Z')?.rate ?? 0
  return {
    values: { ...Object.fromEntries(used), rate },
    cpu: Object.fromEntries(told.run.oracle.usage.totals.map(({ job, machine, cpu }) => [`${job} ${machine}`, cpu])),
    messages: told.run.messages,
  }
}

export const runner: Runner<Row, Ran> = {
  module: new URL('./study.ts', import.meta.url),
  // a run of a parallel job takes longest, and asking all machines longer than asking one
  costOf: ({ variant, ask }) => (variant === null ? JOBS * ask : 100 * JOBS),
  ranOf: decoderOf(RAN),
}
