/** The slow disks of actors. Cells read in shared memory how long a write takes. */
import type { Time } from '../core/time.ts'
import type { Board } from '../memory/layout.ts'

/** One reason why a disk is slow. */
interface Slowness {
  readonly slot: number
  readonly writeTime: Time
}

export class SlowDisks {
  readonly #board: Board
  readonly #slow = new Set<Slowness>()

  constructor(board: Board) {
    this.#board = board
  }

  /** Makes the disk of a slot slow, until the returned function is called. Of several reasons the worst counts. */
  slow(slot: number, writeTime: Time): () => void {
    const slowness = { slot, writeTime }
    this.#slow.add(slowness)
    this.#publish(slot)
    return () => {
      this.#slow.delete(slowness)
      this.#publish(slot)
    }
  }

  #publish(slot: number): void {
    let worst = 0
    for (const one of this.#slow) if (one.slot === slot) worst = Math.max(worst, one.writeTime)
    this.#board.put(this.#board.writeTime + slot, worst)
  }
}
