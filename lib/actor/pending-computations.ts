/** The computations that one actor waits for; asking for an id again replaces the one of that id. */
import type { Call } from './effect.ts'

/** What the system is asked to do: computations are its own, so that they end with the actor however that ends. */
export type ComputationOrder =
  | { readonly begin: string; readonly n: number; readonly call: Call }
  | { readonly end: string }

export class PendingComputations {
  /** The number of the latest computation of each id. */
  readonly #awaited = new Map<string, number>()
  #count = 0

  begin(id: string, call: Call): ComputationOrder {
    const n = this.#count++
    this.#awaited.set(id, n)
    return { begin: id, n, call }
  }

  /** Undefined if nothing of that id is awaited: most of what is cancelled is a timer. */
  cancel(id: string): ComputationOrder | undefined {
    return this.#awaited.delete(id) ? { end: id } : undefined
  }

  /** Is what came still awaited? From now on it is not. */
  take(id: string, n: number): boolean {
    return this.#awaited.get(id) === n && this.#awaited.delete(id)
  }
}
