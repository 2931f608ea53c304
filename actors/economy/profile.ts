/** When which number of processors is free, given the ends of what runs now. */
import type { Time } from '../../lib/actor.ts'

export class Profile {
  readonly #now: Time
  /** When each processor is free, the first first; `idle` of them are now. */
  readonly #free: Time[]
  #idle: number

  /** `ends`: of each busy processor; one that should be free already is taken to be so at any moment. */
  constructor(now: Time, idle: number, ends: readonly Time[]) {
    this.#now = now
    this.#idle = idle
    const busy = ends.map((end) => Math.max(now, end)).sort((one, other) => one - other)
    this.#free = [...new Array<Time>(idle).fill(now), ...busy]
  }

  get idle(): number {
    return this.#idle
  }

  get total(): number {
    return this.#free.length
  }

  /** The earliest time at which so many are free at once; Infinity if there are not so many. */
  earliest(processors: number): Time {
    return this.#free[processors - 1] ?? Number.POSITIVE_INFINITY
  }

  /**
   * Processor time that is idle until the last of so many is free, for each number of processors up to all:
   * W(p) = sum over the p first to be free of (s(p) - when it is free).
   */
  wastes(): readonly Time[] {
    const wastes: Time[] = [0]
    let sum = 0
    for (const [before, free] of this.#free.entries()) {
      wastes.push(free * before - sum)
      sum += free
    }
    return wastes
  }

  /** How many are free at `time`. */
  freeAt(time: Time): number {
    return this.#free.reduce((count, free) => count + (free <= time ? 1 : 0), 0)
  }

  /** So many idle ones are taken from now on for so long. */
  take(processors: number, lasts: Time): void {
    const end = this.#now + lasts
    this.#idle -= processors
    this.#free.splice(0, processors)
    const place = this.#free.findIndex((free) => free > end)
    this.#free.splice(place === -1 ? this.#free.length : place, 0, ...new Array<Time>(processors).fill(end))
  }
}
