/** One policy with all jobs of a source: a study of `sweep`. */
import { mean } from 'simple-statistics'
import { EQUAL } from '../../../actors/economy/coefficients.ts'
import { POLICIES, PRESETS, policyOf, STANDARD_SHARING } from '../../../actors/economy/terms.ts'
import { toUnits } from '../../../lib/actor.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { choiceIn, numberIn, plainIn, textIn } from '../../../lib/core/decode.ts'
import { checksOf, requireAll } from '../../promises.ts'
import { addressesOf, type Economy } from '../model.ts'
import { runEconomy } from '../one-run.ts'
import { finishedOf, utilisationOf } from '../results.ts'
import { boundedSlowdown, type Fairness, fairnessOf } from './fairness.ts'
import { jobsFrom, type Source } from './source.ts'

export type TracePoint = Source & {
  readonly policy: (typeof POLICIES)[number]
  readonly preset: (typeof PRESETS)[number]
  readonly processors: number
}

export type Compared = Readonly<Fairness> & {
  readonly jobs: number
  /** Those that need more processors than there are. */
  readonly refused: number
  /** Mean, in minutes. */
  readonly wait: number
  /** Mean, bounded. */
  readonly slowdown: number
  /** Up to the end of the last job. */
  readonly utilisation: number
  readonly messages: number
}

/** Everybody receives the same. */
const USER = { income: 100, savings: 0, cap: 1_000_000, coefficients: EQUAL, targets: null }

/** Runs a `TracePoint`. @throws if a promise was broken, or no job can run */
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
  const run = await runEconomy(economy, { seed, runtime: 'inline', actors: addressesOf(economy).length })
  requireAll(checksOf(run))
  const finished = finishedOf(run)
  if (finished.length === 0) throw new Error(`no job does with ${processors} processors`)
  const found: Compared = {
    jobs: finished.length,
    refused: jobs.length - finished.length,
    wait: mean(finished.map(({ started, arrival }) => toUnits(started.at - arrival))),
    slowdown: mean(finished.map(boundedSlowdown)),
    utilisation: utilisationOf(processors, run),
    ...fairnessOf(finished),
    messages: run.messages,
  }
  return found
}

/** What `compare` returned, wherever it has been since. @throws FieldError if it is something else */
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
