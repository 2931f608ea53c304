/** The computations that one actor waits for. Asking for an id again replaces the computation of that id. */
import type { Call } from './effect.ts'

/** An order to the system, which owns all computations: so they end with their actor, however that ends. */
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

  /** The order to end a computation; undefined if there is none of that id, since most cancelled ids are timers. */
  cancel(id: string): ComputationOrder | undefined {
    return this.#awaited.delete(id) ? { end: id } : undefined
  }

  /** Says whether a result is still awaited. After this call it is not. */
  take(id: string, n: number): boolean {
    return this.#awaited.get(id) === n && this.#awaited.delete(id)
  }
}
