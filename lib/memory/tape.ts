/** A compact recording of envelopes: records (record.ts) one after another, in private memory. */
import { type Block, blockOf } from './block.ts'
import { Codec } from './codec.ts'
import type { Envelope } from './envelope.ts'
import { Log } from './log.ts'
import * as record from './record.ts'
import type { Definitions } from './shapes.ts'

/** Memory in which the shapes of messages are defined. */
export interface Defining {
  readonly block: Block
  readonly definitions: Definitions
}

export class Tape {
  readonly #log = new Log()
  readonly #defining: Defining
  readonly #codec: Codec

  /** `defining` has the shapes of the records that are added, and gets those of the messages. */
  constructor(defining: Defining) {
    this.#defining = defining
    this.#codec = new Codec(defining.block, defining.definitions)
  }

  /** The words of 8 bytes in the recording. */
  get words(): number {
    return this.#log.words
  }

  /** Adds a copy of the record at `at`. */
  addRecord(i32: Int32Array, at: number): void {
    const words = i32[2 * at + record.WORDS] ?? 0
    const place = this.#log.claim(words)
    // A record begins with a link that is not needed any more; here it begins with its length.
    this.#log.chunk.i32.set(i32.subarray(2 * at + 1, 2 * (at + words)), 2 * place + 1)
  }

  /** Adds an envelope that is no record. It takes as many words as its record would. */
  addEnvelope(envelope: Envelope): void {
    const words = record.BODY + this.#codec.encode(envelope.read())
    const at = this.#log.claim(words)
    record.writeHeader(this.#log.chunk, at, envelope, words)
    this.#codec.storeIn(this.#log.chunk.i32, at + record.BODY)
  }

  /** All envelopes in the order of adding, each with its length. It can be read until the next one is asked for. */
  *envelopes(): Generator<{ readonly envelope: Envelope; readonly words: number }> {
    const { block, definitions } = this.#defining
    const { end } = definitions
    // Messages name their shapes by address: behind the definitions each record is read as it was.
    const copy = blockOf(new ArrayBuffer(8 * (end + this.#log.longest)))
    copy.i32.set(block.i32.subarray(0, 2 * end))
    const codec = new Codec(copy, definitions)
    for (const entry of this.#log.entries()) {
      copy.i32.set(entry, 2 * end)
      yield { envelope: new record.RecordedEnvelope(copy, codec, end), words: entry.length / 2 }
    }
  }
}
