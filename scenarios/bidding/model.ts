/** The model of a bidding market: its protocol, machines, clients and tasks, and their actors. */
import type { Job as MarketJob } from '../../actors/bidding/client.ts'
import { STANDARD, type Terms } from '../../actors/bidding/terms.ts'
import type { Work } from '../../actors/processor/messages.ts'
import { type Address, type Time, units } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import type { OwnedJob } from '../../lib/workload/job.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

export const PROTOCOLS = ['dsp', 'eager', 'random'] as const

/** A protocol of this project by its name, or the modules of another one. */
export type Protocol = (typeof PROTOCOLS)[number] | { readonly client: URL; readonly contractor: URL }

/** A task of the market. Its client is named by the machine, and its work may be a real call. */
export type MarketTask = Omit<OwnedJob, 'work'> & { readonly work: Work }

/** A bidding market: its machines, its clients with their tasks, and their terms. */
export interface Market {
  readonly protocol: Protocol
  /** The speeds of the machines m1, m2, ... */
  readonly speeds: readonly number[]
  readonly jobs: readonly MarketTask[]
  /** The machines of clients. One of m1, m2, ... is the workstation of its client. */
  readonly clients: readonly string[]
  readonly terms: Terms
  /** The numbers of the only tasks that are announced; default all. */
  readonly only?: readonly number[]
}

/**
 * The terms of a protocol if messages take at most `delay`. A client waits until all bids can have arrived. If
 * contractors do not queue requests, these are repeated. The given terms override all others.
 */
export const termsOf = (protocol: Protocol, delay: Time, given: Partial<Terms> = {}): Terms => ({
  ...STANDARD,
  delay,
  wait: 2 * delay,
  retry: protocol === 'dsp' ? null : 2 * delay + (given.localDelay ?? 0) + units(1),
  ...given,
})

export const machinesOf = ({ speeds }: Pick<Market, 'speeds'>): string[] => speeds.map((_, i) => `m${i + 1}`)

/** All addresses in spawn order: machines first, so that they exist when the first task is announced. */
export const addressesOf = (market: Pick<Market, 'speeds' | 'clients'>): Address[] => [
  ...machinesOf(market).flatMap((machine) => [`processor@${machine}`, `contractor@${machine}`]),
  ...market.clients.map((client) => `client@${client}`),
]

/** The tasks that are announced, each with its number. */
export const comingTasks = ({ jobs, only }: Pick<Market, 'jobs' | 'only'>): (readonly [number, MarketTask])[] =>
  [...jobs.entries()].filter(([task]) => only?.includes(task) ?? true)

const modulesOf = (protocol: Protocol, actors: URL) => {
  if (typeof protocol !== 'string') return protocol
  const folder = new URL(`bidding/${protocol}/`, actors)
  return { client: new URL('client.ts', folder), contractor: new URL('contractor.ts', folder) }
}

/** Spawns all actors of a market. The number of a task is its index in `jobs`. */
export async function open(system: System, market: Market, actors: URL = ACTORS): Promise<void> {
  const { speeds, clients, terms } = market
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
