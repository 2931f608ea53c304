/** The meter of one actor: it measures what its cell does, with the clock of this computer. */
import type { CellMeter } from '../cell/actor-cell.ts'
import type { Time } from '../core/time.ts'
import { Meters, TYPES_MAX } from '../memory/meters.ts'

// taken here, since a system in virtual time replaces such functions; it takes two thirds of the time of performance.now
const { hrtime } = process

/** The time of a clock of this computer, in seconds. */
function clock(): number {
  const [seconds, nanoseconds] = hrtime()
  return seconds + nanoseconds / 1e9
}

/** Inline, one step in this many is timed: reading the clock twice takes about a hundredth of the time of a small step. */
const INLINE_EVERY = 16

export class Meter implements CellMeter {
  readonly #meters: Meters
  readonly #slot: number
  /** The first step is timed, and then one in so many. */
  readonly #every: number
  #steps = 0
  /** The places of the types that this incarnation has met. */
  readonly #places = new Map<string, number>()
  /** When the present step began; negative if it is not timed. */
  #began = -1

  constructor(meters: Meters, slot: number, every: number) {
    this.#meters = meters
    this.#slot = slot
    this.#every = every
  }

  mailbox(messages: number): void {
    this.#meters.mailbox(this.#slot, messages)
  }

  message(type: string, waited: Time): void {
    let place = this.#places.get(type)
    if (place === undefined) {
      place = this.#meters.placeOf(type)
      if (this.#places.size < TYPES_MAX) this.#places.set(type, place)
    }
    this.#meters.count(place)
    this.#meters.waited(this.#slot, waited)
  }

  stepBegins(): void {
    this.#began = this.#steps++ % this.#every === 0 ? clock() : -1
  }

  stepEnds(): void {
    if (this.#began >= 0) this.#meters.handled(this.#slot, clock() - this.#began)
  }
}

/** The meter of an incarnation in a slot, if there is memory for its measures. Every step of a thread is timed. */
export const meterOf = (
  memory: ArrayBufferLike | undefined,
  slots: number,
  slot: number,
  runtime: 'threads' | 'inline',
): Meter | undefined => memory && new Meter(new Meters(slots, memory), slot, runtime === 'inline' ? INLINE_EVERY : 1)
