/** Markets whose theory is known: run by the actors themselves, in one thread and without delays. */
import { type Job, withClients } from '../../lib/workload/job.ts'
import { flowsOf, runMarket } from '../../scenarios/bidding/run.ts'

/** Flow of every job in units, in the order of arrival. */
export async function flowsInMarket(jobs: readonly Job[], speeds: readonly number[], seed: number): Promise<number[]> {
  const clients = ['c1']
  const terms = { clash: 'hold', ties: 'random', wait: 0, i0: null, query: null, timeout: null, silence: null } as const
  const market = { speeds, clients, jobs: withClients(jobs, clients, seed), ...terms }
  const { ledger, end } = await runMarket(market, { seed, runtime: 'inline' })
  if (end.ended !== 'idle' || ledger.endings.size !== jobs.length) throw new Error('a task did not finish')
  return flowsOf(ledger)
}
