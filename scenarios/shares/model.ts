/**
 * The model of a cluster of workstations that users share: a time-shared processor and a ticket server on each machine,
 * users who say which jobs run where, and further actors.
 */
import type { Program } from '../../actors/processor/jobs.ts'
import type { ProcessorInput } from '../../actors/processor/node.ts'
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import type { TicketServerInput } from '../../actors/shares/tickets/ticket-server.ts'
import type { Order, UserInput } from '../../actors/shares/user.ts'
import type { Address, Plain, Time } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

/** A cluster: its machines, and the orders of its users. */
export interface Cluster {
  /** The number of machines m1, m2, ..., all of speed 1. */
  readonly machines: number
  /** How every processor shares its time. With ticks, each machine has a ticket server too. */
  readonly sharing: Sharing
  /** The orders of the users, in any order. */
  readonly orders: readonly Said[]
  /** Further actors; spawned after the machines and before the users. */
  readonly others?: readonly Other[]
  /** The end of the run; required for jobs that never end. */
  readonly until?: Time | undefined
  /** When shares have settled, which is the beginning of the measured time (default 0). */
  readonly settled?: Time
  /** The instants that divide the use of the processors into spans. */
  readonly cuts?: readonly Time[]
}

/** An order, and the user (`user@...`) who gives it. */
export type Said = Order & { readonly user: Address }

export interface Other {
  readonly address: Address
  /** The path of its module below `actors/`. */
  readonly module: string
  readonly input: Plain
}

/** The standard processor, in a cluster whose ticket servers know each other. */
export const cooperating = (funding: Sharing['funding'], tick: NonNullable<Sharing['tick']>): Sharing => ({
  ...STANDARD,
  funding,
  tick,
})

export interface Job {
  readonly currency: string
  /** The number of tickets; default 1. */
  readonly amount?: number
  /** When the job is submitted; default 0. */
  readonly at?: Time
  /** By default the job computes for ever. */
  readonly program?: Program
  /** The submitting user; by default one at the machine itself, whose order arrives without delay. */
  readonly user?: Address
}

const FOR_EVER: Program = { kind: 'compute', work: null }

/** The order to run a job on a machine. */
export function runs(
  job: string,
  machine: string,
  { currency, amount = 1, at = 0, program = FOR_EVER, user }: Job,
): Said {
  return {
    at,
    user: user ?? `user@${machine}`,
    to: `processor@${machine}`,
    message: { type: 'submit', job, currency, amount, program },
  }
}

export const machinesOf = ({ machines }: Pick<Cluster, 'machines'>): string[] =>
  Array.from({ length: machines }, (_, i) => `m${i + 1}`)

const usersOf = ({ orders }: Pick<Cluster, 'orders'>): Address[] => [...new Set(orders.map(({ user }) => user))]

/** The addresses of all actors, in spawn order. */
export const addressesOf = (cluster: Cluster): Address[] => [
  ...machinesOf(cluster).flatMap((machine) => [
    `processor@${machine}`,
    ...(cluster.sharing.tick ? [`ticket-server@${machine}`] : []),
  ]),
  ...(cluster.others ?? []).map(({ address }) => address),
  ...usersOf(cluster),
]

/** The number of periods that a peer's report counts. */
const KEPT_PERIODS = 3

/** How long the last report of a silent peer counts. */
export const keepOf = (period: Time): Time => KEPT_PERIODS * period

/** Spawns all actors of a cluster. */
export async function open(system: System, cluster: Cluster, actors: URL = ACTORS): Promise<void> {
  const { sharing, orders, others = [] } = cluster
  const { funding, tick } = sharing
  const moduleOf = (path: string) => new URL(path, actors)
  const processor: ProcessorInput = { speed: 1, sharing }
  const spawns = machinesOf(cluster).flatMap((machine) => {
    const spawned = [system.spawn(`processor@${machine}`, moduleOf('processor/processor.ts'), processor)]
    if (!tick) return spawned
    const server: TicketServerInput = { keep: keepOf(tick.every), funding }
    return [...spawned, system.spawn(`ticket-server@${machine}`, moduleOf('shares/tickets/ticket-server.ts'), server)]
  })
  for (const { address, module, input } of others) spawns.push(system.spawn(address, moduleOf(module), input))
  for (const user of usersOf(cluster)) {
    const own = orders.filter((order) => order.user === user).sort((one, other) => one.at - other.at)
    const input: UserInput = { orders: own.map(({ user: _, ...order }) => order) }
    spawns.push(system.spawn(user, moduleOf('shares/user.ts'), input))
  }
  await Promise.all(spawns)
}

/** The jobs in the users' orders, by their first order. */
export const jobsOf = ({ orders }: Cluster): string[] => [
  ...new Set(orders.flatMap(({ message }) => ('job' in message ? message.job : []))),
]

/** What the definitions of all scenarios of a cluster have in common; their tasks are the jobs that users order. */
export const onCluster = {
  addresses: addressesOf,
  open,
  until: ({ until }: Cluster) => until,
  tasks: {
    name: 'job',
    of: (cluster: Cluster) => [...jobsOf(cluster).keys()],
    only: <C extends Cluster>(cluster: C, numbers: readonly number[]): C => {
      const kept = new Set(jobsOf(cluster).filter((_, i) => numbers.includes(i)))
      const orders = cluster.orders.filter(({ message }) => !('job' in message) || kept.has(message.job))
      return { ...cluster, orders }
    },
  },
}
