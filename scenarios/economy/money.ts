/** Where the money of a run went, as the bank says; whether it was right to is another question. */
import type { BankFact, Totals } from '../../actors/economy/messages.ts'
import { type Address, type Message, roleOf } from '../../lib/actor.ts'

const isBooking = (fact: Message, who: Address): fact is BankFact => roleOf(who) === 'bank' && fact.type === 'booked'

export class Money {
  /** Of each user, in dollars, when anything was last booked there. */
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

  /** Dollars to the system account in the end, at its start and for more time. */
  paidBy(job: number): number {
    return this.#paid.get(job) ?? 0
  }

  /** Of all users. */
  sum(of: keyof Totals): number {
    return [...this.users.values()].reduce((sum, totals) => sum + totals[of], 0)
  }
}
