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

export class Meter implements CellMeter {
  readonly #meters: Meters
  readonly #slot: number
  /** The places of the types that this incarnation has met. */
  readonly #places = new Map<string, number>()
  #began = 0

  constructor(meters: Meters, slot: number) {
    this.#meters = meters
    this.#slot = slot
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
    this.#began = clock()
  }

  stepEnds(): void {
    this.#meters.handled(this.#slot, clock() - this.#began)
  }
}

/** The meter of a slot, if there is memory for its measures. */
export const meterOf = (memory: ArrayBufferLike | undefined, slots: number, slot: number): Meter | undefined =>
  memory && new Meter(new Meters(slots, memory), slot)
