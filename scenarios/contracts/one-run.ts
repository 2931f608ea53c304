/** One run of the contracts market: spawns its actors, runs the system to its end and returns what the oracle saw. */
import type { BrokerInput } from '../../actors/contracts/broker-state.ts'
import type { ClientInput } from '../../actors/contracts/client-state.ts'
import type { SiteInput } from '../../actors/contracts/site-state.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { type Hooks, runScenario } from '../../lib/scenario/run-scenario.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import type { Watched } from '../promises.ts'
import { BROKER, type ContractsMarket, clientsOf, processorsOf, siteOf } from './model.ts'
import type { Ledger } from './oracle/ledger.ts'
import { Watch } from './oracle.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

/** Spawns all actors. */
export async function open(system: System, market: ContractsMarket): Promise<void> {
  const { sites, broker, tasks, clients, patience, claimCap, actors = ACTORS } = market
  const at = (module: string) => new URL(module, actors)
  const spawns = sites.flatMap(({ processors, ...terms }, i) => {
    const own = processorsOf(i, processors)
    const input: SiteInput = { ...terms, processors: own, patience }
    return [
      ...own.map((address) => system.spawn(address, at('processor/processor.ts'), { speed: 1 })),
      system.spawn(siteOf(i), at('contracts/site.ts'), input),
    ]
  })
  const brokerInput: BrokerInput = { ...broker, patience, sites: sites.map((_, i) => siteOf(i)) }
  spawns.push(system.spawn(BROKER, at('contracts/broker.ts'), brokerInput))
  for (const [i, client] of clientsOf(clients).entries()) {
    const own = tasks.filter(({ task }) => task % (clients ?? 1) === i)
    const input: ClientInput = { tasks: own, broker: BROKER, patience, claimCap }
    spawns.push(system.spawn(client, at('contracts/client.ts'), input))
  }
  await Promise.all(spawns)
}

export interface ContractsRun extends Watched {
  readonly ledger: Ledger
}

/** Runs a market until nothing is left to do, and stops it. A task counts as done when it is paid, or has no site. */
export async function runContracts(
  market: ContractsMarket,
  options: SystemInit,
  faults: readonly Fault[] = [],
  hooks: Hooks = {},
): Promise<ContractsRun> {
  const watch = new Watch(market, options, faults)
  const played = await runScenario({
    ...hooks,
    options,
    faults,
    open: async (system) => {
      listen(system, watch)
      await open(system, market)
    },
    isDone: ({ type }) => type === 'paid' || type === 'unplaced',
  })
  return { ledger: watch.ledger, broken: watch.broken(played), ...played }
}
