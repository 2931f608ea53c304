/** The oracles of a run of the economy together: what became of its jobs and its money, and which invariants were violated. */

import type { BankFact, Totals } from '../../actors/economy/messages.ts'
import { type Address, type Message, roleOf, type Time, toUnits } from '../../lib/actor.ts'
import type { Plain } from '../../lib/core/data.ts'
import { sum } from '../../lib/core/tally.ts'
import type { Circumstances } from '../../lib/scenario/definition.ts'
import { Monitors, type NamedPromise, numbersIn, type Oracle, type Violation } from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { BANK, comingJobs, type Economy, SCHEDULER } from './model.ts'
import { Audit } from './oracle/audit.ts'
import { Ledger } from './oracle/ledger.ts'
import type { Rules } from './oracle/order.ts'
import { OF_ALL_ECONOMIES, promisesOf } from './oracle/promises.ts'

export class Watch implements Oracle {
  readonly ledger: Ledger
  /** The jobs whose ends were heard before this run, in an earlier one on the same log. */
  readonly before = new Set<number>()
  readonly money = new Money()
  /** The audit of the money; null: nothing is paid. */
  readonly audit: Audit | null
  readonly #promises: Monitors
  readonly #economy: Economy
  readonly #died = new Set<Address>()

  constructor(economy: Economy, circumstances: Circumstances) {
    this.#economy = economy
    const arrivals = new Map(economy.jobs.map(({ id, arrival }) => [id, arrival]))
    this.ledger = new Ledger(rulesOf(economy, circumstances), arrivals)
    this.audit = auditOf(economy)
    this.#promises = new Monitors([...OF_ALL_ECONOMIES, ...promisesOf(economy, circumstances)])
  }

  recovered(who: Address, records: readonly Plain[]): void {
    if (roleOf(who) === 'user') for (const job of numbersIn(records, 'ended', 'job')) this.before.add(job)
  }

  fold(fact: Message, who: Address, at: Time): void {
    this.ledger.fold(fact, who, at)
    this.#promises.fold(fact, who, at)
    this.money.fold(fact, who)
    this.audit?.fold(fact, who, at)
  }

  died(who: Address, at: Time): void {
    this.#died.add(who)
    this.#promises.died(who, at)
    this.ledger.died(who)
  }

  /** The end of each job, with the number of its attempt. */
  outcome(): string {
    return [...this.ledger.jobs]
      .flatMap(([job, { end, failures }]) => (end ? [[job, `${job}.${failures + 1} ${end.why}`] as const] : []))
      .sort(([one], [other]) => one - other)
      .map(([, text]) => text)
      .join(', ')
  }

  ends(): ReadonlyMap<string, Time> {
    return new Map([...this.ledger.jobs].flatMap(([job, { end }]) => (end ? [[`job ${job}`, end.at]] : [])))
  }

  /** The jobs whose users have not heard of their end. */
  left(): number {
    const jobs = [...this.ledger.jobs.values()]
    return comingJobs(this.#economy).length - jobs.filter(({ isHeard }) => isHeard).length - this.before.size
  }

  promises(): readonly NamedPromise[] {
    return this.#promises.promises()
  }

  /** The money is not settled before the end, when charges may be in flight. */
  brokenSoFar(outcome: RunOutcome): Violation[] {
    return [...this.ledger.broken, ...this.#promises.brokenSoFar(outcome), ...this.#ofMoney(outcome)]
  }

  violations(close: RunOutcome): Violation[] {
    const isWhole = this.#isWhole(close)
    if (isWhole && close.isIdle) this.audit?.settle((job) => (this.ledger.jobs.get(job)?.end ?? null) !== null)
    return [
      ...this.ledger.broken,
      ...this.#promises.violations(close),
      ...this.#ofMoney(close),
      ...(isWhole ? this.#unheard(close) : []),
    ]
  }

  /** The bank counts the time of its own clock, and the audit that of the run. */
  #ofMoney({ clocksJumped }: RunOutcome): readonly Violation[] {
    return this.#isKept && !clocksJumped ? (this.audit?.broken ?? []) : []
  }

  /** Whether the books survive: a bank or a scheduler that persists nothing loses its book when it dies. */
  get #isKept(): boolean {
    return this.#economy.durable || !(this.#died.has(BANK) || this.#died.has(SCHEDULER))
  }

  /** Whether every job can be expected to be over. */
  #isWhole({ dead, lost }: RunOutcome): boolean {
    const { patience, market } = this.#economy
    if (dead.has(SCHEDULER) || (market && dead.has(BANK)) || !this.#isKept) return false
    const isTroubled = lost > 0 || [...this.#died].some((who) => roleOf(who) !== 'user')
    return patience !== null || !isTroubled
  }

  #unheard({ dead }: RunOutcome): Violation[] {
    return comingJobs(this.#economy).flatMap(({ id, user }) => {
      if (dead.has(`user@${user}`) || this.before.has(id)) return []
      const { end = null, isHeard = false } = this.ledger.jobs.get(id) ?? {}
      if (!end) return [inTheEnd('every job of a living user ends', `job ${id} did not`)]
      return isHeard ? [] : [inTheEnd('a living user hears of every end', `not of the end of job ${id}`)]
    })
  }
}

const inTheEnd = (property: string, text: string): Violation => ({ property, text, eventually: true })

/** The rules for the ledger. Ends are known only in a run without delays, faults and other schedules. */
function rulesOf(economy: Economy, { options: { network, time, scheduler }, faults }: Circumstances): Rules {
  const { processors, policy, jobs } = economy
  const isPrompt = network.latency + network.jitter + network.loss === 0
  const isOrdinary = time !== 'real' && !scheduler && faults.length === 0
  const isExact = isPrompt && isOrdinary && jobs.every(({ actual }) => actual === undefined)
  return { processors, policy, isExact }
}

/** Creates the audit of an economy's money; null if nothing is paid. */
export function auditOf(economy: Economy): Audit | null {
  const { users, market } = economy
  if (!market) return null
  const jobs = new Map(
    comingJobs(economy).map(({ id, class: l, processors, service, deposit }) => [
      id,
      { class: l, work: toUnits(processors * service), deposit },
    ]),
  )
  return new Audit({ users, sharing: market.sharing, jobs })
}

const isBooking = (fact: Message, who: Address): fact is BankFact => roleOf(who) === 'bank' && fact.type === 'booked'

/** The money of a run as the bank reports it. The audit checks the reports. */
export class Money {
  /** The totals of each user in dollars, as of the last booking. */
  readonly users = new Map<string, Totals>()
  readonly #paid = new Map<number, number>()

  fold(fact: Message, who: Address): void {
    if (!isBooking(fact, who)) return
    const { user, what, job, amount, received, savings, expenses, paid, forfeited } = fact
    this.users.set(user, { received, savings, expenses, paid, forfeited })
    if (what === 'charge' || what === 'extend' || what === 'close') this.#pay(job, amount)
    if (what === 'refund') this.#pay(job, -amount)
  }

  #pay(job: number, amount: number): void {
    this.#paid.set(job, this.paidBy(job) + amount)
  }

  /** Dollars that a job paid to the system account: at its start, for extra time and at its end, less refunds. */
  paidBy(job: number): number {
    return this.#paid.get(job) ?? 0
  }

  /** The sum over all users. */
  sum(of: keyof Totals): number {
    return sum(this.users.values(), (totals) => totals[of])
  }
}
