/** Markets whose theory is known: run by the actors themselves, in one thread and without delays. */
import { type Job, withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { termsOf } from '../../scenarios/bidding/model.ts'
import { flowsOf } from '../../scenarios/bidding/results.ts'

/** Runs a market, and returns the flow time of every job in units, in the order of arrival. */
export async function flowsInMarket(jobs: readonly Job[], speeds: readonly number[], seed: number): Promise<number[]> {
  const clients = ['c1']
  const owned = withClients(jobs, clients, seed)
  const market = { protocol: 'dsp', speeds, clients, jobs: owned, terms: termsOf('dsp', 0) } as const
  const {
    end,
    oracle: { ledger },
  } = await biddingMarket.run(market, { seed, runtime: 'inline' })
  if (end.ended !== 'idle' || ledger.endings.size !== jobs.length) throw new Error('a task did not finish')
  return flowsOf(ledger)
}
