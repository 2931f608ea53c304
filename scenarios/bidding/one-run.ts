/** One run of a bidding market: spawns its actors, runs the system to its end and returns the ledger. */
import type { Job as MarketJob } from '../../actors/bidding/client.ts'
import { toUnits } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { type Hooks, type RunResult, runScenario } from '../../lib/scenario/run-scenario.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { comingTasks, type Market, machinesOf, type Protocol } from './model.ts'
import { isClientFact, Ledger } from './oracle/ledger.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

const modulesOf = (protocol: Protocol, actors: URL) => {
  if (typeof protocol !== 'string') return protocol
  const folder = new URL(`bidding/${protocol}/`, actors)
  return { client: new URL('client.ts', folder), contractor: new URL('contractor.ts', folder) }
}

export interface MarketRun extends RunResult {
  readonly ledger: Ledger
}

/** Spawns all actors of a market. The number of a task is its index in `jobs`. */
export async function open(system: System, market: Market): Promise<void> {
  const { speeds, clients, terms, actors = ACTORS } = market
  const processor = new URL('processor/processor.ts', actors)
  const modules = modulesOf(market.protocol, actors)
  const spawns = machinesOf(market).flatMap((machine, i) => {
    const speed = speeds[i] ?? 1
    const owner = terms.priority === 'incentive' && clients.includes(machine) ? { owner: `client@${machine}` } : {}
    return [
      system.spawn(`processor@${machine}`, processor, { speed }),
      system.spawn(`contractor@${machine}`, modules.contractor, { index: i + 1, speed, terms, ...owner }),
    ]
  })
  const tasks = new Map<string, MarketJob[]>(clients.map((client) => [client, []]))
  for (const [number, { id: _, client, ...job }] of comingTasks(market)) {
    tasks.get(client)?.push({ id: number, ...job })
  }
  for (const [client, mine] of tasks) {
    spawns.push(system.spawn(`client@${client}`, modules.client, { tasks: mine, terms }))
  }
  await Promise.all(spawns)
}

/** Runs a market until nothing is left to do, and stops it. A task counts as done when its client has the result. */
export async function runMarket(
  market: Market,
  options: SystemInit,
  faults: readonly Fault[] = [],
  hooks: Hooks = {},
): Promise<MarketRun> {
  const ledger = new Ledger()
  const played = await runScenario({
    ...hooks,
    options,
    faults,
    open: async (system) => {
      listen(system, ledger)
      await open(system, market)
    },
    isDone: (fact, who) => isClientFact(fact, who) && fact.type === 'done',
  })
  return { ledger, ...played }
}

/** The flow time of every finished task in units, in the order of arrival. */
export const flowsOf = (ledger: Ledger): number[] =>
  [...ledger.endings.values()].sort((a, b) => a.task - b.task).map(({ flow }) => toUnits(flow))
