/**
 * A trace in memory, as cheap as it can be while the run goes on: what cells report is copied as it lies in mail memory,
 * and its lines are made when somebody asks for them.
 */
import type { Board } from '../memory/board.ts'
import { blockOf, Codec } from '../memory/codec.ts'
import { WORDS } from '../memory/record.ts'
import { itemAt } from '../system/inbox.ts'
import { type Line, linesOf } from './lines.ts'

/** Of int32s; a record that is longer has a chunk of its own. */
const CHUNK = 1 << 18
/** A place in the log is a chunk and a place in it. */
const CHUNKS = 1 << 24

export class Recorder {
  readonly #board: Board
  /** Most bytes of records. */
  readonly #limit: number
  readonly #chunks: Int32Array[] = []
  #used = CHUNK
  #bytes = 0
  #isFull = false
  /** Everything that happened: places in the log, and in `#lines` as -1, -2, ... */
  readonly #order: number[] = []
  readonly #lines: Line[] = []

  constructor(board: Board, limit: number) {
    this.#board = board
    this.#limit = limit
  }

  /** Copies the record at `at`. */
  keep(at: number): void {
    if (this.#isFull) return
    const { i32 } = this.#board
    const size = 2 * (i32[2 * at + WORDS] ?? 0)
    this.#bytes += 4 * size
    if (this.#bytes > this.#limit) {
      this.note({ t: 'truncated', limit: this.#limit, option: 'traceBytes' })
      this.#isFull = true
      return
    }
    if (this.#used + size > CHUNK) {
      this.#chunks.push(new Int32Array(Math.max(CHUNK, size)))
      this.#used = 0
    }
    const chunk = this.#chunks.length - 1
    const place = this.#used
    this.#chunks[chunk]?.set(i32.subarray(2 * at, 2 * at + size), place)
    this.#used = Math.max(place + size, size > CHUNK ? CHUNK : 0)
    this.#order.push(chunk * CHUNKS + place)
  }

  /** A line that the system itself has to tell. */
  note(line: Line): void {
    if (!this.#isFull) this.#order.push(-this.#lines.push(line))
  }

  /** Everything so far. */
  *lines(nameOf: (slot: number) => string): Generator<Line> {
    const { definitions, i32 } = this.#board
    const { end } = definitions
    const words = this.#chunks.reduce((most, chunk) => Math.max(most, chunk.length), 0)
    // Messages name their shapes by address: behind the definitions each record is read as it was.
    const block = blockOf(new ArrayBuffer(8 * end + 4 * words))
    block.i32.set(i32.subarray(0, 2 * end))
    const codec = new Codec(block, definitions)
    for (const place of this.#order) {
      if (place < 0) {
        const line = this.#lines[-place - 1]
        if (line) yield line
        continue
      }
      const log = this.#chunks[Math.floor(place / CHUNKS)] ?? new Int32Array()
      const from = place % CHUNKS
      block.i32.set(log.subarray(from, from + 2 * (log[from + WORDS] ?? 0)), 2 * end)
      const item = itemAt(block, codec, end)
      if (item) yield* linesOf(item, nameOf)
    }
  }
}
