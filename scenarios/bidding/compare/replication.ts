/** One replication of one policy, as a function that `sweep` runs. */
import { POLICY_NAMES } from '../../../actors/bidding/priority.ts'
import { units } from '../../../lib/actor.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { choiceIn, numberIn, numbersIn } from '../../../lib/core/decode.ts'
import { digestOf } from '../../../lib/experiment/digest.ts'
import { requireAll } from '../../../lib/scenario/verdict.ts'
import { ERROR_MODELS, generateJobs } from '../../../lib/workload/generate.ts'
import { withClients } from '../../../lib/workload/job.ts'
import { runMarket } from '../market.ts'
import { PROTOCOLS, termsOf } from '../model.ts'
import { checksOf } from '../oracle.ts'
import { flowsOf } from '../results.ts'

/**
 * Runs one replication. Returns the flow times of all tasks in the order of arrival, the digest of the arrivals, and
 * the number of messages. The random numbers of a task do not depend on the policy, so replications of one seed are
 * pairs.
 *
 * @throws if a promise of the market was broken
 */
export async function replication(point: Plain): Promise<Plain> {
  const protocol = choiceIn(point, 'protocol', PROTOCOLS)
  const seed = numberIn(point, 'seed')
  const speeds = numbersIn(point, 'speeds')
  const latency = units(numberIn(point, 'latency'))
  const errors = choiceIn(point, 'errors', ERROR_MODELS)
  const jobs = generateJobs({ seed, tasks: numberIn(point, 'tasks'), load: numberIn(point, 'load'), speeds, errors })
  const priority = choiceIn(point, 'priority', POLICY_NAMES)
  const clients = ['c1']
  const terms = termsOf(protocol, latency, { priority })
  const market = { protocol, speeds, clients, jobs: withClients(jobs, clients, seed), terms }
  const run = await runMarket(market, { seed, runtime: 'inline', network: { latency } })
  requireAll(checksOf(market, run, false))
  return { arrivals: digestOf(jobs.map(({ arrival }) => arrival)), flows: flowsOf(run.ledger), messages: run.messages }
}
