/**
 * A trace in memory, made to be cheap during the run: mail of cells to the system is copied as it is in mail memory, and
 * lines are made only when they are read. Cells of the same thread write records here directly; each mailed record says
 * how many words of these were written before it.
 */

import { itemAt } from '../cell/inbox.ts'
import type { LocalLog } from '../cell/step-log.ts'
import { blockOf, type Words } from '../memory/block.ts'
import { Codec } from '../memory/codec.ts'
import { LOGGED, WORDS } from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'
import { Log } from '../memory/log.ts'
import { type Line, linesOf } from './lines.ts'

export class Recorder implements LocalLog {
  readonly #board: Board
  /** The most bytes of records. */
  readonly #limit: number
  readonly #written = new Log()
  readonly #mailed = new Log()
  readonly #lines: Line[] = []
  /** Mailed records and lines. Each has twice the written words before it, plus one for a line. */
  readonly #order: number[] = []
  /** The number of written words that come before the next kept record. */
  #told = 0
  readonly #isHeard: () => boolean

  /** `isHeard` says whether a listener hears every line at once. */
  constructor(board: Board, limit: number, isHeard: () => boolean) {
    this.#board = board
    this.#limit = limit
    this.#isHeard = isHeard
  }

  get isOpen(): boolean {
    return !this.#isHeard() && this.#isWithin(this.#written.words)
  }

  get words(): number {
    return this.#written.words
  }

  get chunk(): Words {
    return this.#written.chunk
  }

  /** Makes room for a record, and counts it like a mailed one, so that the system has its turns at the same instants. */
  claim(words: number): number {
    const { i32, reports } = this.#board
    i32[reports] = (i32[reports] ?? 0) + 1
    return this.#written.claim(words)
  }

  /** Says whether a record is within the limit that comes after this many written words. */
  #isWithin(written: number): boolean {
    return 8 * (written + this.#mailed.words) <= this.#limit
  }

  /** Copies the record at `at`; its first word, a link that is not needed any more, is replaced by the length. */
  keep(at: number): void {
    const { i32 } = this.#board
    this.#told = Math.max(this.#told, i32[2 * at + LOGGED] ?? 0)
    if (!this.#isWithin(this.#told)) return
    const words = i32[2 * at + WORDS] ?? 0
    const place = this.#mailed.claim(words)
    this.#mailed.chunk.i32.set(i32.subarray(2 * at + 1, 2 * (at + words)), 2 * place + 1)
    this.#order.push(2 * this.#told)
  }

  /** Notes that all mail has been read, so everything written comes before the next kept record. */
  catchUp(): void {
    this.#told = this.#written.words
  }

  /** Adds a line of the system itself. */
  note(line: Line): void {
    if (!this.#isWithin(this.#told)) return
    this.#order.push(2 * this.#told + 1)
    this.#lines.push(line)
  }

  /** Everything so far, up to the limit. */
  *lines(nameOf: (slot: number) => string): Generator<Line> {
    const { definitions, i32 } = this.#board
    const { end } = definitions
    // Messages name their shapes by address: behind the definitions each record is read as it was.
    const block = blockOf(new ArrayBuffer(8 * (end + Math.max(this.#written.longest, this.#mailed.longest))))
    block.i32.set(i32.subarray(0, 2 * end))
    const codec = new Codec(block, definitions)
    let bytes = 0
    for (const kept of this.#all()) {
      if (!(kept instanceof Int32Array)) {
        yield kept
        continue
      }
      bytes += 4 * kept.length
      if (bytes > this.#limit) return yield { t: 'truncated', limit: this.#limit, option: 'traceBytes' }
      block.i32.set(kept, 2 * end)
      const item = itemAt(block, codec, end, nameOf)
      if (item) yield* linesOf(item, nameOf)
    }
  }

  /** The records and lines in their order. */
  *#all(): Generator<Int32Array | Line> {
    const written = this.#written.entries()
    const mailed = this.#mailed.entries()
    const lines = this.#lines.values()
    let words = 0
    const upTo = function* (told: number): Generator<Int32Array> {
      while (words < told) {
        const { done, value } = written.next()
        if (done) return
        words += value.length / 2
        yield value
      }
    }
    for (const place of this.#order) {
      yield* upTo(Math.floor(place / 2))
      yield* place % 2 === 1 ? next(lines) : next(mailed)
    }
    yield* upTo(this.#told)
  }
}

function* next<T>(from: Iterator<T>): Generator<T> {
  const { done, value } = from.next()
  if (!done) yield value
}
