/** One run of the comparison, for `sweep`: one policy with all jobs of a source. */
import { mean, median } from 'simple-statistics'
import { EQUAL } from '../../../actors/economy/coefficients.ts'
import { POLICIES, PRESETS, policyOf, STANDARD_SHARING } from '../../../actors/economy/terms.ts'
import { toUnits, units } from '../../../lib/actor.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { choiceIn, numberIn, plainIn, textIn } from '../../../lib/core/decode.ts'
import { checksOf, requireAll } from '../../../lib/scenario/verdict.ts'
import { addressesOf, type Economy } from '../model.ts'
import { type Finished, finishedOf, responseOf, utilisationOf } from '../results.ts'
import { economyRun } from '../run.ts'
import { jobsFrom, type Source } from './source.ts'

export type TracePoint = Source & {
  readonly policy: (typeof POLICIES)[number]
  readonly preset: (typeof PRESETS)[number]
  readonly processors: number
}

export type Compared = Readonly<Fairness> & {
  readonly jobs: number
  /** Jobs that need more processors than there are. */
  readonly refused: number
  /** The mean wait, in minutes. */
  readonly wait: number
  /** The mean bounded slowdown. */
  readonly slowdown: number
  /** The utilisation up to the end of the last job. */
  readonly utilisation: number
  readonly messages: number
}

/** The terms of every user. */
const USER = { income: 100, savings: 0, cap: 1_000_000, coefficients: EQUAL, targets: null }

/**
 * Runs a `TracePoint`.
 *
 * @throws Error if an invariant was violated, or no job can run
 */
export async function compare(point: Plain): Promise<Plain> {
  const read = (key: string) => numberIn(point, key)
  const file = plainIn(point, 'file') === null ? null : textIn(point, 'file')
  const first = plainIn(point, 'first') === null ? null : read('first')
  const seed = read('seed')
  const { jobs, users } = jobsFrom({
    file,
    first,
    seed,
    stretch: read('stretch'),
    load: read('load'),
    span: read('span'),
  })
  const processors = read('processors')
  const policy = choiceIn(point, 'policy', POLICIES)
  const economy: Economy = {
    processors,
    jobs,
    policy: policyOf(policy, choiceIn(point, 'preset', PRESETS)),
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
  const found: Compared = {
    jobs: finished.length,
    refused: jobs.length - finished.length,
    wait: mean(finished.map(({ started, arrival }) => toUnits(started.at - arrival))),
    slowdown: mean(finished.map(boundedSlowdown)),
    utilisation: utilisationOf(processors, run.oracle),
    ...fairnessOf(finished),
    messages: run.messages,
  }
  return found
}

/**
 * Decodes a result of `compare`, which may come from another process or a file.
 *
 * @throws FieldError if a field is missing or wrong
 */
export const comparedIn = (measured: Plain): Compared => ({
  jobs: numberIn(measured, 'jobs'),
  refused: numberIn(measured, 'refused'),
  wait: numberIn(measured, 'wait'),
  slowdown: numberIn(measured, 'slowdown'),
  utilisation: numberIn(measured, 'utilisation'),
  jain: numberIn(measured, 'jain'),
  worst: numberIn(measured, 'worst'),
  messages: numberIn(measured, 'messages'),
})

/** Ten seconds (Feitelson): shorter jobs count as this long, so that they do not dominate the mean slowdown. */
const BOUND = units(1 / 6)

/** The bounded slowdown: response over service, where both are at least the bound. */
export const boundedSlowdown = (story: Finished): number =>
  Math.max(1, responseOf(story) / Math.max(story.request.work, BOUND))

export interface Fairness {
  /** Jain's index of the users' mean bounded slowdowns: 1 if all are equal, 1 / users if one has it all. */
  readonly jain: number
  /** The largest of these means over their median. */
  readonly worst: number
}

/** Jain's index of positive numbers: (sum x)^2 / (n * sum x^2). */
export function jain(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  const squares = values.reduce((total, value) => total + value * value, 0)
  return (sum * sum) / (values.length * squares)
}

/** The fairness between the users of these jobs; there is at least one job. */
export function fairnessOf(stories: readonly Finished[]): Fairness {
  const users = [...new Set(stories.map(({ user }) => user))]
  const means = users.map((name) => mean(stories.filter(({ user }) => user === name).map(boundedSlowdown)))
  return { jain: jain(means), worst: Math.max(...means) / median(means) }
}
