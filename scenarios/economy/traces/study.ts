/** One run of the comparison, for `sweep`: one policy with all jobs of a source. */
import { mean, median } from 'simple-statistics'
import * as v from 'valibot'
import { EQUAL } from '../../../actors/economy/coefficients.ts'
import { type PolicyName, type PresetName, policyOf, STANDARD_SHARING } from '../../../actors/economy/terms.ts'
import { toUnits, units } from '../../../lib/actor.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { sum } from '../../../lib/core/tally.ts'
import { checksOf, requireAll } from '../../../lib/scenario/verdict.ts'
import type { Runner } from '../../study/points.ts'
import { addressesOf, type Economy } from '../model.ts'
import { type Finished, finishedOf, responseOf, utilisationOf } from '../results.ts'
import { economyRun } from '../run.ts'
import { jobsFrom, type Source } from './source.ts'

/** All that a run depends on but its seed. */
export type Row = Omit<Source, 'seed'> & {
  readonly policy: PolicyName
  readonly preset: PresetName
  readonly processors: number
}

const RAN = v.object({
  jobs: v.number(),
  /** Jobs that need more processors than there are. */
  refused: v.number(),
  /** The mean wait, in minutes. */
  wait: v.number(),
  /** The mean bounded slowdown. */
  slowdown: v.number(),
  /** The utilisation up to the end of the last job. */
  utilisation: v.number(),
  /** Jain's index of the users' mean bounded slowdowns: 1 if all are equal, 1 / users if one has it all. */
  jain: v.number(),
  /** The largest of these means over their median. */
  worst: v.number(),
  messages: v.number(),
})
export type Ran = v.InferOutput<typeof RAN>

export const runner: Runner<Row, Ran> = {
  module: new URL('./study.ts', import.meta.url),
  costOf: () => 1,
  ranOf: decoderOf(RAN),
}

/** The terms of every user. */
const USER = { income: 100, savings: 0, cap: 1_000_000, coefficients: EQUAL, targets: null }

/**
 * Runs a point.
 *
 * @throws Error if an invariant was violated, or no job can run
 */
export async function runPoint(point: Row & { readonly seed: number }): Promise<Ran> {
  const { seed, processors, policy, preset } = point
  const { jobs, users } = jobsFrom(point)
  const economy: Economy = {
    processors,
    jobs,
    policy: policyOf(policy, preset),
    market: policy === 'ECON' ? { sharing: STANDARD_SHARING, statistics: null } : null,
    users: Object.fromEntries(users.map((user) => [user, USER])),
    patience: null,
    durable: false,
    overrun: null,
  }
  const run = await economyRun.run(economy, { seed, runtime: 'inline', actors: addressesOf(economy).length })
  requireAll(checksOf(run))
  const finished = finishedOf(run.oracle)
  if (finished.length === 0) throw new Error(`no job does with ${processors} processors`)
  return {
    jobs: finished.length,
    refused: jobs.length - finished.length,
    wait: mean(finished.map(({ started, arrival }) => toUnits(started.at - arrival))),
    slowdown: mean(finished.map(boundedSlowdown)),
    utilisation: utilisationOf(processors, run.oracle),
    ...fairnessOf(finished),
    messages: run.messages,
  }
}

/** Ten seconds (Feitelson): shorter jobs count as this long, so that they do not dominate the mean slowdown. */
const BOUND = units(1 / 6)

/** The bounded slowdown: response over service, where both are at least the bound. */
export const boundedSlowdown = (story: Finished): number =>
  Math.max(1, responseOf(story) / Math.max(story.request.work, BOUND))

/** Jain's index of positive numbers: (sum x)^2 / (n * sum x^2). */
export function jain(values: readonly number[]): number {
  const total = sum(values)
  return (total * total) / (values.length * sum(values, (value) => value * value))
}

/** The fairness between the users of these jobs; there is at least one job. */
export function fairnessOf(stories: readonly Finished[]): Pick<Ran, 'jain' | 'worst'> {
  const users = [...new Set(stories.map(({ user }) => user))]
  const means = users.map((name) => mean(stories.filter(({ user }) => user === name).map(boundedSlowdown)))
  return { jain: jain(means), worst: Math.max(...means) / median(means) }
}
