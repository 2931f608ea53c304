/** The money of users at an instant between two bookings: the state at the last booking, and the income since then. */
import type { BankFact } from '../../../actors/economy/messages.ts'
import { type Address, type Message, roleOf, type Time, toUnits } from '../../../lib/actor.ts'
import type { Economy } from '../model.ts'

interface Purse {
  readonly at: Time
  readonly savings: number
  readonly expenses: number
  /** The number of waiting jobs, which are paid. */
  readonly waiting: number
}

/** The money of a user, in dollars. */
export interface Funds {
  readonly savings: number
  readonly expenses: number
}

const CHANGES: Readonly<Partial<Record<BankFact['what'], number>>> = { opened: 1, refund: 1, charge: -1, forfeit: -1 }

/** The money of all users under equations 4 and 5 as printed: while a job waits, the whole income goes to jobs. */
export class Purses {
  readonly #users: Economy['users']
  readonly #until: Time
  readonly #purses = new Map<string, Purse>()

  /** @param until the instant of the returned funds */
  constructor(users: Economy['users'], until: Time) {
    this.#users = users
    this.#until = until
  }

  fold(fact: Message, who: Address, at: Time): void {
    const isBooking = (one: Message): one is BankFact => roleOf(who) === 'bank' && one.type === 'booked'
    if (!isBooking(fact) || at > this.#until) return
    const { user, what, savings, expenses } = fact
    const waiting = (this.#purses.get(user)?.waiting ?? 0) + (CHANGES[what] ?? 0)
    this.#purses.set(user, { at, savings, expenses, waiting })
  }

  of(user: string): Funds {
    const { income, cap, savings: initial } = this.#users[user] ?? { income: 0, cap: 0, savings: 0 }
    const { at, savings, expenses, waiting } = this.#purses.get(user) ?? {
      at: 0,
      savings: initial,
      expenses: 0,
      waiting: 0,
    }
    const received = income * toUnits(this.#until - at)
    if (waiting > 0) return { savings, expenses: expenses + received }
    return { savings: Math.max(savings, Math.min(cap, savings + received)), expenses }
  }
}
