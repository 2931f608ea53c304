/**
 * Checks that jobs are worth what their currencies are, from what the processors and users of a whole cluster observe
 * in virtual time (spec, section 11).
 *
 * I4: at a tick by which every machine must have heard of every other's jobs, each job has its part of its currency.
 * Jobs on all machines hold such parts, so all jobs together are worth as much as the funding of all currencies with
 * jobs. This is checked only when it must be so; see `Calm`. Without credit a process that falls asleep gives up its
 * part. If that happens all the time, the state is never known everywhere, and nothing is checked.
 *
 * I9: at a tick without an answer from its ticket server, a machine's jobs are worth as much as if there were no
 * others.
 */

import { type View, worth } from '../../../actors/processor/currencies.ts'
import type { Backing, Funding, JobFact } from '../../../actors/processor/jobs.ts'
import { type Address, type Message, machineOf, roleOf, type Time, toUnits } from '../../../lib/actor.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import { violationOf } from './invariants.ts'
import { isNear } from './rounding.ts'

export interface Terms {
  /** The base tickets that fund each currency. */
  readonly funding: View['funding']
  /** The tickets that each process of a job holds. A machine with a job that is missing here is not checked. */
  readonly held: ReadonlyMap<string, Funding>
  /** The tickets between currencies that users ask for, by name. */
  readonly asked: ReadonlyMap<string, Asked>
  /** Whether a sleeper's amount counts as issued. */
  readonly countsSleepers: boolean
  /** The bounds on how fast reports travel; null: machines may not know of each other's jobs for any time. */
  readonly spread: Spread | null
}

export type Asked = Backing & {
  readonly at: Time
  /** The machine of the ticket server that is asked; it tells the others of a ticket with the reports of its processor. */
  readonly machine?: string
}

type Ticked = Extract<JobFact, { type: 'ticked' }>

/** The tickets that a processor observes at a tick. */
interface Tick {
  readonly machine: string
  readonly tickets: Ticked['tickets']
}

interface Machine {
  /** The jobs on the machine, and those of them that sleep. */
  readonly jobs: Set<string>
  readonly asleep: Set<string>
  /** Whether the ticket server answered at the last tick; null: there was none. */
  informed: boolean | null
  /** The tickets between currencies that the machine knows; null: that cannot be told. */
  backing: readonly Backing[] | null
}

export class CurrencyAudit {
  /** The number of jobs that were checked, by invariant. */
  readonly looked = { I4: 0, I9: 0 }
  readonly #terms: Terms
  readonly #complain: (violation: Violation) => void
  readonly #machines = new Map<string, Machine>()
  /**
   * The tickets between currencies that are in force, as users were told, and the names of those that users heard of.
   */
  readonly #backing = new Map<string, Backing>()
  readonly #answered = new Set<string>()
  readonly #calm: Calm
  /** The machines whose processors have died, and have not reported since. */
  readonly #mute = new Set<string>()
  /** The instant whose facts are coming in, and the ticks of informed machines in it. */
  #at: Time = 0
  #ticks: Tick[] = []

  constructor(terms: Terms, complain: (violation: Violation) => void) {
    this.#terms = terms
    this.#complain = complain
    this.#calm = new Calm(terms.spread)
  }

  ofProcessor(fact: JobFact, who: Address, at: Time): void {
    this.#advance(at)
    const name = machineOf(who)
    if (fact.type === 'ticked') this.#tick(name, fact)
    else if (fact.type === 'joined') this.#join(this.#machine(name), fact.job)
    else if (fact.type === 'left') this.#leave(this.#machine(name), fact)
  }

  ofUser({ type, ticket }: Message, at: Time): void {
    this.#advance(at)
    const asked = typeof ticket === 'string' ? this.#terms.asked.get(ticket) : undefined
    if (!asked || typeof ticket !== 'string') return
    this.#answered.add(ticket)
    if (type === 'issued') this.#backing.set(ticket, asked)
    else if (type === 'refused') this.#backing.delete(ticket)
    this.#calm.issued(at)
  }

  died(who: Address, at: Time): void {
    this.#advance(at)
    if (roleOf(who) !== 'processor' && roleOf(who) !== 'ticket-server') return
    this.#calm.lost(at)
    if (roleOf(who) !== 'processor') return
    this.#machines.delete(machineOf(who))
    this.#mute.add(machineOf(who))
  }

  /** Call this when all facts of the instant are in. */
  settle(): void {
    const ticks = this.#ticks
    this.#ticks = []
    const isCalm = this.#calm.at(this.#at) && this.#areAnswered && this.#areTold
    const backing = isCalm || this.#terms.asked.size === 0 ? [...this.#backing.values()] : null
    for (const { machine } of ticks) this.#machine(machine).backing = backing
    if (isCalm) this.#compare('I4', ticks, [...this.#backing.values()])
  }

  #advance(at: Time): void {
    if (at > this.#at) this.settle()
    this.#at = at
  }

  #join({ jobs, asleep }: Machine, job: string): void {
    const woke = asleep.delete(job)
    if (!jobs.has(job) || (woke && !this.#terms.countsSleepers)) this.#calm.changed(this.#at)
    jobs.add(job)
  }

  #leave({ jobs, asleep }: Machine, { job, why }: Extract<JobFact, { type: 'left' }>): void {
    const isOver = why === 'done' || why === 'withdrawn'
    if (isOver) jobs.delete(job)
    if (why === 'asleep') asleep.add(job)
    else asleep.delete(job)
    if (isOver || (why === 'asleep' && !this.#terms.countsSleepers)) this.#calm.changed(this.#at)
  }

  #tick(name: string, { informed, tickets }: Ticked): void {
    const machine = this.#machine(name)
    const { jobs } = machine
    const names = Object.keys(tickets)
    if (this.#mute.delete(name)) this.#calm.issued(this.#at)
    // a job whose currency is worth nothing has not joined, but holds its part of it
    const isNews = names.length !== jobs.size || names.some((job) => !jobs.has(job))
    if (isNews || (machine.informed !== null && machine.informed !== informed)) this.#calm.changed(this.#at)
    if (isNews) {
      jobs.clear()
      for (const job of names) jobs.add(job)
    }
    machine.informed = informed
    const tick = { machine: name, tickets }
    if (informed) this.#ticks.push(tick)
    else if (machine.backing) this.#compare('I9', [tick], machine.backing)
  }

  /** Checks that every job of these machines has what it is worth if there are no others. */
  #compare(promise: 'I4' | 'I9', ticks: readonly Tick[], backing: readonly Backing[]): void {
    const counting = ticks.flatMap(({ machine, tickets }) => {
      const { asleep } = this.#machine(machine)
      const jobs = Object.keys(tickets).filter((job) => this.#terms.countsSleepers || !asleep.has(job))
      return jobs.map((job) => ({ machine, job, has: tickets[job] ?? 0, funding: this.#terms.held.get(job) }))
    })
    const own = new Map<string, number>()
    for (const { funding } of counting) {
      if (!funding) return
      own.set(funding.currency, (own.get(funding.currency) ?? 0) + funding.amount)
    }
    const issued = Object.fromEntries(own)
    const view: View = { funding: this.#terms.funding, issued: {}, backing }
    for (const { machine, job, has, funding } of counting) {
      if (!funding) continue
      const due = worth(view, issued, funding)
      this.looked[promise] += 1
      if (isNear(has, due)) continue
      const why = promise === 'I4' ? 'though all machines have heard of all jobs' : 'on its own'
      const what = `${machine} at ${toUnits(this.#at)}: ${job} has ${has} tickets and not ${due} ${why}`
      this.#complain(violationOf(promise, what))
    }
  }

  get #areAnswered(): boolean {
    return [...this.#terms.asked].every(([ticket, { at }]) => at > this.#at || this.#answered.has(ticket))
  }

  /** Whether no ticket server keeps a ticket to itself because its processor is dead. */
  get #areTold(): boolean {
    return (
      this.#mute.size === 0 || [...this.#terms.asked.values()].every(({ machine = '' }) => !this.#mute.has(machine))
    )
  }

  #machine(name: string): Machine {
    const known = this.#machines.get(name)
    if (known) return known
    const backing = this.#terms.asked.size === 0 ? [] : null
    const machine: Machine = { jobs: new Set(), asleep: new Set(), informed: null, backing }
    this.#machines.set(name, machine)
    return machine
  }
}

/** The bounds on how fast a report travels from one machine's processor to another's. */
export interface Spread {
  /** The interval between the reports of a processor. */
  readonly period: Time
  /** The longest time that a message between machines takes. */
  readonly delay: Time
  /** How long the last report of a silent peer counts. */
  readonly keep: Time
  /** When actors are paused or machines partitioned, both ends included. */
  readonly disturbed: readonly { readonly from: Time; readonly until: Time }[]
}

/**
 * Decides by when all machines have heard of everything that happened. A change on a machine is in its report within
 * a period, and reaches the others a delay later. The jobs of a machine whose processor or ticket server has died
 * count until its last report is too old; a machine that comes back knows nothing until the others have reported. A
 * ticket between currencies travels in the same way; and it may be void, which takes another delay to be seen and one
 * more to be told. After a pause or a partition a machine may first notice, at its next tick, that it has an answer
 * again.
 */
export class Calm {
  readonly #spread: Spread | null
  /** Up to and including this instant, some machine may not have heard of something. */
  #unrest: Time = -1

  constructor(spread: Spread | null) {
    this.#spread = spread
  }

  /** Whether every machine has heard of everything, at a tick at this instant. */
  at(now: Time): boolean {
    const spread = this.#spread
    if (!spread || now <= this.#unrest) return false
    const { period, delay, disturbed } = spread
    return disturbed.every(({ from, until }) => now < from || now > until + 2 * period + delay)
  }

  /** A job came or went, or a machine has an answer again, or has none any more. */
  changed(at: Time): void {
    this.#disturb(at, 1, 0)
  }

  /** A user heard of a ticket between currencies. */
  issued(at: Time): void {
    this.#disturb(at, 3, 0)
  }

  /** A processor or a ticket server died. */
  lost(at: Time): void {
    this.#disturb(at, 1, 1)
  }

  #disturb(at: Time, delays: number, keeps: number): void {
    if (!this.#spread) return
    const { period, delay, keep } = this.#spread
    this.#unrest = Math.max(this.#unrest, at + period + delays * delay + keeps * keep)
  }
}
