/** What the runs of a search have met so far, for a strategy that is guided by what is new. */
import type { System } from '../system/system.ts'

/**
 * Collects the orders of two events at an actor, the states that actors enter, and the pairs of a state and an event. Events are
 * known by their types, so the same order of other messages is not new.
 */
export class Novelty {
  readonly #met = new Set<string>()
  #before = 0

  /** Listens to a run, and forgets whether the run before was new. */
  listen(system: System): void {
    this.#before = this.#met.size
    /** The last event, and the state that was entered last, of each actor. */
    const last = new Map<string, string>()
    const within = new Map<string, string>()
    system.onHandling(({ who, type }) => {
      this.#met.add(`${who} ${last.get(who) ?? ''} < ${type}`)
      this.#met.add(`${who} ${within.get(who) ?? ''}: ${type}`)
      last.set(who, type)
    })
    system.onEntry(({ who, child, states }) => {
      const state = states.at(-1) ?? ''
      if (!child) within.set(who, state)
      this.#met.add(`${who} ${child?.chart ?? ''} in ${state}`)
    })
  }

  /** A goal that the run met. */
  add(goal: string): void {
    this.#met.add(`goal ${goal}`)
  }

  /** Whether the last run met anything that no earlier run did. */
  get isNew(): boolean {
    return this.#met.size > this.#before
  }
}
