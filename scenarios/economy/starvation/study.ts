/** One run of the starvation study, for `sweep`: the wait of a job that all others outbid, and its bounds. */
import * as v from 'valibot'
import { type PresetName, policyOf, STANDARD_SHARING } from '../../../actors/economy/terms.ts'
import { toUnits, units } from '../../../lib/actor.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { sum } from '../../../lib/core/tally.ts'
import { checksOf, requireAll } from '../../../lib/scenario/verdict.ts'
import type { Runner } from '../../study/points.ts'
import type { Economy } from '../model.ts'
import { economyRun } from '../run.ts'
import { boundOf } from './bound.ts'
import { type Crowd, casesOf } from './cases.ts'
import { Purses } from './purses.ts'

/** All that a run depends on but its seed. */
export type Row = Omit<Crowd, 'seed'> & {
  /** The place of the case in `casesOf`. */
  readonly place: number
  readonly preset: PresetName
  /** The dollars per processor-minute by which the job outbids the others. */
  readonly margin: number
}

const RAN = v.object({
  /** Minutes from its arrival to its start; null: it did not start. */
  wait: v.nullable(v.number()),
  /** The bound as printed, in minutes: `funds` are all savings when the job can pay the price (equation 7). */
  printed: v.number(),
  /** The corrected bound: `funds` also include the balances of the expense accounts of others. */
  corrected: v.number(),
  messages: v.number(),
})
export type Ran = v.InferOutput<typeof RAN>

export const runner: Runner<Row, Ran> = {
  module: new URL('./study.ts', import.meta.url),
  costOf: ({ processors, span }) => processors * span,
  ranOf: decoderOf(RAN),
}

/**
 * Runs a point.
 *
 * @throws Error if a promise was broken
 */
export async function runPoint({ seed, place, preset, margin, ...crowd }: Row & Crowd): Promise<Ran> {
  const one = casesOf({ seed, ...crowd })[place]
  const job = one?.jobs[one.job]
  if (!one || !job) throw new Error(`there is no case ${place}`)
  const { processors, users, jobs, rate } = one
  const economy: Economy = {
    processors,
    users,
    jobs,
    policy: policyOf('ECON', preset),
    market: { sharing: STANDARD_SHARING, statistics: null },
    patience: null,
    durable: false,
    overrun: null,
  }
  const circumstances = {
    total: processors,
    processors: job.processors,
    service: toUnits(job.service),
    rate,
    margin,
    longest: toUnits(jobs.reduce((longest, { service }) => Math.max(longest, service), 0)),
    incomes: sum(Object.values(users), ({ income }) => income),
  }
  const { saving } = boundOf({ ...circumstances, funds: 0 })
  const purses = new Purses(users, job.arrival + units(saving))
  const run = await economyRun.run(economy, { seed, runtime: 'inline' }, [], {
    onSystem: (system) => system.onFact((fact, { who, at }) => purses.fold(fact, who, at)),
  })
  requireAll(checksOf(run))
  const start = run.oracle.ledger.jobs.get(job.id)?.started?.at
  const names = Object.keys(users)
  const savings = sum(names, (user) => purses.of(user).savings)
  const expenses = sum(names, (user) => (user === job.user ? 0 : purses.of(user).expenses))
  return {
    wait: start === undefined ? null : toUnits(start - job.arrival),
    printed: boundOf({ ...circumstances, funds: savings }).total,
    corrected: boundOf({ ...circumstances, funds: savings + expenses }).total,
    messages: run.messages,
  }
}
