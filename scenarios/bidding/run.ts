/** One run of a bidding market: a system, its actors, and what came of it. */
import type { Job as MarketJob } from '../../actors/bidding/client.ts'
import { isClientFact, Ledger } from '../../actors/bidding/ledger.ts'
import { STANDARD, type Terms } from '../../actors/bidding/terms.ts'
import type { Work } from '../../actors/processor/messages.ts'
import { type Address, type Time, toUnits, units } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { type Hooks, type RunResult, runScenario } from '../../lib/scenario/run-scenario.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import type { OwnedJob } from '../../lib/workload/job.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

export const PROTOCOLS = ['dsp', 'eager', 'random'] as const

/** One of ours by its name, or the modules of somebody else's. */
export type Protocol = (typeof PROTOCOLS)[number] | { readonly client: URL; readonly contractor: URL }

const modulesOf = (protocol: Protocol, actors: URL) => {
  if (typeof protocol !== 'string') return protocol
  const folder = new URL(`bidding/${protocol}/`, actors)
  return { client: new URL('client.ts', folder), contractor: new URL('contractor.ts', folder) }
}

/** Has its client, the machine's name; what there is to do may be real. */
export type MarketTask = Omit<OwnedJob, 'work'> & { readonly work: Work }

export interface Market {
  readonly protocol: Protocol
  /** One machine each: m1, m2, ... */
  readonly speeds: readonly number[]
  readonly jobs: readonly MarketTask[]
  /** Machines of clients; one of m1, m2, ... is the workstation of that client. */
  readonly clients: readonly string[]
  readonly terms: Terms
  /** A copy of `actors/`, to be run in its place. */
  readonly actors?: URL | undefined
  /** The only tasks that come, by their numbers; default all. */
  readonly only?: readonly number[]
}

/**
 * The terms of a protocol where messages take at most `delay`: who evaluates bids waits until all can be in, and where no
 * contractor remembers a request it is repeated, which the terms may do more or less often.
 */
export const termsOf = (protocol: Protocol, delay: Time, given: Partial<Terms> = {}): Terms => ({
  ...STANDARD,
  delay,
  wait: 2 * delay,
  retry: protocol === 'dsp' ? null : 2 * delay + (given.localDelay ?? 0) + units(1),
  ...given,
})

export interface MarketRun extends RunResult {
  readonly ledger: Ledger
}

export const machinesOf = ({ speeds }: Pick<Market, 'speeds'>): string[] => speeds.map((_, i) => `m${i + 1}`)

/** The actors of a market in spawn order: machines first, so that they are there when the first task is announced. */
export const addressesOf = (market: Pick<Market, 'speeds' | 'clients'>): Address[] => [
  ...machinesOf(market).flatMap((machine) => [`processor@${machine}`, `contractor@${machine}`]),
  ...market.clients.map((client) => `client@${client}`),
]

/** The tasks that come, each with its number. */
export const comingTasks = ({ jobs, only }: Pick<Market, 'jobs' | 'only'>): (readonly [number, MarketTask])[] =>
  [...jobs.entries()].filter(([task]) => only?.includes(task) ?? true)

/** Spawns everybody. Tasks are numbered by their place in `jobs`, from 0. */
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

/** Runs a market until nothing is left to do, and stops it. A task is over when it is done for its client. */
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
    watcher: ledger,
    open: (system) => open(system, market),
    isDone: (fact, who) => isClientFact(fact, who) && fact.type === 'done',
  })
  return { ledger, ...played }
}

/** Flow of every finished task in units, in the order of arrival. */
export const flowsOf = (ledger: Ledger): number[] =>
  [...ledger.endings.values()].sort((a, b) => a.task - b.task).map(({ flow }) => toUnits(flow))
