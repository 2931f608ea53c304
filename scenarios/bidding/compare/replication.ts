/** One replication of one policy, as a function that `sweep` runs. */
import * as v from 'valibot'
import type { PolicyName } from '../../../actors/bidding/priority.ts'
import { units } from '../../../lib/actor.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { digestOf } from '../../../lib/experiment/digest.ts'
import { requireAll } from '../../../lib/scenario/verdict.ts'
import { type ErrorModel, generateJobs } from '../../../lib/workload/generate.ts'
import { withClients } from '../../../lib/workload/job.ts'
import { biddingMarket } from '../market.ts'
import { type PROTOCOLS, termsOf } from '../model.ts'
import { checksOf } from '../oracle.ts'
import { flowsOf } from '../results.ts'

type ReplicationPoint = {
  readonly protocol: (typeof PROTOCOLS)[number]
  readonly priority: PolicyName
  readonly seed: number
  readonly tasks: number
  readonly load: number
  readonly speeds: readonly number[]
  readonly errors: ErrorModel
  /** The delay of a message, in units. */
  readonly latency: number
}

const REPLICATION = v.object({
  /** The digest of the arrivals, which are the same for all policies. */
  arrivals: v.string(),
  /** The flow times of all tasks in the order of arrival. */
  flows: v.array(v.number()),
  messages: v.number(),
})

/** Reads a result of `replication`. @throws FieldError if it is something else */
export const replicationIn = decoderOf(REPLICATION)

/**
 * Runs one replication. The random numbers of a task do not depend on the policy, so replications of one seed are pairs.
 *
 * @throws if a promise of the market was broken
 */
export async function replication(point: ReplicationPoint): Promise<v.InferOutput<typeof REPLICATION>> {
  const { protocol, priority, seed, tasks, load, speeds, errors } = point
  const latency = units(point.latency)
  const jobs = generateJobs({ seed, tasks, load, speeds, errors })
  const clients = ['c1']
  const terms = termsOf(protocol, latency, { priority })
  const market = { protocol, speeds, clients, jobs: withClients(jobs, clients, seed), terms }
  const run = await biddingMarket.run(market, { seed, runtime: 'inline', network: { latency } })
  requireAll(checksOf(market, run, false))
  return {
    arrivals: digestOf(jobs.map(({ arrival }) => arrival)),
    flows: flowsOf(run.oracle.ledger),
    messages: run.messages,
  }
}
