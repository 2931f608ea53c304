/**
 * A trace in memory, made to be cheap during the run: mail of cells to the system is copied as it is in mail memory, and
 * lines are made only when they are read. Cells of the same thread write their step records here directly; each mailed
 * record says how many of these were written before it.
 */

import { itemAt } from '../cell/inbox.ts'
import { MAILED, readEntry, type StepLog } from '../cell/step-log.ts'
import { blockOf, type Words } from '../memory/block.ts'
import { Codec } from '../memory/codec.ts'
import { STEPS_LOGGED, WORDS } from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'
import { Log } from '../memory/log.ts'
import { type Line, linesOf } from './lines.ts'

export class Recorder implements StepLog {
  readonly #board: Board
  /** The most bytes, as if all records were mailed. */
  readonly #limit: number
  readonly #written = new Log()
  readonly #mailed = new Log()
  readonly #lines: Line[] = []
  /** Mailed records and lines. Each has twice the number of written records before it, plus one for a line. */
  readonly #order: number[] = []
  /** The number of written records that come before the next kept one. */
  #told = 0
  /** The number of step records that were refused for want of room. */
  #refused = 0
  readonly #isHeard: () => boolean

  /** `isHeard` says whether a listener hears every line at once. */
  constructor(board: Board, limit: number, isHeard: () => boolean) {
    this.#board = board
    this.#limit = limit
    this.#isHeard = isHeard
  }

  get isOpen(): boolean {
    return !this.#isHeard()
  }

  /** The number of step records, refused ones included; records that are mailed after refused ones are not kept. */
  get count(): number {
    return this.#written.count + this.#refused
  }

  get chunk(): Words {
    return this.#written.chunk
  }

  claim(words: number): number {
    const written = this.#written.bytes + 8 * MAILED * this.#written.count
    this.#countReports(1)
    if (written + this.#mailed.bytes <= this.#limit) return this.#written.claim(words)
    this.#refused++
    return -1
  }

  takeBack(count: number): void {
    if (this.count <= count) return
    this.#countReports(-1)
    if (this.#refused > 0) this.#refused--
    else this.#written.takeBack()
  }

  /** Counts a written record like a mailed one, so that the system has its turns at the same instants. */
  #countReports(more: number): void {
    const { i32, reports } = this.#board
    i32[reports] = (i32[reports] ?? 0) + more
  }

  /** Says whether the next record is beyond the limit. */
  get #isFull(): boolean {
    return this.#mailed.bytes > this.#limit || this.#told > this.#written.count
  }

  /** Copies the record at `at`; its first word, a link that is not needed any more, is replaced by the length. */
  keep(at: number): void {
    const { i32 } = this.#board
    this.#told = Math.max(this.#told, i32[2 * at + STEPS_LOGGED] ?? 0)
    if (this.#isFull) return
    const words = i32[2 * at + WORDS] ?? 0
    const place = this.#mailed.claim(words)
    this.#mailed.chunk.i32.set(i32.subarray(2 * at + 1, 2 * (at + words)), 2 * place + 1)
    this.#order.push(2 * this.#told)
  }

  /** Notes that all mail has been read, so everything written comes before the next kept record. */
  catchUp(): void {
    this.#told = this.count
  }

  /** Adds a line of the system itself. */
  note(line: Line): void {
    if (this.#isFull) return
    this.#order.push(2 * this.#told + 1)
    this.#lines.push(line)
  }

  /** Everything so far, up to the limit. */
  *lines(nameOf: (slot: number) => string): Generator<Line> {
    const { definitions, i32 } = this.#board
    const { end } = definitions
    // Messages name their shapes by address: behind the definitions each entry is read as it was.
    const block = blockOf(new ArrayBuffer(8 * (end + Math.max(this.#written.longest, this.#mailed.longest))))
    block.i32.set(i32.subarray(0, 2 * end))
    const codec = new Codec(block, definitions)
    let bytes = 0
    for (const what of this.#all()) {
      if ('line' in what) {
        yield what.line
        continue
      }
      const { entry, isMailed } = what
      bytes += 4 * entry.length + (isMailed ? 0 : 8 * MAILED)
      if (bytes > this.#limit) return yield { t: 'truncated', limit: this.#limit, option: 'traceBytes' }
      block.i32.set(entry, 2 * end)
      const item = isMailed ? itemAt(block, codec, end, nameOf) : readEntry(block, codec, end, nameOf)
      if (item) yield* linesOf(item, nameOf)
    }
  }

  *#all(): Generator<Kept> {
    const written = this.#written.entries()
    const mailed = this.#mailed.entries()
    const lines = this.#lines.values()
    let before = 0
    const upTo = function* (told: number): Generator<Kept> {
      for (; before < told; before++) for (const entry of next(written)) yield { entry, isMailed: false }
    }
    for (const place of this.#order) {
      yield* upTo(place >> 1)
      if (place % 2 === 1) for (const line of next(lines)) yield { line }
      else for (const entry of next(mailed)) yield { entry, isMailed: true }
    }
    yield* upTo(this.#told)
  }
}

type Kept = { readonly line: Line } | { readonly entry: Int32Array; readonly isMailed: boolean }

function* next<T>(from: Iterator<T>): Generator<T> {
  const { done, value } = from.next()
  if (!done) yield value
}
