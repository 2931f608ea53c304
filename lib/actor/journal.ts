/**
 * What one address has persisted. The records of one step are one write: they are kept together or lost together. A journal
 * remembers more writes than count, so that a fault can lose the last ones, a snapshot among them.
 */
import type { Plain } from '../core/data.ts'

/** The records of one step. */
export interface Write {
  readonly records: readonly Plain[]
  /** Whether they replace all records before them. */
  readonly isSnapshot: boolean
}

/** The last writes of an address that a death loses, since its disk had not kept them. */
export interface DiskLoss {
  readonly writes: number
  /** Whether a part of the first of them is left on the disk, which the next start recognizes and cuts off. */
  readonly isTorn?: true
}

/** The most writes that one fault loses. */
export const LOSS_MAX = 100

export class Journal {
  /** The records that an earlier run has left. */
  #base: readonly Plain[]
  #writes: Write[] = []
  /** Whether writes before the first one were forgotten. They can come back no more, so the first one cannot be lost. */
  #isTrimmed = false

  constructor(base: readonly Plain[] = []) {
    this.#base = base
  }

  /** The records that count: those of the last snapshot, and of all writes after it. */
  get records(): Plain[] {
    const first = this.#writes.findLastIndex(({ isSnapshot }) => isSnapshot)
    const base = first < 0 ? this.#base : []
    return [...base, ...this.#writes.slice(Math.max(0, first)).flatMap(({ records }) => records)]
  }

  add(write: Write): void {
    this.#writes.push(write)
    if (write.isSnapshot) this.#trim()
  }

  /** Forgets what would not count even if the last `LOSS_MAX` writes were lost. */
  #trim(): void {
    const first = this.#writes.slice(0, -LOSS_MAX).findLastIndex(({ isSnapshot }) => isSnapshot)
    if (first < 0) return
    this.#base = []
    this.#writes = this.#writes.slice(first)
    this.#isTrimmed = true
  }

  /** Loses the last writes, and returns them: there may be fewer. */
  lose(writes: number): readonly Write[] {
    const least = this.#isTrimmed ? 1 : 0
    return this.#writes.splice(Math.max(least, this.#writes.length - writes))
  }
}
