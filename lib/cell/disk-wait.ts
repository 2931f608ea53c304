/**
 * The wait of one actor for its slow disk. A step that persists records is taken when they are on the disk: only then its
 * messages leave, and a death before loses the whole step. The other events of its round wait behind it, and what they
 * persist is written with it. Mail and timers that come due meanwhile are handled later.
 */
import { TIME_MAX, type Time } from '../core/time.ts'
import type { Board } from '../memory/layout.ts'

export class DiskWait {
  readonly #board: Board
  readonly #slot: number
  /** What is to be done when the disk has written; undefined while the actor waits for nothing. */
  #later: (() => void)[] | undefined
  /** The slots that sent the events which were put off. */
  readonly #sources = new Set<number>()
  #until: Time = 0
  #isWritten = false

  constructor(board: Board, slot: number) {
    this.#board = board
    this.#slot = slot
  }

  get isWaiting(): boolean {
    return this.#later !== undefined
  }

  /** Whether an event may have to be put off. */
  get isSlow(): boolean {
    return this.#later !== undefined || this.#writeTime !== 0
  }

  get #writeTime(): Time {
    return this.#board.num(this.#board.writeTime + this.#slot)
  }

  /** The instant at which the disk has written; 0 while the actor waits for nothing. */
  get until(): Time {
    return this.#later ? this.#until : 0
  }

  /** Whether an event of this source was put off. */
  isAwaitedBy(source: number): boolean {
    return this.#sources.has(source)
  }

  /**
   * Puts `act`, the handling of an event, off until the disk has written. This is so if the actor waits already, or if the disk
   * is slow and the event `persists` anything. Returns whether it was put off. `source` is the slot that sent the event.
   */
  delays(source: number, act: () => void, now: Time, persists: () => boolean): boolean {
    if (this.#later) {
      this.#later.push(act)
      this.#sources.add(source)
      return true
    }
    const writeTime = this.#writeTime
    if (writeTime === 0 || this.#isWritten || !persists()) return false
    this.#until = Math.min(now + writeTime, TIME_MAX)
    this.#later = [act]
    this.#sources.add(source)
    return true
  }

  /** Does what was put off, and `andThen` what its round left, if the disk has written by `now`. Returns whether the actor waits on. */
  endsBy(now: Time, andThen: () => unknown): boolean {
    const later = this.#later
    if (!later) return false
    if (now < this.#until) return true
    this.clear()
    this.#isWritten = true
    for (const act of later) act()
    andThen()
    this.#isWritten = false
    return false
  }

  /** Forgets what was put off: the actor is over. */
  clear(): void {
    this.#later = undefined
    this.#sources.clear()
  }
}
