/**
 * How far a schedule is from its tickets, pair by pair: of the time of any two clients that both always compete, each
 * has its part by tickets to within a quantum (spec, section 11, I5; Waldspurger & Weihl, TM-528).
 */
import type { Time } from '../../../lib/actor.ts'

export class Evenness {
  /** The longest time by which one of a pair was ahead of the other, after any stay. */
  worst: Time = 0
  readonly #places: ReadonlyMap<string, number>
  readonly #tickets: readonly number[]
  readonly #used: Time[]

  /** `tickets`: those of all clients, > 0. */
  constructor(tickets: ReadonlyMap<string, number>) {
    this.#places = new Map([...tickets.keys()].map((client, i) => [client, i]))
    this.#tickets = [...tickets.values()]
    this.#used = this.#tickets.map(() => 0)
  }

  /** A client had the processor for the time `used`. This takes a step for each other client. */
  add(client: string, used: Time): void {
    const place = this.#places.get(client)
    if (place === undefined) return
    const own = this.#tickets[place] ?? 0
    const mine = (this.#used[place] ?? 0) + used
    this.#used[place] = mine
    for (const [other, tickets] of this.#tickets.entries()) {
      const error = Math.abs(mine * tickets - (this.#used[other] ?? 0) * own) / (own + tickets)
      if (error > this.worst) this.worst = error
    }
  }
}
