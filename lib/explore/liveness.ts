/**
 * A bound on liveness, counted in steps like the temperature of Coyote's monitors. Once the faults are over, the
 * temperature grows with every step that brings no progress. It falls to 0 with each fault and with all progress.
 */

import type { Scheduler, SchedulingPoint, Transmission, TransmissionOutcome } from '../actor/schedule.ts'
import type { Time } from '../core/time.ts'
import type { Fault } from '../scenario/faults.ts'

export interface TemperatureDeps {
  readonly scheduler: Scheduler
  /** The most steps without progress. */
  readonly limit: number
  readonly faults: readonly Fault[]
  /** The amount of progress that must still come. */
  readonly remaining: () => number
  /** Called once when the limit is passed, and again after every `cool`. */
  readonly onTooHot: () => void
}

export class Temperature implements Scheduler {
  readonly #deps: TemperatureDeps
  /** The end of all faults that are planned for a time; those at logical points may never come. */
  readonly #calm: Time
  #steps = 0
  #left = 0

  constructor(deps: TemperatureDeps) {
    this.#deps = deps
    this.#calm = Math.max(0, ...deps.faults.map(endOf))
  }

  next(choice: SchedulingPoint): number {
    const { scheduler, limit, remaining: left, onTooHot } = this.#deps
    const place = scheduler.next(choice)
    if (place < 0) return place
    const now = left()
    if (now !== this.#left || now === 0 || choice.now < this.#calm) this.cool()
    this.#left = now
    if (++this.#steps === limit + 1) onTooHot()
    return place
  }

  outcomeOf(passage: Transmission): TransmissionOutcome {
    const fate = this.#deps.scheduler.outcomeOf(passage)
    if (fate !== 'once') this.cool()
    return fate
  }

  /** Sets the temperature to 0, after a fault or while nothing must come. */
  cool(): void {
    this.#steps = 0
  }

  /** Whether the limit is still passed now that delayed facts have been told. */
  get isTooHot(): boolean {
    return this.#steps > this.#deps.limit && this.#deps.remaining() === this.#left
  }
}

/** The end of a fault that is planned for a time; 0 for a fault at a logical point. */
function endOf(fault: Fault): Time {
  switch (fault.type) {
    case 'kill':
    case 'restart':
      return fault.when.type === 'at' ? fault.when.time : 0
    case 'pause':
      return fault.at + fault.duration
    case 'slow':
    case 'partition':
      return fault.until
    case 'kill random':
      return fault.until ?? Number.POSITIVE_INFINITY
  }
}
