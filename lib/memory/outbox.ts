/** The outbox of one slot: writes records into its pages and chains those of a step, so that one store commits them. */

import type { EnvelopeId } from '../actor/step-report.ts'
import type { Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import type { Words } from './block.ts'
import type { Codec } from './codec.ts'
import * as record from './envelope.ts'
import type { Board } from './layout.ts'
import type { Log } from './log.ts'
import { nextOfStep } from './mpsc-list.ts'
import { Pages } from './pages.ts'

export interface Envelope {
  readonly to: number
  readonly class: number
  readonly due: Time
  readonly sentAt: Time
  readonly subround: number
  readonly cause: EnvelopeId | null
  /** How many words of a local log were written before it. */
  readonly logged?: number
}

/** The fields that reliable delivery adds to an envelope. Without `seq` it is a receipt, which has no name. */
export interface ReliableEnvelope {
  readonly toIncarnation: number
  readonly seq?: number
  readonly n?: number
  readonly base?: number
}

const NO_CAUSE: EnvelopeId = [-1, 0, 0]

/** The most envelopes that one incarnation can number: the numbers from here on are for its news. */
export const ENVELOPES_MAX = record.NEWS_FROM

/** Thrown when an incarnation has no sequence number left; a new incarnation counts from 0 again. */
export class EnvelopesExhausted extends BourseError {
  override readonly name = 'EnvelopesExhausted'

  constructor(message: string) {
    super('BOURSE_ENVELOPES_EXHAUSTED', message)
  }
}

/**
 * Checks that an envelope can have this sequence number.
 *
 * @throws EnvelopesExhausted if it does not fit an int32
 */
export function requireSequenceNumber(seq: number): void {
  if (seq < ENVELOPES_MAX) return
  throw new EnvelopesExhausted(
    `one incarnation of an actor can send ${ENVELOPES_MAX} envelopes (limit ENVELOPES_MAX), and this one has: restart the actor`,
  )
}

export class Outbox {
  readonly #board: Board
  readonly #codec: Codec
  readonly #pages: Pages
  readonly #slot: number
  readonly #incarnation: number
  #first = 0
  #last = 0
  #seq = 0
  #reports = 0
  #words = 0

  constructor(board: Board, codec: Codec, slot: number, incarnation: number) {
    this.#board = board
    this.#codec = codec
    if (incarnation > 0) record.releaseDrafts(board, slot)
    this.#pages = new Pages(board, slot)
    this.#slot = slot
    this.#incarnation = incarnation
  }

  /** Encodes a message for the following `post`s. Throws NotPlainError, which names the path inside the message. */
  encode(message: Plain): void {
    this.#words = this.#codec.encode(message)
  }

  /** Ends the list that the codec has encoded piece by piece with its first item, for the following `post`s. */
  endList(first: Plain): void {
    this.#words = this.#codec.endList(first)
  }

  /** Takes the name of an envelope that is lost before it leaves, or that leaves as copies. */
  nextId(): EnvelopeId {
    requireSequenceNumber(this.#seq)
    return [this.#slot, this.#incarnation, this.#seq++]
  }

  /** Writes one envelope around what `encode` left. */
  post(envelope: Envelope, wire?: ReliableEnvelope): EnvelopeId {
    const { i32 } = this.#board
    const words = record.BODY + this.#words
    const at = this.#pages.allocate(words)
    const seq = wire?.seq ?? this.#seqOf(envelope.class)
    this.#write(this.#board, at, envelope, seq)
    const i = 2 * at
    i32[i + record.NEXT] = 0
    i32[i + record.CHAIN] = 0
    i32[i + record.TO_INCARNATION] = wire
      ? wire.toIncarnation
      : Atomics.load(i32, this.#board.incarnation + envelope.to)
    i32[i + record.RUN_AT] = this.#pages.run
    i32[i + record.STATE] = record.STATE_DRAFT
    if (wire) {
      i32[i + record.NUMBER] = wire.n ?? 0
      i32[i + record.BASE] = wire.base ?? 0
    }
    this.#pages.commit(words)
    this.#codec.store(at + record.BODY)
    if (this.#last === 0) this.#first = at
    else i32[2 * this.#last + record.CHAIN] = at
    this.#last = at
    return [this.#slot, this.#incarnation, seq]
  }

  /** Writes one envelope around what `encode` left into a log of this thread, instead of sending it. */
  keep(log: Pick<Log, 'claim' | 'chunk'>, envelope: Envelope): void {
    const at = log.claim(record.BODY + this.#words)
    this.#write(log.chunk, at, envelope, this.#seqOf(envelope.class))
    this.#codec.storeIn(log.chunk.i32, at + record.BODY)
  }

  /** Writes the fields that mean the same in mail memory and in a log. */
  #write({ i32, f64 }: Words, at: number, envelope: Envelope, seq: number): void {
    const cause = envelope.cause ?? NO_CAUSE
    const i = 2 * at
    i32[i + record.TO] = envelope.to
    i32[i + record.FROM] = this.#slot
    i32[i + record.FROM_INCARNATION] = this.#incarnation
    i32[i + record.SEQ] = seq
    i32[i + record.SUBROUND] = envelope.subround
    i32[i + record.CAUSE_FROM] = cause[0]
    i32[i + record.CAUSE_INCARNATION] = cause[1]
    i32[i + record.CAUSE_SEQ] = cause[2]
    i32[i + record.WORDS] = record.BODY + this.#words
    i32[i + record.CLASS] = envelope.class
    i32[i + record.LOST] = 0
    i32[i + record.LOGGED] = envelope.logged ?? 0
    f64[at + record.DUE] = envelope.due
    f64[at + record.SENT_AT] = envelope.sentAt
  }

  /**
   * Takes a sequence number. Reports have their own, so that tracing changes neither the name nor the order of any mail. A
   * receipt has no name, and is ordered behind all mail that was sent before it.
   */
  #seqOf(kind: number): number {
    const isReport = record.isReport(kind)
    requireSequenceNumber(isReport ? this.#reports : this.#seq)
    if (isReport) return this.#reports++
    return kind === record.CLASS_RECEIPT ? this.#seq : this.#seq++
  }

  /** A savepoint before a step; `rollback` returns to it if the step fails. */
  get savepoint(): number {
    return this.#last
  }

  /** Takes back everything posted since a savepoint. */
  rollback(savepoint: number): void {
    const { i32 } = this.#board
    let at = savepoint === 0 ? this.#first : (i32[2 * savepoint + record.CHAIN] ?? 0)
    if (savepoint === 0) this.#first = 0
    else i32[2 * savepoint + record.CHAIN] = 0
    this.#last = savepoint
    for (; at !== 0; at = nextOfStep(this.#board, at)) record.release(this.#board, at)
  }

  /** Takes the chain of all records posted since the last call; 0 if there is none. */
  take(): number {
    const first = this.#first
    this.#first = 0
    this.#last = 0
    return first
  }
}
