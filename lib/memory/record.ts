/**
 * The fields of a record in mail memory: an envelope of integers and two times, then the encoded message. The sender writes
 * the whole record before it publishes it; after that each field has the one writer that its comment names.
 */
import type { EnvelopeId } from '../actor/step-report.ts'
import { SYSTEM } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import type { Words } from './block.ts'
import type { Codec } from './codec.ts'
import {
  bySending,
  CLASS_NEWS,
  type Envelope,
  type LinkedEnvelope,
  LOST_EARLIER_INCARNATION,
  type SequencePlace,
} from './envelope.ts'
import type { Board } from './layout.ts'
import { push } from './mpsc-list.ts'
import { FIRST_RECORD, free, runsOf, usedOf } from './pages.ts'
import type { Tape } from './tape.ts'

// int32 fields, from twice the record's word address
/** The next record in the recipient's list of unread mail. The linking thread. */
export const NEXT = 0
/** The next record that the same step sent. Sender. */
export const CHAIN = 1
export const TO = 2
export const TO_INCARNATION = 3
export const FROM = 4
export const FROM_INCARNATION = 5
/** The sequence number among the sender's records: (from, incarnation, seq) names an envelope and orders a pair's mail. */
export const SEQ = 6
/** The subround of sending. */
export const SUBROUND = 7
/** The address of the run of pages that contains the record. */
export const RUN_AT = 8
/** A STATE_* code. */
export const STATE = 9
/** The name of its cause, the envelope that was being handled: from, incarnation, seq. A `from` below 0 means no cause. */
export const CAUSE_FROM = 10
export const CAUSE_INCARNATION = 11
export const CAUSE_SEQ = 12
/** CLASS_DATA has these in place of a cause: the sequence number and the base of its Packet. */
export const NUMBER = 10
export const BASE = 11
/** The length of the whole record, in words. */
export const WORDS = 13
/** A CLASS_* code. */
export const CLASS = 14
/**
 * Why it could not be delivered, a LOST_* code; 0 if it could. The sender writes 0, then whichever thread links it. After
 * that a recipient that refuses it (`refuse`), and the system for a recipient that is gone (`takeUndelivered`).
 */
export const LOST = 15
/** Virtual time: how many records its list's count comes to with it, so that a second leader counts it once. Leader. */
export const COUNT = 16
// doubles, from the record's word address
export const DUE = 9
export const SENT_AT = 10
/** The message begins here. */
export const BODY = 11

/** The record is written but not linked. */
export const STATE_DRAFT = 0
/** The record is linked and not collected. */
export const STATE_POSTED = 1
/** The recipient has collected the record and not handled it. */
export const STATE_HELD = 2
/** The record was read or given up; its memory may be used again. */
export const STATE_FREE = 3

/** The name of an envelope: slot and incarnation of the sender, and its sequence number. */
function idOf(i32: Int32Array, at: number): EnvelopeId {
  const first = 2 * at + (i32[2 * at + CLASS] === CLASS_NEWS ? CAUSE_FROM : FROM)
  return [i32[first] ?? 0, i32[first + 1] ?? 0, i32[first + 2] ?? 0]
}

/** Marks a record as read and gives its memory back to the sender. */
export const release = (board: Board, at: number): void => {
  board.i32[2 * at + STATE] = STATE_FREE
  free(board, board.i32[2 * at + RUN_AT] ?? 0)
}

/** The envelope in a record. */
export class RecordedEnvelope implements Envelope {
  readonly id: EnvelopeId
  readonly sentAt: Time
  readonly subround: number
  readonly due: Time
  /** The address of the record. */
  readonly at: number
  readonly #i32: Int32Array
  readonly #codec: Codec

  constructor({ i32, f64 }: Words, codec: Codec, at: number) {
    this.id = idOf(i32, at)
    this.sentAt = f64[at + SENT_AT] ?? 0
    this.subround = i32[2 * at + SUBROUND] ?? 0
    this.due = f64[at + DUE] ?? 0
    this.at = at
    this.#i32 = i32
    this.#codec = codec
  }

  #int(field: number): number {
    return this.#i32[2 * this.at + field] ?? 0
  }

  get class(): number {
    return this.#int(CLASS)
  }

  get to(): number {
    return this.#int(TO)
  }

  get toIncarnation(): number {
    return this.#int(TO_INCARNATION)
  }

  get cause(): EnvelopeId | null {
    const from = this.#int(CAUSE_FROM)
    return from < 0 ? null : [from, this.#int(CAUSE_INCARNATION), this.#int(CAUSE_SEQ)]
  }

  get lost(): number {
    return this.#int(LOST)
  }

  get place(): SequencePlace {
    return { n: this.#int(NUMBER), base: this.#int(BASE) }
  }

  read(): Plain {
    return this.#codec.decode(this.at + BODY)
  }

  readFirst(): Plain {
    return this.#codec.decodeFirst(this.at + BODY)
  }
}

/** The envelope in a record that is linked. */
export class SharedEnvelope extends RecordedEnvelope implements LinkedEnvelope {
  readonly arrival: number
  readonly #board: Board

  constructor(board: Board, codec: Codec, at: number, arrival = 0) {
    super(board, codec, at)
    this.arrival = arrival
    this.#board = board
  }

  /** The record is freed before it is counted: a thread that dies between the two leaves no record that is not counted. */
  release(): void {
    const { to } = this
    const isCounted = to !== SYSTEM && this.lost === 0
    release(this.#board, this.at)
    if (isCounted) Atomics.sub(this.#board.i32, this.#board.pending + to, 1)
  }

  /** This happens in real time only, to an envelope that was linked too late. */
  refuse(): void {
    const { i32, pending } = this.#board
    Atomics.sub(i32, pending + this.to, 1)
    i32[2 * this.at + LOST] = LOST_EARLIER_INCARNATION
    push(this.#board, SYSTEM, this.at)
  }

  addTo(tape: Tape): void {
    tape.addRecord(this.#board.i32, this.at)
  }
}

/** The fields of an envelope that mean the same in mail memory and in a recording. */
export type Header = Pick<Envelope, 'id' | 'class' | 'to' | 'cause' | 'sentAt' | 'subround' | 'due' | 'lost'>

/** Writes these fields, and the length of the record. */
export function writeHeader({ i32, f64 }: Words, at: number, header: Header, words: number): void {
  const { id, cause } = header
  const i = 2 * at
  i32[i + TO] = header.to
  i32[i + FROM] = id[0]
  i32[i + FROM_INCARNATION] = id[1]
  i32[i + SEQ] = id[2]
  i32[i + SUBROUND] = header.subround
  i32[i + CAUSE_FROM] = cause ? cause[0] : -1
  i32[i + CAUSE_INCARNATION] = cause ? cause[1] : 0
  i32[i + CAUSE_SEQ] = cause ? cause[2] : 0
  i32[i + WORDS] = words
  i32[i + CLASS] = header.class
  i32[i + LOST] = header.lost
  f64[at + DUE] = header.due
  f64[at + SENT_AT] = header.sentAt
}

/** Frees the drafts that earlier incarnations of a slot did not commit. All their committed records must be linked. */
export function releaseDrafts(board: Board, slot: number): void {
  const { i32 } = board
  for (const at of everyRecord(board)) {
    if (i32[2 * at + FROM] === slot && i32[2 * at + STATE] === STATE_DRAFT) release(board, at)
  }
}

/** Every record that is linked and unread, wherever it is held. */
function* posted(board: Board): Generator<number> {
  for (const at of everyRecord(board)) {
    const state = Atomics.load(board.i32, 2 * at + STATE)
    if (state === STATE_POSTED || state === STATE_HELD) yield at
  }
}

function* everyRecord(board: Board): Generator<number> {
  const { i32 } = board
  for (const run of runsOf(board)) {
    const end = run.at + usedOf(board, run)
    for (let at = run.at + FIRST_RECORD; at < end; at += Math.max(1, i32[2 * at + WORDS] ?? 0)) {
      // In real time the owner may reuse the page meanwhile. A record that does not name this page is none.
      if (i32[2 * at + RUN_AT] === run.at) yield at
    }
  }
}

/**
 * Takes all records on their way to one slot, wherever they are held, in the order of sending. Each is lost for `reason`, a
 * LOST_* code, and still has to be read.
 */
export function takeUndelivered(board: Board, slot: number, reason: number): number[] {
  const { i32, head, pending } = board
  if (board.int(pending + slot) === 0 && board.int(head + slot) === 0) return [] // spares a look at all records
  const found = [...posted(board)].filter((at) => i32[2 * at + TO] === slot && i32[2 * at + LOST] === 0)
  board.set(head + slot, 0)
  // All of it, and not only what was found: the thread may have died between freeing a record and counting it.
  board.set(pending + slot, 0)
  for (const at of found) i32[2 * at + LOST] = reason
  return inOrder(board, found)
}

/** Every record that is linked and unread, in the order of sending: the order in memory depends on the threads. */
export const unread = (board: Board): number[] => inOrder(board, [...posted(board)])

function inOrder({ i32, f64 }: Words, records: readonly number[]): number[] {
  const sendings = records.map((at) => ({
    at,
    id: idOf(i32, at),
    sentAt: f64[at + SENT_AT] ?? 0,
    due: f64[at + DUE] ?? 0,
  }))
  return sendings.sort(bySending).map(({ at }) => at)
}
