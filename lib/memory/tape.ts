/**
 * A compact recording of envelopes: records (record.ts) one after another, in private memory.
 *
 * Between threads the system adds each envelope when it reads it. Within one thread a step writes its report while it goes on, and
 * the system says later that it has read it: only then is the report a part of the recording. All other envelopes are added when
 * the system reads them, so each has a place among the reports.
 */

import type { Plain } from '../core/data.ts'
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
  readonly #defining: Defining
  readonly #codec: Codec
  /** The most bytes. The envelope that passes it is the last one. */
  readonly #limit: number
  /** The reports that steps have written or, between threads, all records. */
  readonly #reports = new Log()
  #written = 0
  /** How many of them the system has read. */
  #read = 0
  /** The envelopes that came otherwise, and for each the number of reports before it. */
  readonly #others = new Log()
  readonly #places: number[] = []
  /** The number of reports before the first envelope that is not recorded any more. */
  #end = Number.POSITIVE_INFINITY

  /** `defining` has the shapes of the records that are added, and gets those of the messages. */
  constructor(defining: Defining, limit: number) {
    this.#defining = defining
    this.#codec = new Codec(defining.block, defining.definitions)
    this.#limit = limit
  }

  /** The words of 8 bytes in the recording. */
  get words(): number {
    return this.#reports.words + this.#others.words
  }

  /** The number of reports that steps have written. */
  get written(): number {
    return this.#written
  }

  /** The number of envelopes that the system has read. */
  get length(): number {
    return this.#read + this.#places.length
  }

  /** Whether the next envelope that the system reads belongs to the recording. */
  get isOpen(): boolean {
    return this.#read < this.#end
  }

  /** Adds a copy of the record at `at`. */
  addRecord(i32: Int32Array, at: number): void {
    if (!this.isOpen) return
    const words = i32[2 * at + record.WORDS] ?? 0
    const place = this.#reports.claim(words)
    // A record begins with a link that is not needed any more; here it begins with its length.
    this.#reports.chunk.i32.set(i32.subarray(2 * at + 1, 2 * (at + words)), 2 * place + 1)
    this.#written++
    this.#read++
    this.#endAtLimit()
  }

  /** Adds an envelope that is no record and comes after `reports` reports. It takes as many words as its record would. */
  addEnvelope(envelope: Envelope, reports: number): void {
    this.readTo(reports)
    if (!this.isOpen) return
    this.#write(this.#others, envelope, this.#codec.encode(envelope.read()))
    this.#places.push(this.#read)
    this.#endAtLimit()
  }

  /** Begins the report of a step: a list whose first item comes last. */
  beginReport(): void {
    this.#codec.beginList()
  }

  addToReport(item: Plain): void {
    this.#codec.addToList(item)
  }

  /** Ends a report by its first item, and writes it. */
  endReport(header: record.Header, first: Plain): void {
    const words = this.#codec.endList(first)
    if (this.#written >= this.#end) return
    this.#write(this.#reports, header, words)
    this.#written++
    this.#endAtLimit()
  }

  /** Writes what the codec has encoded. */
  #write(log: Log, header: record.Header, length: number): void {
    const words = record.BODY + length
    const at = log.claim(words)
    record.writeHeader(log.chunk, at, header, words)
    this.#codec.storeIn(log.chunk.i32, at + record.BODY)
  }

  #endAtLimit(): void {
    if (8 * this.words > this.#limit && this.#end > this.#written) this.#end = this.#written
  }

  /** Notes that the system has read the first `reports` reports, or all that there are. */
  readTo(reports = this.#written): void {
    this.#read = Math.max(this.#read, Math.min(reports, this.#written))
  }

  /** All envelopes that the system has read, each with its length. It can be read until the next one is asked for. */
  *envelopes(): Generator<{ readonly envelope: Envelope; readonly words: number }> {
    const { block, definitions } = this.#defining
    // Messages name their shapes by address: behind the definitions each record is read as it was.
    const start = Atomics.load(block.i32, definitions.pointer)
    const longest = Math.max(this.#reports.longest, this.#others.longest)
    const copy = blockOf(new ArrayBuffer(8 * (start + longest)))
    copy.i32.set(block.i32.subarray(0, 2 * start))
    const codec = new Codec(copy, definitions)
    for (const entry of this.#entries()) {
      copy.i32.set(entry, 2 * start)
      yield { envelope: new record.RecordedEnvelope(copy, codec, start), words: entry.length / 2 }
    }
  }

  /** All entries in the order in which the system has read them. */
  *#entries(): Generator<Int32Array> {
    const others = this.#others.entries()
    let other = 0
    let place = 0
    for (const report of this.#reports.entries()) {
      for (; this.#places[other] === place; other++) yield* taken(others)
      if (place === this.#read) return
      yield report
      place++
    }
    yield* others
  }
}

/** The next one of some entries. */
function* taken(entries: Iterator<Int32Array>): Generator<Int32Array> {
  const { value, done } = entries.next()
  if (!done) yield value
}
