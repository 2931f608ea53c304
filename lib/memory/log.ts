/** Entries one after another in memory of one's own, read in the order in which they were written. */

import type { Words } from './block.ts'

/** Of words of 8 bytes: each chunk is twice as long as the one before, up to the last. A longer entry has its own. */
const CHUNK = { first: 1 << 12, last: 1 << 17 } as const

interface Chunk extends Words {
  /** Words in use. */
  used: number
}

export class Log {
  readonly #chunks: Chunk[] = []
  #chunk = chunkOf(0)
  #next: number = CHUNK.first
  #count = 0
  #words = 0
  #longest = 0
  /** Words of the last entry. */
  #last = 0

  /** Entries in it. */
  get count(): number {
    return this.#count
  }

  get bytes(): number {
    return 8 * this.#words
  }

  /** Words of the longest entry. */
  get longest(): number {
    return this.#longest
  }

  /** Where the last entry is. */
  get chunk(): Words {
    return this.#chunk
  }

  /** Room for an entry of `words`; returns its address in `chunk`. Its first int32 is their number, and stays so. */
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
    this.#count++
    this.#words += words
    this.#last = words
    if (words > this.#longest) this.#longest = words
    return at
  }

  /** Takes back the entry claimed last; once. */
  takeBack(): void {
    this.#count--
    this.#words -= this.#last
    this.#chunk.used -= this.#last
  }

  /** Every entry, whole. */
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
