/** One event at a placer: its desk as it is meanwhile. What that holds is immutable and replaced. */
import { type Address, type Decision, type Effect, persist, tell } from '../../../lib/actor.ts'
import type { ToScheduler } from '../../processor/jobs.ts'
import { type Entry, enter, type Placement } from './book.ts'
import type { Desk } from './desk.ts'
import type { Enlist, FromPlacer } from './messages.ts'

export class Placing {
  #desk: Desk
  readonly #effects: Effect[] = []

  constructor(desk: Desk) {
    this.#desk = desk
  }

  get desk(): Desk {
    return this.#desk
  }

  /** The desk after the event, and its effects. */
  get decision(): Decision<Desk> {
    return [this.#desk, ...this.#effects]
  }

  placementOf(job: string): Placement | undefined {
    return this.#desk.book.get(job)
  }

  change(changes: Partial<Desk>): void {
    this.#desk = { ...this.#desk, ...changes }
  }

  write(entry: Entry): void {
    this.change({ book: enter(this.#desk.book, entry) })
    this.#effects.push(persist(entry))
  }

  do(effect: Effect): void {
    this.#effects.push(effect)
  }

  order(processor: Address, order: ToScheduler): void {
    this.#effects.push(tell(processor, order))
  }

  enlist(barrier: Address, members: readonly Address[]): void {
    const enlist: Enlist = { type: 'enlist', members }
    this.#effects.push(tell(barrier, enlist))
  }

  say(to: Address, message: FromPlacer): void {
    this.#effects.push(tell(to, message))
  }
}
