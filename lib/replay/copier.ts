/** Copies plain data as mail memory does, and refuses the same values. */

import type { Plain } from '../core/data.ts'
import { type Block, blockOf } from '../memory/block.ts'
import { Codec } from '../memory/codec.ts'

/** Words of a block: one that says where the next definition goes, then the definitions, then one message. */
const DEFINITIONS_AT = 1
const MESSAGE_AT = 1 << 16
const MESSAGE_WORDS = 1 << 12

export class Copier {
  #words = MESSAGE_WORDS
  #codec: Codec
  #block: Block

  constructor() {
    this.#block = emptyBlock(this.#words)
    this.#codec = codecOn(this.#block)
  }

  /**
   * Checks that a value can travel. Returns its size in words.
   *
   * @throws NotPlainError with the path of what cannot travel
   */
  check(value: Plain): number {
    return this.#codec.encode(value)
  }

  /** Copies a message. Throws NotPlainError for what cannot travel. */
  copy(value: Plain): Plain {
    const words = this.check(value)
    if (words > this.#words) {
      this.#words = 2 * words
      this.#block = emptyBlock(this.#words)
      this.#codec = codecOn(this.#block)
      this.check(value)
    }
    this.#codec.store(MESSAGE_AT)
    return this.#codec.decode(MESSAGE_AT)
  }
}

const emptyBlock = (words: number): Block => blockOf(new ArrayBuffer((MESSAGE_AT + words) * 8))

function codecOn(block: Block): Codec {
  block.i32[0] = DEFINITIONS_AT
  return new Codec(block, { pointer: 0, start: DEFINITIONS_AT, end: MESSAGE_AT })
}
