/** A cluster as the explorer sees it: how to open it, the outcome of its jobs, and its violated invariants. */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Oracle, Violation } from '../../lib/scenario/oracle.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { outcomeOf, type RunOutcome } from '../../lib/scenario/outcome.ts'
import { type Sometime, type Specification, sometime } from '../../lib/scenario/specification.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { type Options, spreadOf } from './flags.ts'
import type { Cluster } from './model.ts'
import { addressesOf, machinesOf, open } from './one-run.ts'
import { Ledger } from './oracle/ledger.ts'
import { rulesOf, termsOf } from './oracle.ts'
import type { Setup } from './setup.ts'
import { baseValues } from './shares.ts'

export interface CheckedCluster {
  readonly cluster: Cluster
  readonly faults: readonly Fault[]
  readonly options: SystemInit
  readonly until: Time
  readonly sometimes?: readonly Sometime[]
  /** Further promises, given all that happened; those that cannot be expected of such a run are left out. */
  readonly promises?: (seen: ObservedRun) => readonly Violation[]
}

export interface ObservedFact {
  readonly fact: Message
  readonly who: Address
  readonly at: Time
}

/** Everything that happened in a run. */
export interface ObservedRun extends RunOutcome {
  /** The jobs that users submitted or had placed. */
  readonly jobs: readonly string[]
  readonly facts: readonly ObservedFact[]
  readonly deaths: readonly { readonly who: Address; readonly at: Time }[]
}

/** The jobs in the users' orders, by their first order. */
const jobsOf = ({ orders }: Cluster): string[] => [
  ...new Set(orders.flatMap(({ message }) => ('job' in message ? message.job : []))),
]

/** The specification of a cluster; its tasks are the jobs that users submit or have placed. */
export function clusterSpecification(play: CheckedCluster): Specification {
  const { cluster, faults, options, until, sometimes = [] } = play
  const jobs = jobsOf(cluster)
  return {
    options,
    faults,
    until,
    addresses: addressesOf(cluster),
    tasks: jobs.length,
    sometimes,
    only: (tasks) => {
      const kept = new Set(tasks.map((n) => jobs[n]))
      const orders = cluster.orders.filter(({ message }) => !('job' in message) || kept.has(message.job))
      return clusterSpecification({ ...play, cluster: { ...cluster, orders } })
    },
    open: async (system) => {
      const watch = new ClusterObserver(play, system)
      await open(system, cluster)
      return watch
    },
  }
}

class ClusterObserver implements Oracle {
  readonly #play: CheckedCluster
  readonly #system: System
  readonly #facts: ObservedFact[] = []
  readonly #deaths: ObservedRun['deaths'][number][] = []
  readonly #ledger: Ledger

  constructor(play: CheckedCluster, system: System) {
    this.#play = play
    this.#system = system
    const { cluster, faults, options } = play
    const terms = termsOf(cluster, faults, options)
    // a message that a schedule holds back may be late by any amount
    const rules = { ...rulesOf(cluster, faults), isPunctual: false }
    this.#ledger = new Ledger(rules, terms && { ...terms, spread: null })
    listen(system, this.#ledger)
    system.onFact((fact, { who, at }) => this.#facts.push({ fact, who, at }))
    system.onDeath(({ address, at }) => this.#deaths.push({ who: address, at }))
  }

  /**
   * What users were told, each in her order; which parallel jobs were given up; and the last tickets on every
   * machine.
   */
  outcome(): string {
    const told = this.#facts.flatMap(({ fact, who }) => (roleOf(who) === 'user' ? `${who}: ${heard(fact)}` : []))
    const over = this.#facts.flatMap(({ fact }) => (fact.type === 'aborted' ? `${fact['job']} given up` : []))
    return [...told.sort(byUser), ...over.sort(), ...this.#tickets()].join(', ')
  }

  /** The times when users were told the ends of their jobs. */
  ends(): ReadonlyMap<string, Time> {
    return new Map(
      this.#facts.flatMap(({ fact, who, at }) =>
        roleOf(who) === 'user' ? [[`${who}: ${heard(fact)}`, at] as const] : [],
      ),
    )
  }

  /** The tickets on each machine at its last tick. */
  #tickets(): string[] {
    const last = new Map<string, string>()
    for (const { fact, who } of this.#facts) {
      if (fact.type === 'ticked') last.set(machineOf(who), JSON.stringify(fact['tickets']))
    }
    return [...last].sort().map(([machine, tickets]) => `${machine} ${tickets}`)
  }

  violations(): Violation[] {
    this.#ledger.close()
    const { promises, cluster } = this.#play
    const seen = { ...outcomeOf(this.#system), jobs: jobsOf(cluster), facts: this.#facts, deaths: this.#deaths }
    return [...this.#ledger.broken, ...(promises?.(seen) ?? [])]
  }
}

/** Finds barriers whose rounds did not open one after the other, among those that never died. */
export function roundsSkipped({ facts, deaths }: ObservedRun): Violation[] {
  const rounds = new Map<Address, number>()
  return facts.flatMap(({ fact, who }) => {
    if (fact.type !== 'opened' || deaths.some((death) => death.who === who)) return []
    const before = rounds.get(who) ?? 0
    const round = Number(fact['round'])
    rounds.set(who, round)
    if (round === before + 1) return []
    return [{ property: 'a barrier opens round after round', text: `${who} opened round ${round} after ${before}` }]
  })
}

/**
 * Compares lines by their users, who hear independently of each other. Sorting is stable, so each user's lines keep
 * their order.
 */
const byUser = (one: string, other: string): number => {
  const [mine, yours] = [one.slice(0, one.indexOf(':')), other.slice(0, other.indexOf(':'))]
  return mine < yours ? -1 : mine > yours ? 1 : 0
}

const heard = ({ type, job, ticket, why }: Message): string =>
  [type, job ?? ticket, why].filter((word) => word !== undefined).join(' ')

/** The rounding error allowed in base values, which are sums of fractions. */
const ROUNDING = 1e-9
/**
 * The number of periods after which all machines know everything again, if a share was lost or a server had forgotten
 * all.
 */
const FORGETTING = 4

export function specificationOf(
  { options, description, cluster, faults }: Setup,
  how: SystemInit,
  actors?: URL,
): Specification {
  const { until, independent, loss, period } = options
  const calm = until - FORGETTING * period - spreadOf(options)
  const isPromised = !independent && loss === 0 && faults.every((fault) => isOver(fault, calm))
  const promises = (seen: ObservedRun) => {
    const isWhole = seen.lost === 0 && seen.dead.size === 0 && seen.deaths.every((death) => isMadeGood(death, calm))
    if (!isPromised || !isWhole || !isFair(seen, options)) return []
    const jobs = description.jobs.filter(({ job }) => seen.jobs.includes(job))
    return wrong(seen, baseValues({ ...description, jobs }))
  }
  return clusterSpecification({
    cluster: { ...cluster, actors },
    faults,
    options: how,
    until,
    promises,
    sometimes: SOMETIMES,
  })
}

const SOMETIMES: readonly Sometime[] = [
  {
    name: 'tick without word of the ticket server',
    isSeen: ({ type, informed }) => type === 'ticked' && informed === false,
  },
  sometime('tickets of a job changed', 'processor', 'funded'),
]

const isOver = (fault: Fault, by: Time): boolean =>
  fault.type === 'partition' ? fault.until <= by : fault.type !== 'pause' || fault.at + fault.duration <= by

/**
 * Whether a death is made good in time: no job is lost with a ticket server, and by its second tick it knows as much
 * as before.
 */
const isMadeGood = ({ who, at }: ObservedRun['deaths'][number], by: Time): boolean =>
  roleOf(who) === 'ticket-server' && at <= by

/**
 * Whether every processor heard from its server in each of the last periods. One whose server is held back for ever
 * gets no table.
 */
function isFair({ facts }: ObservedRun, { machines, until, period }: Options): boolean {
  const last = Math.floor(until / period)
  return machinesOf({ machines }).every((machine) => {
    const heard = facts.filter(
      ({ fact, who }) => fact.type === 'ticked' && fact['informed'] && machineOf(who) === machine,
    )
    const periods = new Set(heard.map(({ at }) => Math.floor(at / period)))
    return Array.from({ length: FORGETTING }, (_, n) => last - 1 - n).every((period) => periods.has(period))
  })
}

/** Finds jobs whose base tickets are wrong in the last table that their processors received. */
function wrong({ facts }: ObservedRun, due: ReadonlyMap<string, number>): Violation[] {
  const last = new Map(
    facts.flatMap(({ fact, who }) =>
      fact.type === 'ticked' && fact['informed'] ? [[who, fact['tickets']] as const] : [],
    ),
  )
  const had = new Map([...last.values()].flatMap((tickets) => Object.entries(tickets ?? {})))
  return [...due].flatMap(([job, value]) =>
    Math.abs(Number(had.get(job) ?? 0) - value) <= ROUNDING
      ? []
      : [
          {
            property: 'in the end every job has its base value',
            text: `${job} has ${had.get(job) ?? 0}, not ${value}`,
          },
        ],
  )
}
