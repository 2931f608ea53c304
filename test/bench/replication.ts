/** One replication of a study: an inline DSP market whose jobs are drawn from the seed of the point. */
import type { Plain } from '../../lib/core/data.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { termsOf } from '../../scenarios/bidding/model.ts'

const clients = ['c1']
const speeds = [4, 1, 1, 1, 1]
export const TASKS = 8

export async function replication(seed: Plain): Promise<Plain> {
  const jobs = withClients(
    generateJobs({ seed: Number(seed), tasks: TASKS, load: 0.5, speeds, errors: 'perfect' }),
    clients,
    1,
  )
  const market = { protocol: 'dsp', speeds, clients, jobs, terms: termsOf('dsp', 0) } as const
  const {
    oracle: { ledger },
  } = await biddingMarket.run(market, { runtime: 'inline', seed: Number(seed), memoryMB: 1, actors: 15 }, [])
  return ledger.endings.size
}
