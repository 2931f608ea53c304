/** A schedule in which every actor handles what it is said to, in that order, and nothing else before. */
import type { PendingEventName, Scheduler, SchedulingPoint, TransmissionOutcome } from '../actor/schedule.ts'
import { nameOfPending } from '../actor/schedule.ts'

export class ReplayScheduler implements Scheduler {
  /** By slot. */
  readonly #order: ReadonlyMap<number, readonly PendingEventName[]>
  readonly #handled = new Map<number, number>()

  constructor(order: ReadonlyMap<number, readonly PendingEventName[]>) {
    this.#order = order
  }

  next({ slot, pending: things }: SchedulingPoint): number {
    const handled = this.#handled.get(slot) ?? 0
    const wanted = this.#order.get(slot)?.[handled]
    // what comes after the order's end comes as it comes
    const place = wanted === undefined ? 0 : things.findIndex((thing) => nameOfPending(thing) === wanted)
    if (place >= 0) this.#handled.set(slot, handled + 1)
    return place
  }

  outcomeOf(): TransmissionOutcome {
    return 'once'
  }

  /**
   * Of a whole order: nothing may have been handled beside what it says.
   * @throws Error if the run has not gone as foretold
   */
  requireFollowed(): void {
    const parted = (slot: number, what: string): never => {
      throw new Error(`a run has parted from its order: slot ${slot} ${what}`)
    }
    for (const [slot, things] of this.#order) {
      const missing = things[this.#handled.get(slot) ?? 0]
      if (missing !== undefined) parted(slot, `did not handle ${missing}`)
    }
    for (const [slot, handled] of this.#handled) {
      const expected = this.#order.get(slot)?.length ?? 0
      if (handled > expected) parted(slot, `handled ${handled} things, not ${expected}`)
    }
  }
}
