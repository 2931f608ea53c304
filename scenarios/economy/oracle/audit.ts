/**
 * An oracle for money: it keeps its own book by the plainest sums (section 2.2, equations 4 and 5), job by job and from one
 * booking to the next. It compares that book with the facts of the bank and with the payments that the scheduler reports.
 * It shares no arithmetic with accounts.ts. Amounts are in dollars, right to half a cent.
 */

import type { Holder } from '../../../actors/economy/accounts.ts'
import type { BankFact, Class, PerClass, QuotedFact, SchedulerFact, Totals } from '../../../actors/economy/messages.ts'
import type { Sharing } from '../../../actors/economy/terms.ts'
import { type Address, type Message, type Time, toUnits } from '../../../lib/actor.ts'
import { sum } from '../../../lib/core/tally.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import { isBooked, isQuoted, isScheduler } from './facts.ts'

/** The facts that the audit knows before the run. */
interface Known {
  readonly users: Readonly<Record<string, Holder>>
  readonly sharing: Sharing
  /** The jobs by id. `work` is the declared work in processor-minutes. */
  readonly jobs: ReadonlyMap<number, { readonly class: Class; readonly work: number; readonly deposit: number }>
}

interface Fund {
  readonly class: Class
  readonly work: number
  balance: number
  paid: number
  isWaiting: boolean
}

interface Purse {
  readonly holder: Holder
  readonly funds: Map<number, Fund>
  readonly totals: { -readonly [K in keyof Totals]: number }
  weights: PerClass
  at: Time
  /** The income that the bank last reported, and when. */
  told: { readonly received: number; readonly at: Time }
}

/** The payments of a job: a charge that is neither started nor refunded (in flight), and what a running job paid. */
interface Flow {
  flight: number | null
  standing: number | null
}

export const HALF_A_CENT = 0.005
/** The relative rounding error of doubles in large sums. */
const ROUNDING = 1e-12
const LEAST_WEIGHT = 1e-4
const KINDS = ['received', 'savings', 'expenses', 'paid', 'forfeited'] as const

const isNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= HALF_A_CENT + ROUNDING * (Math.abs(one) + Math.abs(other))

function weightsOf(of: PerClass): PerClass {
  const least = LEAST_WEIGHT * (of[0] + of[1] + of[2])
  const [one, two, three] = [Math.max(of[0], least), Math.max(of[1], least), Math.max(of[2], least)]
  const sum = one + two + three
  return [one / sum, two / sum, three / sum]
}

export class Audit {
  /** The violations, at most one for each property and user. */
  readonly broken: Violation[] = []
  readonly #known: Known
  readonly #purses: ReadonlyMap<string, Purse>
  readonly #flows = new Map<number, Flow>()
  /** What the scheduler asks of jobs for extra time, until the bank has booked or declined it. */
  readonly #prices = new Map<number, number>()
  readonly #said = new Set<string>()

  constructor(known: Known) {
    this.#known = known
    this.#purses = new Map(Object.entries(known.users).map(([user, holder]) => [user, emptyPurse(holder)]))
  }

  /** Takes in one fact. Facts that move no money are ignored. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isBooked(fact, who)) this.#booked(fact, at)
    else if (isQuoted(fact, who)) this.#quoted(fact, at)
    else if (isScheduler(fact, who)) this.#ofScheduler(fact)
  }

  /** Checks the end of a run: no charge is in flight, and no job that is over has an account. */
  settle(isOver: (job: number) => boolean): void {
    for (const [job, { flight }] of this.#flows) {
      this.#check(
        flight === null,
        'charged = started + in flight + refunded',
        `job ${job}`,
        () => `${flight} in flight`,
      )
    }
    for (const [user, { funds }] of this.#purses) {
      const left = [...funds.keys()].filter(isOver)
      this.#check(left.length === 0, 'the account of a job that is over is closed', user, () => left.join())
    }
  }

  /** The sums over all users in the audit's own book, at an instant that is not before the last fact. */
  totals(at: Time): Totals {
    const sum = { ...NOTHING }
    for (const purse of this.#purses.values()) {
      this.#advance(purse, at)
      const expenses = expensesOf(purse)
      for (const kind of KINDS) sum[kind] += kind === 'expenses' ? expenses : purse.totals[kind]
    }
    return sum
  }

  #check(holds: boolean, property: string, user: string, text: () => string): void {
    const key = `${property} ${user}`
    if (holds || this.#said.has(key)) return
    this.#said.add(key)
    this.broken.push({ property, text: `${user}: ${text()}` })
  }

  /** Adds the income of a user up to now, by equations 4 and 5 as printed. */
  #advance(purse: Purse, at: Time): void {
    const minutes = toUnits(at - purse.at)
    purse.at = at
    const { holder, funds, totals, weights } = purse
    const { rates, running } = this.#known.sharing
    const paid = [...funds.values()].filter(({ isWaiting }) => isWaiting || running)
    const weighted = paid.map((fund) => weights[fund.class - 1] ?? 0)
    let divisor = 0
    for (const [i, { work }] of paid.entries()) divisor += rates === 'weighted' ? (weighted[i] ?? 0) * work : work
    let left = holder.income * minutes
    for (const [i, fund] of paid.entries()) {
      const amount = (holder.income * minutes * (weighted[i] ?? 0) * fund.work) / divisor
      fund.balance += amount
      totals.received += amount
      left -= amount
    }
    const saved = Math.max(0, Math.min(left, holder.cap - totals.savings))
    totals.savings += saved
    totals.received += saved
  }

  #booked(fact: BankFact, at: Time): void {
    const { user, job, what } = fact
    const purse = this.#purses.get(user)
    if (!purse) return this.#check(false, 'the bank only books for its own users', user, () => `${what} of job ${job}`)
    const wasPaid = this.#isPaid(purse)
    this.#advance(purse, at)
    this.#move(purse, fact)
    this.#agree(purse, fact)
    this.#capped(purse, fact)
    this.#rate(purse, fact, at, wasPaid)
    if (what === 'charge') this.#charged(fact)
    else if (what === 'refund') this.#refunded(fact)
  }

  /** Compares the quoted balances with those of the audit's own book. Jobs without an account, or that run, have none. */
  #quoted({ jobs, balances }: QuotedFact, at: Time): void {
    const held = new Map<number, number>()
    for (const purse of this.#purses.values()) {
      this.#advance(purse, at)
      for (const [job, { balance, isWaiting }] of purse.funds) if (isWaiting) held.set(job, balance)
    }
    for (const [i, job] of jobs.entries()) {
      const [quoted, due] = [balances[i] ?? null, held.get(job) ?? null]
      const isRight = quoted === null || due === null ? quoted === due : isNear(quoted, due)
      this.#check(isRight, 'the bank quotes the balance of the job', `job ${job}`, () => {
        return `${quoted} quoted at ${toUnits(at)}, the audit has ${due}`
      })
    }
  }

  #isPaid({ funds }: Purse): boolean {
    return [...funds.values()].some(({ isWaiting }) => isWaiting || this.#known.sharing.running)
  }

  /** Makes the same booking in the audit's own book, with the amounts held there. */
  #move(purse: Purse, fact: BankFact): void {
    const { user, what, job, amount } = fact
    const { funds, totals } = purse
    const fund = funds.get(job)
    const due = this.#due(purse, fact, fund)
    if (what === 'extend' || what === 'declined') this.#extended(purse, fact, fund)
    this.#check(isNear(amount, due), 'the amount moved is the amount held', user, () => {
      return `${what} of job ${job} moved ${amount}, the audit has ${due}`
    })
    switch (what) {
      case 'opened': {
        const known = this.#known.jobs.get(job)
        this.#check(known !== undefined && !fund, 'an account is opened once, for a job', user, () => `job ${job}`)
        if (!known || fund) return
        totals.savings -= due
        funds.set(job, { class: known.class, work: known.work, balance: due, paid: 0, isWaiting: true })
        return
      }
      case 'steered':
        if (fact.coefficients) purse.weights = weightsOf(fact.coefficients)
        return
      case 'declined':
        return
      case 'extend':
        if (fund) fund.paid += due
        totals.savings -= due
        totals.paid += due
        return
      case 'refund':
        totals.paid -= due
        if (!fund) return
        Object.assign(fund, { balance: fund.balance + due, paid: 0, isWaiting: true })
        return
      case 'forfeit':
        totals.forfeited += due
        funds.delete(job)
        return
      case 'charge':
        totals.paid += due
        if (fund) Object.assign(fund, { balance: 0, paid: fund.paid + due, isWaiting: false })
        return
      case 'close':
        totals.paid += due
        funds.delete(job)
    }
  }

  /** The amount that should be moved. The scheduler sets the price of extra time; the savings only have to suffice. */
  #due({ totals }: Purse, { what, job, amount }: BankFact, fund: Fund | undefined): number {
    switch (what) {
      case 'opened':
        return Math.min(this.#known.jobs.get(job)?.deposit ?? 0, totals.savings)
      case 'charge':
      case 'forfeit':
      case 'close':
        return fund?.balance ?? 0
      case 'refund':
        return fund?.paid ?? 0
      case 'extend':
        return fund ? Math.min(amount, totals.savings) : 0
      case 'steered':
      case 'declined':
        return 0
    }
  }

  #agree(purse: Purse, fact: BankFact): void {
    const ours = { ...purse.totals, expenses: expensesOf(purse) }
    for (const kind of KINDS) {
      this.#check(isNear(fact[kind], ours[kind]), `the audit agrees with the bank (${kind})`, fact.user, () => {
        return `${fact[kind]} after ${fact.what} of job ${fact.job}, the audit has ${ours[kind]}`
      })
    }
  }

  #capped({ holder }: Purse, { user, savings }: BankFact): void {
    this.#check(savings <= holder.cap + HALF_A_CENT, 'savings are not above the cap', user, () => `${savings}`)
  }

  /** Checks equation 4: while a job is paid, all income is received, whatever is saved. */
  #rate(purse: Purse, { user, received }: BankFact, at: Time, wasPaid: boolean): void {
    const { told, holder } = purse
    purse.told = { received, at }
    const most = holder.income * toUnits(at - told.at)
    const came = received - told.received
    const isAll = this.#known.sharing.rates === 'weighted' && wasPaid
    this.#check(
      isAll ? isNear(came, most) : came <= most + HALF_A_CENT,
      "rates add up to the user's income",
      user,
      () => {
        return `${came} received since ${told.at}, not ${most}`
      },
    )
  }

  /** Extra time costs what the scheduler asked for, and is declined only where the savings do not suffice. */
  #extended({ totals }: Purse, { user, what, job, amount }: BankFact, fund: Fund | undefined): void {
    const price = this.#prices.get(job)
    this.#prices.delete(job)
    const isBought = what === 'extend'
    this.#check(price !== undefined, 'the bank sells extra time that the scheduler asks for', user, () => `job ${job}`)
    if (price === undefined) return
    const isRight = isBought ? isNear(amount, price) : fund === undefined || price >= totals.savings - HALF_A_CENT
    this.#check(isRight, 'extra time is sold for its price if the savings suffice', user, () => {
      return `job ${job} was asked for ${price} and paid ${isBought ? amount : 'nothing'}`
    })
  }

  #flow(job: number): Flow {
    const flow = this.#flows.get(job) ?? { flight: null, standing: null }
    this.#flows.set(job, flow)
    return flow
  }

  #charged({ user, job, amount }: BankFact): void {
    const flow = this.#flow(job)
    this.#check(flow.flight === null && flow.standing === null, 'a start is charged once', user, () => `job ${job}`)
    flow.flight = amount
  }

  #refunded({ user, job }: BankFact): void {
    const flow = this.#flow(job)
    const isCharged = flow.flight !== null || flow.standing !== null
    this.#check(isCharged, 'only a charged job is refunded', user, () => `job ${job}`)
    Object.assign(flow, { flight: null, standing: null })
  }

  #ofScheduler(fact: SchedulerFact): void {
    if (fact.type === 'priced') this.#prices.set(fact.job, fact.cost)
    if (fact.type === 'ended' && this.#flows.get(fact.job)?.flight === null) this.#flows.delete(fact.job)
    if (fact.type !== 'started') return
    const { user, job, paid } = fact
    const flow = this.#flow(job)
    const { flight } = flow
    this.#check(flight !== null && isNear(flight, paid), 'a job that starts has been charged', user, () => {
      return `job ${job} started for ${paid}, charged ${flight ?? 'nothing'}`
    })
    Object.assign(flow, { flight: null, standing: paid })
  }
}

const NOTHING = { received: 0, savings: 0, expenses: 0, paid: 0, forfeited: 0 }

const emptyPurse = (holder: Holder): Purse => ({
  holder,
  funds: new Map(),
  totals: { ...NOTHING, savings: Math.min(holder.savings, holder.cap) },
  weights: weightsOf(holder.coefficients),
  at: 0,
  told: { received: 0, at: 0 },
})

const expensesOf = ({ funds }: Purse): number => sum(funds.values(), ({ balance }) => balance)
