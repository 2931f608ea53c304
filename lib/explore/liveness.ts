/**
 * A bound on liveness, counted in steps like the temperature of Coyote's monitors. Once the faults are over, the
 * temperature grows with every step that brings no progress. It falls to 0 with each fault, with each deviation from the plain
 * order of events, and with all progress. So only a fair part of a run can pass the limit.
 */

import type { HoldBounds, Scheduler, SchedulingPoint, Transmission, TransmissionOutcome } from '../actor/schedule.ts'
import type { Time } from '../core/time.ts'
import { endOfFault, type Fault } from '../scenario/faults.ts'

export interface TemperatureDeps {
  readonly scheduler: Scheduler
  /** The most steps without progress. */
  readonly limit: number
  readonly faults: readonly Fault[]
  /** The amount of progress that must still come. */
  readonly remaining: () => number
  /** Whether the run has an end of its own, and need not come to rest. */
  readonly hasEnd: boolean
  /** Called once when the limit is passed, and again after every `cool`. */
  readonly onTooHot: () => void
  /** The number of steps without progress after which `onStalled` is called, and again after as many more. */
  readonly patience: number
  readonly onStalled: () => void
  /** See `Scheduler`. */
  readonly isWatched: boolean
}

export class Temperature implements Scheduler {
  readonly #deps: TemperatureDeps
  /** The end of all faults that are planned for a time; those at logical points may never come. */
  readonly #faultsEnd: Time
  #steps = 0
  /** The steps without progress before these, at whose end nothing was found missing. */
  #earlier = 0
  #left = 0
  readonly bounds: HoldBounds | undefined
  readonly isWatched: boolean

  constructor(deps: TemperatureDeps) {
    this.#deps = deps
    this.bounds = deps.scheduler.bounds
    this.isWatched = deps.isWatched
    this.#faultsEnd = Math.max(0, ...deps.faults.map(endOfFault))
  }

  next(choice: SchedulingPoint): number {
    const { scheduler, limit, remaining: left, hasEnd, onTooHot, patience, onStalled } = this.#deps
    const place = scheduler.next(choice)
    if (place < 0) {
      this.cool()
      return place
    }
    const now = left()
    const isOver = hasEnd && now === 0
    if (place > 0 || now !== this.#left || isOver || choice.now < this.#faultsEnd) this.cool()
    this.#left = now
    if (++this.#steps === limit + 1) onTooHot()
    else if (this.#steps % patience === 0) onStalled()
    return place
  }

  outcomeOf(passage: Transmission): TransmissionOutcome {
    const fate = this.#deps.scheduler.outcomeOf(passage)
    if (fate !== 'once') this.cool()
    return fate
  }

  /** Sets the temperature to 0, after a fault or while nothing must come any more before the end. */
  cool(): void {
    this.#steps = 0
    this.#earlier = 0
  }

  /** Counts to the limit once more, since no promise is broken yet. */
  goOn(): void {
    this.#earlier += this.#steps
    this.#steps = 0
  }

  /** The steps without progress so far, over all limits that were passed. */
  get stepsWithoutProgress(): number {
    return this.#earlier + this.#steps
  }

  /** Whether there is still no progress now that delayed facts have been told. */
  get isStalled(): boolean {
    return this.#steps >= this.#deps.patience && this.#deps.remaining() === this.#left
  }

  /** Whether the limit is still passed now that delayed facts have been told. */
  get isTooHot(): boolean {
    return this.#steps > this.#deps.limit && this.#deps.remaining() === this.#left
  }
}
