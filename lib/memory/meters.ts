/**
 * The measures of the actors of a process, with option `metrics`: a block of memory of its own, which its threads share.
 * Each slot has words that only its thread writes, over all its incarnations. The table of message types is for all slots.
 *
 * Everything but the time of handling is fixed by the seed of a run in virtual time.
 */
import { type Time, units } from '../core/time.ts'

/** Where the buckets of the time in a mailbox end. One more has no end. */
export const WAIT_ENDS: readonly Time[] = [0, 0.01, 0.1, 1, 10, 100, 1000].map(units)
/** Where the buckets of the time of handling end, in seconds. One more has no end. */
export const HANDLING_ENDS: readonly number[] = [1e-6, 4e-6, 16e-6, 64e-6, 256e-6, 1e-3, 4e-3, 16e-3, 64e-3, 0.25, 1]

/** The words of a distribution; those of its buckets follow. */
const COUNT = 0
const SUM = 1
const MOST = 2
const BUCKETS = 3

/** The words of a slot. */
const MAILBOX_MOST = 0
const WAIT = 1
const HANDLING = WAIT + BUCKETS + WAIT_ENDS.length + 1
/** Four cache lines, so that two slots share none. */
const SLOT_WORDS = 32

/** The most types of messages that are told apart; all others are counted together. */
export const TYPES_MAX = 255
/** The most UTF-16 units of such a type. */
export const TYPE_LENGTH = 63
/** The place of all other types in the table. */
const OTHER = 0
/** The word of the lock. */
const LOCK = 1
/** A thread that holds the lock longer than this, in milliseconds, has ended. Adding a type takes microseconds. */
const LOCK_MS = 1000
/** The units of an entry of the table: its length, 0 until it can be read, and then its text. */
const ENTRY_UNITS = TYPE_LENGTH + 1

/** A quantity that was measured several times. */
export interface Distribution {
  /** How often it was measured. */
  readonly count: number
  readonly sum: number
  /** The largest value; 0 without any. */
  readonly most: number
  /** The number of values in each bucket: those up to its end, `upTo`, and above that of the bucket before. */
  readonly buckets: readonly { readonly upTo: number; readonly count: number }[]
}

/** The measures of one slot. */
export interface SlotMeasures {
  /** The most messages that were in its mailbox at a time. */
  readonly mailboxMost: number
  /** The time from the arrival of a message until a step handled it, in model time. */
  readonly wait: Distribution
  /** The time of a step by the clock of this computer, in seconds. Inline it is that of one step in sixteen. */
  readonly handling: Distribution
}

export class Meters {
  readonly buffer: ArrayBufferLike
  /** Whether several threads count. */
  readonly #isShared: boolean
  readonly #f64: Float64Array
  /** For each type how often it was handled: the lower 32 bits, then the higher ones. */
  readonly #counts: Int32Array
  /** The number of entries of the table that were taken, and the lock of whoever adds one. */
  readonly #taken: Int32Array
  readonly #entries: Uint16Array

  /** Makes the measures of some slots, or opens those in a `buffer`. */
  constructor(slots: number, buffer: ArrayBufferLike | boolean) {
    const counts = slots * SLOT_WORDS * 8
    const taken = counts + (TYPES_MAX + 1) * 8
    const entries = taken + 8
    const bytes = entries + (TYPES_MAX + 1) * ENTRY_UNITS * 2
    this.buffer = typeof buffer === 'object' ? buffer : buffer ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)
    this.#isShared = this.buffer instanceof SharedArrayBuffer
    this.#f64 = new Float64Array(this.buffer, 0, slots * SLOT_WORDS)
    this.#counts = new Int32Array(this.buffer, counts, (TYPES_MAX + 1) * 2)
    this.#taken = new Int32Array(this.buffer, taken, 2)
    this.#entries = new Uint16Array(this.buffer, entries)
  }

  /** Notes how many messages are in the mailbox of a slot. */
  mailbox(slot: number, messages: number): void {
    const at = slot * SLOT_WORDS + MAILBOX_MOST
    if (messages > (this.#f64[at] ?? 0)) this.#f64[at] = messages
  }

  /** Notes the time that a message has waited in the mailbox of a slot. */
  waited(slot: number, time: Time): void {
    this.#note(slot * SLOT_WORDS + WAIT, Math.max(0, time), WAIT_ENDS)
  }

  /** Notes the time of a step, in seconds. */
  handled(slot: number, seconds: number): void {
    this.#note(slot * SLOT_WORDS + HANDLING, seconds, HANDLING_ENDS)
  }

  #note(at: number, value: number, ends: readonly number[]): void {
    const f64 = this.#f64
    let bucket = 0
    while (bucket < ends.length && value > (ends[bucket] ?? 0)) bucket++
    f64[at + COUNT] = (f64[at + COUNT] ?? 0) + 1
    f64[at + SUM] = (f64[at + SUM] ?? 0) + value
    if (value > (f64[at + MOST] ?? 0)) f64[at + MOST] = value
    const word = at + BUCKETS + bucket
    f64[word] = (f64[word] ?? 0) + 1
  }

  /** Counts a message of the type at a place of the table. */
  count(place: number): void {
    const word = 2 * place
    if (this.#isShared) {
      // -1 are the lower 32 bits before they begin again at 0
      if (Atomics.add(this.#counts, word, 1) === -1) Atomics.add(this.#counts, word + 1, 1)
      return
    }
    const low = ((this.#counts[word] ?? 0) + 1) | 0
    this.#counts[word] = low
    if (low === 0) this.#counts[word + 1] = (this.#counts[word + 1] ?? 0) + 1
  }

  /**
   * The place of a type in the table. A thread may end at any point of this: it leaves at most an entry that is never read, and
   * the lock, which the next thread takes away.
   */
  placeOf(type: string): number {
    if (type.length > TYPE_LENGTH || type.length === 0) return OTHER
    if (!this.#isShared) return this.#placeOf(type)
    while (Atomics.compareExchange(this.#taken, LOCK, 0, 1) !== 0) {
      if (Atomics.wait(this.#taken, LOCK, 1, LOCK_MS) === 'timed-out') break
    }
    try {
      return this.#placeOf(type)
    } finally {
      Atomics.store(this.#taken, LOCK, 0)
      Atomics.notify(this.#taken, LOCK, 1)
    }
  }

  #placeOf(type: string): number {
    const taken = Math.min(TYPES_MAX, Atomics.load(this.#taken, 0))
    for (let place = 1; place <= taken; place++) if (this.#typeAt(place) === type) return place
    if (taken === TYPES_MAX) return OTHER
    const place = Atomics.add(this.#taken, 0, 1) + 1
    if (place > TYPES_MAX) return OTHER
    const at = place * ENTRY_UNITS
    for (let i = 0; i < type.length; i++) this.#entries[at + 1 + i] = type.charCodeAt(i)
    Atomics.store(this.#entries, at, type.length)
    return place
  }

  #typeAt(place: number): string {
    const at = place * ENTRY_UNITS
    const length = Atomics.load(this.#entries, at)
    return String.fromCharCode(...this.#entries.subarray(at + 1, at + 1 + length))
  }

  /** How often messages of each type were handled. All that the table has no place for are under `OTHER_TYPES`. */
  get messages(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (let place = 0; place <= Math.min(TYPES_MAX, Atomics.load(this.#taken, 0)); place++) {
      const type = place === OTHER ? OTHER_TYPES : this.#typeAt(place)
      const low = Atomics.load(this.#counts, 2 * place) >>> 0
      const count = low + 0x1_0000_0000 * Atomics.load(this.#counts, 2 * place + 1)
      if (count > 0) counts.set(type, (counts.get(type) ?? 0) + count)
    }
    return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  /** The measures of a slot. */
  of(slot: number): SlotMeasures {
    const at = slot * SLOT_WORDS
    return {
      mailboxMost: this.#f64[at + MAILBOX_MOST] ?? 0,
      wait: this.#distribution(at + WAIT, WAIT_ENDS),
      handling: this.#distribution(at + HANDLING, HANDLING_ENDS),
    }
  }

  #distribution(at: number, ends: readonly number[]): Distribution {
    const word = (i: number): number => this.#f64[at + i] ?? 0
    const buckets = [...ends, Number.POSITIVE_INFINITY].map((upTo, i) => ({ upTo, count: word(BUCKETS + i) }))
    return { count: word(COUNT), sum: word(SUM), most: word(MOST), buckets }
  }
}

/** The name of all types of messages that have no place of their own in the table. */
export const OTHER_TYPES = ''
