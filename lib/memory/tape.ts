/**
 * A compact recording of envelopes: records (record.ts) one after another, in private memory.
 *
 * Between threads the system adds each envelope when it reads it. Within one thread a step writes its report while it goes on, and
 * the system says later that it has read it: only then is the report a part of the recording. All other envelopes are added when
 * the system reads them, so each has a place among the reports.
 */

import type { EnvelopeId } from '../actor/step-report.ts'
import { SYSTEM } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import { type Block, blockOf, type Words } from './block.ts'
import { Codec } from './codec.ts'
import { CLASS_TRACE, type Envelope } from './envelope.ts'
import { Log } from './log.ts'
import * as record from './record.ts'
import type { Definitions } from './shapes.ts'

/** Memory in which the shapes of messages are defined. */
export interface Defining {
  readonly block: Block
  readonly definitions: Definitions
}

/** Whose step is reported, when, and what it handled. */
export interface Reporting {
  readonly slot: number
  readonly incarnation: number
  readonly at: Time
  readonly cause: EnvelopeId | null
}

/** An entry of a recording: a report, or else a record. */
interface Entry {
  readonly entry: Int32Array
  readonly isReport: boolean
}

// int32 fields of a report, from twice its word address; the first is its length
const SLOT = 1
const INCARNATION = 2
/** The name of its cause: slot, incarnation, seq. A slot below 0 means no cause. */
const CAUSE = 3
/** A double, from its word address. */
const AT = 3
/** The list of the report begins here. */
const REPORT = 4
/** How many words longer the record of a report would be. */
const SAVED = record.BODY - REPORT

export class Tape {
  readonly #defining: Defining
  readonly #codec: Codec
  /** The most bytes. The envelope that passes it is the last one. */
  readonly #limit: number
  /** The reports that steps have written. */
  readonly #reports = new Log()
  #written = 0
  /** How many of them the system has read. */
  #read = 0
  /** The records of all other envelopes, and for each the number of reports before it. */
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

  /** The words of 8 bytes in the recording, each report counted as the record that it would be between threads. */
  get words(): number {
    return this.#reports.words + this.#written * SAVED + this.#others.words
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
    const place = this.#others.claim(words)
    // A record begins with a link that is not needed any more; here it begins with its length.
    this.#others.chunk.i32.set(i32.subarray(2 * at + 1, 2 * (at + words)), 2 * place + 1)
    this.#placeOther()
  }

  /** Adds an envelope that is no record and comes after `reports` reports. It takes as many words as its record would. */
  addEnvelope(envelope: Envelope, reports: number): void {
    this.readTo(reports)
    if (!this.isOpen) return
    const words = record.BODY + this.#codec.encode(envelope.read())
    const at = this.#others.claim(words)
    record.writeHeader(this.#others.chunk, at, envelope, words)
    this.#codec.storeIn(this.#others.chunk.i32, at + record.BODY)
    this.#placeOther()
  }

  #placeOther(): void {
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
  endReport(first: Plain, { slot, incarnation, at, cause }: Reporting): void {
    const length = this.#codec.endList(first)
    if (this.#written >= this.#end) return
    const entry = this.#reports.claim(REPORT + length)
    const { i32, f64 } = this.#reports.chunk
    const i = 2 * entry
    i32[i + SLOT] = slot
    i32[i + INCARNATION] = incarnation
    i32[i + CAUSE] = cause ? cause[0] : -1
    i32[i + CAUSE + 1] = cause ? cause[1] : 0
    i32[i + CAUSE + 2] = cause ? cause[2] : 0
    f64[entry + AT] = at
    this.#codec.storeIn(i32, entry + REPORT)
    this.#written++
    this.#endAtLimit()
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
    const longest = Math.max(this.#reports.longest + SAVED, this.#others.longest)
    const copy = blockOf(new ArrayBuffer(8 * (start + longest)))
    copy.i32.set(block.i32.subarray(0, 2 * start))
    const codec = new Codec(copy, definitions)
    for (const { entry, isReport } of this.#entries()) {
      if (isReport) writeReport(copy, start, entry)
      else copy.i32.set(entry, 2 * start)
      const words = entry.length / 2 + (isReport ? SAVED : 0)
      yield { envelope: new record.RecordedEnvelope(copy, codec, start), words }
    }
  }

  /** All entries in the order in which the system has read them. */
  *#entries(): Generator<Entry> {
    const others = this.#others.entries()
    let other = 0
    let place = 0
    for (const report of this.#reports.entries()) {
      for (; this.#places[other] === place; other++) yield* taken(others)
      if (place === this.#read) return
      yield { entry: report, isReport: true }
      place++
    }
    for (const entry of others) yield { entry, isReport: false }
  }
}

/** The next one of some records. */
function* taken(records: Iterator<Int32Array>): Generator<Entry> {
  const { value, done } = records.next()
  if (!done) yield { entry: value, isReport: false }
}

/** Writes a report as the record that it would be between threads. */
function writeReport(words: Words, at: number, entry: Int32Array): void {
  const field = (which: number): number => entry[which] ?? 0
  const from = field(CAUSE)
  const cause = from < 0 ? null : ([from, field(CAUSE + 1), field(CAUSE + 2)] as const)
  const id = [field(SLOT), field(INCARNATION), 0] as const
  words.i32.set(entry, 2 * (at + SAVED))
  const sentAt = words.f64[at + SAVED + AT] ?? 0
  const header = { id, class: CLASS_TRACE, to: SYSTEM, cause, sentAt, subround: 0, due: sentAt, lost: 0 }
  record.writeHeader(words, at, header, entry.length / 2 + SAVED)
}
