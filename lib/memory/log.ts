/** A log in private memory: entries one after another, read in the order of writing. */

import type { Words } from './block.ts'

/** Lengths of chunks in words of 8 bytes: each is twice as long as the one before, up to `last`. A longer entry has a chunk of its own. */
const CHUNK = { first: 1 << 12, last: 1 << 17 } as const

interface Chunk extends Words {
  /** Words in use. */
  used: number
}

export class Log {
  readonly #chunks: Chunk[] = []
  #chunk = chunkOf(0)
  #next: number = CHUNK.first
  #words = 0
  #longest = 0

  /** The words of all entries. */
  get words(): number {
    return this.#words
  }

  /** The words of the longest entry. */
  get longest(): number {
    return this.#longest
  }

  /** The chunk that contains the last entry. */
  get chunk(): Words {
    return this.#chunk
  }

  /** Makes room for an entry and returns its address in `chunk`. Its first int32 is `words` and must stay so. */
  claim(words: number): number {
    let chunk = this.#chunk
    if (chunk.used + words > chunk.f64.length) {
      chunk = chunkOf(Math.max(this.#next, words))
      this.#next = Math.min(2 * this.#next, CHUNK.last)
      this.#chunks.push(chunk)
      this.#chunk = chunk
    }
    const at = chunk.used
    chunk.i32[2 * at] = words
    chunk.used = at + words
    this.#words += words
    if (words > this.#longest) this.#longest = words
    return at
  }

  /** All entries, as written. */
  *entries(): Generator<Int32Array> {
    for (const { i32, used } of this.#chunks) {
      for (let at = 0; at < used; at += i32[2 * at] ?? used) yield i32.subarray(2 * at, 2 * (at + (i32[2 * at] ?? 0)))
    }
  }
}

function chunkOf(words: number): Chunk {
  const buffer = new ArrayBuffer(8 * words)
  return { i32: new Int32Array(buffer), f64: new Float64Array(buffer), used: 0 }
}
