/**
 * One run of a cluster that shares its processors: a time-shared processor and a ticket server on each machine, users
 * who say which jobs run where, and further actors.
 *
 * ```ts const cluster = { machines: 2, sharing: cooperating({ A: 100, B: 100 }, { every: units(1000), patience: 0 }),
 * orders: [runs('A.1', 'm1', { currency: 'A' }), runs('A.2', 'm2', { currency: 'A' }), runs('B.1', 'm2', { currency:
 * 'B' })], } const cuts = [units(2000)] const { usage } = await runCluster(cluster, { runtime: 'inline' }, { until:
 * units(10_000), cuts }) usage.between(units(2000), Infinity, (job) => job.startsWith('A'))   // A's processor time ```
 */
import type { Program } from '../../actors/processor/jobs.ts'
import type { ProcessorInput } from '../../actors/processor/processor.ts'
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import type { TicketServerInput } from '../../actors/shares/tickets/ticket-server.ts'
import type { UserInput } from '../../actors/shares/user.ts'
import { type Address, type Message, machineOf, type Time, toUnits } from '../../lib/actor.ts'
import { csvText } from '../../lib/core/csv.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { type RunResult, runScenario } from '../../lib/scenario/run-scenario.ts'
import type { FactAbout, System, SystemInit } from '../../lib/system.ts'
import type { Cluster, Said } from './model.ts'
import { Ledger } from './oracle/ledger.ts'
import { promisesOf, rulesOf, termsOf } from './oracle.ts'
import { Usage } from './usage.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

/** The standard processor, in a cluster whose ticket servers know each other. */
export const cooperating = (funding: Sharing['funding'], tick: NonNullable<Sharing['tick']>): Sharing => ({
  ...STANDARD,
  funding,
  tick,
})

/** The standard processor, in a cluster without ticket servers. */
export const independent = (funding: Sharing['funding']): Sharing => ({ ...STANDARD, funding })

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

/** Spawns all actors of a cluster. */
export async function open(system: System, cluster: Cluster): Promise<void> {
  const { sharing, orders, others = [], actors = ACTORS } = cluster
  const { funding, tick } = sharing
  const moduleOf = (path: string) => new URL(path, actors)
  const processor: ProcessorInput = { speed: 1, sharing }
  const spawns = machinesOf(cluster).flatMap((machine) => {
    const spawned = [system.spawn(`processor@${machine}`, moduleOf('processor/processor.ts'), processor)]
    if (!tick) return spawned
    const server: TicketServerInput = { keep: promisesOf(tick.every), funding }
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

export interface ClusterRunOptions {
  /** When to stop; required for programs that never end. */
  readonly until?: Time
  readonly faults?: readonly Fault[]
  /** The instants that divide the usage into spans. */
  readonly cuts?: readonly Time[]
  readonly onSystem?: (system: System) => void
  /** Called with every fact, after it was folded. */
  readonly onFact?: (fact: Message, about: FactAbout, usage: Usage) => void
}

export interface ClusterRun extends RunResult {
  readonly usage: Usage
  /** The orders that were refused, and why. */
  readonly refusals: readonly string[]
  /** Broken promises of proportional share (spec, section 11); not checked in real time. */
  readonly broken: readonly string[]
  /** How many jobs were checked for I4 and I9. */
  readonly looked: Ledger['looked']
}

/** Runs a cluster, and stops it. */
export async function runCluster(
  cluster: Cluster,
  options: SystemInit,
  course: ClusterRunOptions = {},
): Promise<ClusterRun> {
  const { until, faults = [], cuts = [], onSystem, onFact } = course
  const usage = new Usage(cuts)
  const refusals: string[] = []
  const ledger = new Ledger(rulesOf(cluster, faults), termsOf(cluster, faults, options))
  const played = await runScenario({
    options,
    faults,
    until,
    onSystem,
    open: async (system) => {
      if (options.time !== 'real') listen(system, ledger)
      system.onFact((fact, about) => {
        usage.fold(fact, about.who, about.at)
        if (fact.type === 'refused') {
          refusals.push(`${machineOf(about.who)}: ${fact['job'] ?? fact['ticket']}: ${fact['reason']}`)
        }
        onFact?.(fact, about, usage)
      })
      await open(system, cluster)
    },
  })
  ledger.close()
  return { usage, refusals, broken: ledger.violations, looked: ledger.looked, ...played }
}

/** A line per job and machine: milliseconds of processor time. */
export const cpuCsv = ({ usage }: Pick<ClusterRun, 'usage'>): string =>
  csvText([['job', 'machine', 'cpu'], ...usage.totals.map(({ job, machine, cpu }) => [job, machine, toUnits(cpu)])])
