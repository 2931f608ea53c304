/** What the system has planned, earliest first, in the order of planning at one instant. */
import TinyQueue from 'tinyqueue'
import type { Time } from './time/model.ts'

type Act = () => Promise<void>

interface Plan {
  readonly at: Time
  readonly order: number
  readonly act: Act
  live: boolean
}

export class Agenda {
  readonly #plans = new TinyQueue<Plan>([], (a, b) => a.at - b.at || a.order - b.order)
  #order = 0

  /** Returns what takes the plan back. */
  add(at: Time, act: Act): () => void {
    const plan = { at, order: this.#order++, act, live: true }
    this.#plans.push(plan)
    return () => {
      plan.live = false
    }
  }

  /** Infinity if nothing is planned. */
  get next(): Time {
    return this.#top()?.at ?? Number.POSITIVE_INFINITY
  }

  takeDue(now: Time): Act | undefined {
    const top = this.#top()
    return top && top.at <= now ? this.#plans.pop()?.act : undefined
  }

  #top(): Plan | undefined {
    while (this.#plans.peek()?.live === false) this.#plans.pop()
    return this.#plans.peek()
  }
}
