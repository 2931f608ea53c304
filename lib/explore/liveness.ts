/**
 * For how long what must come in the end has not come: a bound on liveness, counted in steps as the temperature of
 * Coyote's monitors. It grows with every step that brings nothing, from when the faults are over, and falls to nothing
 * with each fault or whenever something came.
 */

import type { Scheduler, SchedulingPoint, Transmission, TransmissionOutcome } from '../actor/schedule.ts'
import type { Time } from '../core/time.ts'
import type { Fault } from '../scenario/faults.ts'

export interface TemperatureDeps {
  readonly scheduler: Scheduler
  /** Most steps. */
  readonly limit: number
  readonly faults: readonly Fault[]
  /** How much is still to come. */
  readonly left: () => number
  /** Called once when it is too hot, and again after every `cool`. */
  readonly onTooHot: () => void
}

export class Temperature implements Scheduler {
  readonly #with: TemperatureDeps
  /** No fault is planned for later; those at logical points may never come. */
  readonly #calm: Time
  #steps = 0
  #left = 0

  constructor(surroundings: TemperatureDeps) {
    this.#with = surroundings
    this.#calm = Math.max(0, ...surroundings.faults.map(endOf))
  }

  next(choice: SchedulingPoint): number {
    const { scheduler, limit, left, onTooHot } = this.#with
    const place = scheduler.next(choice)
    if (place < 0) return place
    const now = left()
    if (now !== this.#left || now === 0 || choice.now < this.#calm) this.cool()
    this.#left = now
    if (++this.#steps === limit + 1) onTooHot()
    return place
  }

  outcomeOf(passage: Transmission): TransmissionOutcome {
    const fate = this.#with.scheduler.outcomeOf(passage)
    if (fate !== 'once') this.cool()
    return fate
  }

  /** A fault has happened, or nothing is promised. */
  cool(): void {
    this.#steps = 0
  }

  /** Has nothing come meanwhile? Facts are told with some delay. */
  get isTooHot(): boolean {
    return this.#steps > this.#with.limit && this.#with.left() === this.#left
  }
}

/** When a fault is over that is planned for a time. */
function endOf(fault: Fault): Time {
  switch (fault.type) {
    case 'kill':
    case 'restart':
      return fault.when.type === 'at' ? fault.when.time : 0
    case 'pause':
      return fault.at + fault.duration
    case 'partition':
      return fault.until
    case 'kill random':
      return fault.until ?? Number.POSITIVE_INFINITY
  }
}
