/** Schedulers that record where another scheduler deviates from fifo, replay an order, or record which pairs were reordered. */
import {
  type Deviations,
  HOLD_BOUNDS,
  type HoldBounds,
  type LateCopy,
  nameOfPending,
  nameOfTransmission,
  type PendingEventName,
  type Scheduler,
  type SchedulingPoint,
  type Transmission,
  type TransmissionName,
  type TransmissionOutcome,
} from '../actor/schedule.ts'
import type { Time } from '../core/time.ts'

/** Where a scheduler first passed over an event that was due: the instant, and the number of steps that its actor had taken. */
export type HeldSince = { readonly at: Time; readonly incarnation: number; readonly step: number }

/** An event that is held back: since when, and until which step of its actor. */
type Held = HeldSince & { until: number }

/** Records where a scheduler deviates from fifo, as plain data that every runtime can repeat. */
export class ScheduleRecorder implements Scheduler {
  readonly #scheduler: Scheduler
  readonly #held = new Map<PendingEventName, Held>()
  readonly #lost: TransmissionName[] = []
  readonly #doubled: TransmissionName[] = []
  readonly #late: LateCopy[] = []
  /** The number of decisions of the scheduler. */
  decisions = 0
  readonly bounds: HoldBounds

  constructor(scheduler: Scheduler, bounds = scheduler.bounds ?? HOLD_BOUNDS) {
    this.#scheduler = scheduler
    this.bounds = bounds
  }

  next(choice: SchedulingPoint): number {
    this.decisions++
    const place = this.#scheduler.next(choice)
    const { pending: things, step, now: at, incarnation } = choice
    // events before the chosen one wait for that step; if none is chosen, all do
    const passedOver = place < 0 ? things.length : place
    for (let i = 0; i < passedOver; i++) {
      const thing = things[i]
      if (!thing) continue
      const name = nameOfPending(thing)
      const held = this.#held.get(name)
      if (held) held.until = step + 1
      else this.#held.set(name, { at, incarnation, step, until: step + 1 })
    }
    return place
  }

  outcomeOf(passage: Transmission): TransmissionOutcome {
    const fate = this.#scheduler.outcomeOf(passage)
    if (fate === 'lost') this.#lost.push(nameOfTransmission(passage))
    if (fate === 'twice') this.#doubled.push(nameOfTransmission(passage))
    if (typeof fate === 'object') this.#late.push({ passage: nameOfTransmission(passage), by: fate.lateBy })
    return fate
  }

  /** Where each event was first passed over. */
  get heldSince(): ReadonlyMap<PendingEventName, HeldSince> {
    return this.#held
  }

  get deviations(): Deviations {
    const holds = [...this.#held].map(([thing, { until }]) => ({ thing, until }))
    const { longest, calm } = this.bounds
    const isDefault = longest === HOLD_BOUNDS.longest && calm === HOLD_BOUNDS.calm
    return {
      holds,
      lost: [...this.#lost],
      doubled: [...this.#doubled],
      ...(this.#late.length > 0 && { late: [...this.#late] }),
      ...(!isDefault && { bounds: this.bounds }),
    }
  }
}

/**
 * A scheduler that disturbs a run at first: after a number of decisions, and from the calm on, events come in plain order and
 * nothing happens to messages. What must come in the end can be asked only of a fair run, in which no actor is starved for
 * ever (as in P# and Coyote).
 */
export function fairInTheEnd(scheduler: Scheduler, decisions: number, calm: Time | null): Scheduler {
  let decided = 0
  let isFair = false
  return {
    next(choice) {
      isFair ||= ++decided > decisions || (calm !== null && choice.now >= calm)
      return isFair ? 0 : scheduler.next(choice)
    },
    outcomeOf: (transmission) => (isFair ? 'once' : scheduler.outcomeOf(transmission)),
  }
}

/** Lets every actor handle the events of an order, in that order and nothing else before them. */
export class ReplayScheduler implements Scheduler {
  /** The events of each slot, in their order. */
  readonly #order: ReadonlyMap<number, readonly PendingEventName[]>
  readonly #handled = new Map<number, number>()

  constructor(order: ReadonlyMap<number, readonly PendingEventName[]>) {
    this.#order = order
  }

  next({ slot, pending: things }: SchedulingPoint): number {
    const handled = this.#handled.get(slot) ?? 0
    const wanted = this.#order.get(slot)?.[handled]
    // after the end of the order, events come as in fifo
    const place = wanted === undefined ? 0 : things.findIndex((thing) => nameOfPending(thing) === wanted)
    if (place >= 0) this.#handled.set(slot, handled + 1)
    return place
  }

  outcomeOf(): TransmissionOutcome {
    return 'once'
  }

  /**
   * Checks that the run handled exactly the events of the whole order.
   *
   * @throws Error if the run diverged from its order
   */
  requireFollowed(): void {
    const diverged = (slot: number, what: string): never => {
      throw new Error(`a run has diverged from its order: slot ${slot} ${what}`)
    }
    for (const [slot, things] of this.#order) {
      const missing = things[this.#handled.get(slot) ?? 0]
      if (missing !== undefined) diverged(slot, `did not handle ${missing}`)
    }
    for (const [slot, handled] of this.#handled) {
      const expected = this.#order.get(slot)?.length ?? 0
      if (handled > expected) diverged(slot, `handled ${handled} things, not ${expected}`)
    }
  }
}

/** An ordered pair of events at an actor: `SLOT.INCARNATION FIRST<SECOND`. */
export type OrderedPair = string

/** The most pairs that are recorded. */
const PAIRS_MAX = 100_000

/** The scheduler; it also adds every pair of events that it puts in order to `pairs`. */
export function recordingPairs(scheduler: Scheduler, pairs: Set<OrderedPair>): Scheduler {
  return {
    next(choice: SchedulingPoint): number {
      const place = scheduler.next(choice)
      const { slot, incarnation, pending: things } = choice
      const chosen = things[place]
      if (!chosen || things.length < 2 || pairs.size >= PAIRS_MAX) return place
      const name = nameOfPending(chosen)
      for (const [other, thing] of things.entries()) {
        if (other !== place) pairs.add(`${slot}.${incarnation} ${name}<${nameOfPending(thing)}`)
      }
      return place
    },
    outcomeOf: (passage) => scheduler.outcomeOf(passage),
  }
}

/** The race coverage: the number of pairs met, and of pairs that came in both orders. */
export function coverageOfPairs(pairs: ReadonlySet<OrderedPair>): { readonly met: number; readonly both: number } {
  let both = 0
  for (const pair of pairs) {
    const [where, order = ''] = pair.split(' ')
    const [first, second] = order.split('<')
    if (pairs.has(`${where} ${second}<${first}`)) both++
  }
  return { met: pairs.size - both / 2, both: both / 2 }
}
