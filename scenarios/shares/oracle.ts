/** The oracle of a cluster: the promises that it makes according to its model and its planned faults, and what happened. */
import type { Funding, JobFact } from '../../actors/processor/jobs.ts'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import { isDeviations } from '../../lib/actor/schedule.ts'
import { type Address, type Message, machineOf, roleOf, type Time, toUnits } from '../../lib/actor.ts'
import { csvText } from '../../lib/core/csv.ts'
import type { Circumstances } from '../../lib/scenario/definition.ts'
import { endOfFault, type Fault } from '../../lib/scenario/faults.ts'
import { Monitors, type NamedPromise, type Oracle, type Violation } from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import type { SystemInit } from '../../lib/system.ts'
import { toldOnce } from '../told-once.ts'
import { type Cluster, keepOf, type Said } from './model.ts'
import { barriersOf, membersOf, roundAfterRound } from './oracle/barriers.ts'
import { BaseValues } from './oracle/base-values.ts'
import type { Asked, Spread, Terms } from './oracle/currency-audit.ts'
import { decisionsOf } from './oracle/decision-audit.ts'
import { Ledger } from './oracle/ledger.ts'
import { placementsOf } from './oracle/placements.ts'
import type { Rules } from './oracle/processor-audit.ts'
import { solvencyOf } from './oracle/solvency.ts'
import { chargedStayOf, Usage } from './usage.ts'

export function rulesOf({ sharing, orders }: Cluster, faults: readonly Fault[]): Rules {
  const { credit } = sharing
  const declines = new Set(
    orders.flatMap(({ message }) => ('borrows' in message && message.borrows === false ? [message.job] : [])),
  )
  return {
    sharing,
    isPunctual: !faults.some(({ type }) => type === 'pause'),
    cap: credit.policy === 'system' ? credit.cap : 100,
    borrows: credit.policy === 'loan' ? (job) => !declines.has(job) : null,
  }
}

type Network = Pick<SystemInit, 'network' | 'reliable'>

/** The terms of the currencies; null without ticket servers. */
export function termsOf(
  { sharing: { funding, tick, credit }, orders }: Cluster,
  faults: readonly Fault[],
  options: Network,
): Terms | null {
  if (!tick) return null
  return {
    funding,
    held: heldIn(orders),
    asked: askedIn(orders),
    countsSleepers: credit.policy !== 'none',
    spread: spreadOf(tick.every, faults, options),
  }
}

/**
 * What jobs hold according to the users' orders. Jobs that are funded or suspended are left out: no fact tells when
 * tickets were changed, or what becomes of a suspended sleeper.
 */
export function heldIn(orders: readonly Said[]): ReadonlyMap<string, Funding> {
  const held = new Map(
    orders.flatMap(({ message }) =>
      message.type === 'submit' || message.type === 'place' ? [[message.job, message] as const] : [],
    ),
  )
  for (const { message } of orders) {
    if (message.type === 'fund' || message.type === 'suspend') held.delete(message.job)
  }
  return held
}

const askedIn = (orders: readonly Said[]): ReadonlyMap<string, Asked> =>
  new Map(
    orders.flatMap(({ at, to, message }) =>
      message.type === 'issue' ? [[message.ticket, { ...message, at, machine: machineOf(to) }] as const] : [],
    ),
  )

/**
 * The bounds on how fast reports travel; null if there are none, because messages are lost or sent again, or take so
 * long that a report is too old when it arrives.
 */
function spreadOf(period: Time, faults: readonly Fault[], { network, reliable }: Network): Spread | null {
  const { latency, jitter, loss } = { ...PERFECT_NETWORK, ...network }
  const delay = latency + jitter
  const keep = keepOf(period)
  if (loss > 0 || reliable || period + delay > keep) return null
  const disturbed = faults.flatMap((fault) => {
    if (fault.type === 'pause') return [{ from: fault.at, until: fault.at + fault.duration }]
    return 'sides' in fault ? [{ from: fault.at, until: endOfFault(fault) }] : []
  })
  return { period, delay, keep, disturbed }
}

/**
 * The ledger of a run. Where a schedule holds messages back, or real time passes, they may be late by any amount, and
 * quanta may be longer.
 */
function ledgerOf(cluster: Cluster, { faults, options }: Circumstances): Ledger {
  const { scheduler, schedule, time } = options
  const isExact = time === 'virtual' && scheduler === null && !isDeviations(schedule)
  const [rules, terms] = [rulesOf(cluster, faults), termsOf(cluster, faults, options)]
  const decisions = decisionsOf(cluster)
  if (isExact) return new Ledger(rules, terms, decisions)
  return new Ledger({ ...rules, isPunctual: false }, terms && { ...terms, spread: null }, decisions)
}

const isTicked = (fact: Message): fact is Extract<JobFact, { type: 'ticked' }> => fact.type === 'ticked'

/** Watches a run of a cluster. No actor knows of it. */
export class ClusterOracle implements Oracle {
  readonly usage: Usage
  /** The processor time including the switches before it, which the incoming process is charged for. */
  readonly charged: Usage
  /** The orders that were refused, and why. */
  readonly refusals: string[] = []
  /** The base tickets of the jobs on each machine at its last tick. */
  readonly tickets = new Map<string, Readonly<Record<string, number>>>()
  /** The number of periods whose shares were shown while the run went on. */
  shown = 0
  readonly #ledger: Ledger
  readonly #values: BaseValues
  readonly #promises: Monitors
  /** What users were told, and when. */
  readonly #told: { readonly user: Address; readonly line: string; readonly at: Time }[] = []
  readonly #aborted: string[] = []

  constructor(cluster: Cluster, circumstances: Circumstances) {
    this.usage = new Usage(cluster.cuts)
    this.charged = new Usage(cluster.cuts, chargedStayOf)
    this.#ledger = ledgerOf(cluster, circumstances)
    this.#values = new BaseValues(cluster, circumstances)
    this.#promises = new Monitors([
      ...toldOnce(circumstances),
      roundAfterRound,
      ...barriersOf(cluster),
      ...membersOf(circumstances),
      ...placementsOf(cluster),
      ...solvencyOf(cluster),
    ])
  }

  /** How many jobs were checked for I4 and I9. */
  get looked(): Ledger['looked'] {
    return this.#ledger.looked
  }

  fold(fact: Message, who: Address, at: Time): void {
    this.#ledger.fold(fact, who, at)
    this.#promises.fold(fact, who, at)
    this.usage.fold(fact, who, at)
    this.charged.fold(fact, who, at)
    const { type, job, ticket } = fact
    if (type === 'refused') {
      this.refusals.push(`${machineOf(who)}: ${job ?? ticket}: ${fact['reason']}`)
      this.#values.refused(String(job ?? ticket))
    } else if (type === 'issued') this.#values.issued(String(ticket))
    else if (type === 'aborted') this.#aborted.push(`${job} given up`)
    else if (isTicked(fact)) {
      this.tickets.set(machineOf(who), fact.tickets)
      this.#values.ticked(fact, machineOf(who), at)
    }
    if (roleOf(who) === 'user') this.#told.push({ user: who, line: heard(fact), at })
  }

  died(who: Address, at: Time): void {
    this.#ledger.died(who, at)
    this.#promises.died(who, at)
    this.#values.died(who, at)
  }

  /** What users were told, each in her order; which parallel jobs were given up; and the last tickets on every machine. */
  outcome(): string {
    const told = this.#told.toSorted((one, other) => (one.user < other.user ? -1 : one.user > other.user ? 1 : 0))
    const tickets = [...this.tickets].map(([machine, own]) => `${machine} ${JSON.stringify(own)}`)
    return [...told.map(({ user, line }) => `${user}: ${line}`), ...this.#aborted.toSorted(), ...tickets.sort()].join(
      ', ',
    )
  }

  /** The times when users were told the ends of their jobs. */
  ends(): ReadonlyMap<string, Time> {
    return new Map(this.#told.map(({ user, line, at }) => [`${user}: ${line}`, at]))
  }

  promises(): readonly NamedPromise[] {
    return this.#promises.promises()
  }

  brokenSoFar(outcome: RunOutcome): Violation[] {
    return [...this.#ledger.brokenIn(outcome), ...this.#promises.brokenSoFar(outcome)]
  }

  violations(outcome: RunOutcome): Violation[] {
    this.#ledger.close()
    return [
      ...this.#ledger.brokenIn(outcome),
      ...this.#values.violations(outcome),
      ...this.#promises.violations(outcome),
    ]
  }

  /** A line per job and machine: milliseconds of processor time. */
  get cpuCsv(): string {
    return csvText([
      ['job', 'machine', 'cpu'],
      ...this.usage.totals.map(({ job, machine, cpu }) => [job, machine, toUnits(cpu)]),
    ])
  }
}

const heard = ({ type, job, ticket, why }: Message): string =>
  [type, job ?? ticket, why].filter((word) => word !== undefined).join(' ')
