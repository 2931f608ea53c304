/**
 * How the mail of a system travels. Cells, the system and whichever thread links a round see only these interfaces. Between
 * threads mail is encoded in the memory that they share (shared-mail.ts); within one thread it is copied (local-mail.ts).
 */
import type { EnvelopeId } from '../actor/step-report.ts'
import { type Address, SYSTEM } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import {
  CLASS_CONTROL,
  CLASS_DATA,
  type LinkedEnvelope,
  LOST_DEAD,
  LOST_EARLIER_INCARNATION,
  LOST_MAILBOX_FULL,
  LOST_STOPPED,
} from './envelope.ts'
import { ALIVE, type Board, STOPPED } from './layout.ts'
import type { Tape } from './tape.ts'

/** The end of the mail that belongs to one incarnation of a slot: what it sends, and what it receives. */
export interface Endpoint {
  /** The envelope that is being handled, and so the cause of what is sent. */
  cause: EnvelopeId | null
  /** Sets the instant and the subround of what is sent next. */
  moveTo(now: Time, subround: number): void

  /**
   * Copies a message for the `post`s that follow.
   *
   * @throws NotPlainError with the path of what cannot travel
   */
  pack(message: Plain): void
  /** Sends the packed message to a slot; `kind` is a CLASS_* code. It leaves with the next `publish`. */
  post(to: number, kind: number, due: Time): EnvelopeId
  /** Sends the packed message as a copy of reliable delivery, or as a receipt. */
  postCopy(to: number, kind: number, due: Time, copy: CopyHeader): void
  /** Sends the packed message as news of an incarnation, which is named so. */
  postNews(to: number, due: Time, name: EnvelopeId): void
  /** Takes the name of an envelope that is lost before it leaves, or that leaves as copies. */
  nextId(): EnvelopeId

  /** Begins a report: a list whose first item comes last. */
  beginReport(): void
  /** Adds the packed message to the report. */
  addPacked(): void
  addToReport(item: Plain): void
  /** Ends the report by its first item and sends it to the system; `kind` is a CLASS_* code. */
  postReport(kind: number, first: Plain): void
  /** Sends the packed report to the system. */
  postPacked(kind: number): void

  /** A savepoint before a step; `rollback` returns to it if the step fails. */
  readonly savepoint: number
  /** Takes back everything posted since a savepoint. */
  rollback(savepoint: number): void
  /** Hands everything posted over to whichever thread links it. */
  publish(): void

  /** Hands over all envelopes that have been linked since the last call, in the order of linking. */
  collect(each: (envelope: LinkedEnvelope) => void): void
}

/** The fields that reliable delivery adds to an envelope. Without `seq` it is a receipt, which has no name. */
export interface CopyHeader {
  readonly toIncarnation: number
  readonly seq?: number
  readonly n?: number
  readonly base?: number
}

/** Called for each envelope that is linked and not lost. */
export type OnLinked = (to: number, kind: number, due: Time) => void

/** The mail of a system, as one thread sees it. */
export interface Mail {
  readonly board: Board

  /** Makes the end of an incarnation, in the thread that runs it. */
  endpoint(slot: number, incarnation: number): Endpoint
  /**
   * Virtual time: links what a slot published in its last round to the recipients. What cannot be delivered is lost, and goes
   * to the system. It may be called again for a round whose leader has died.
   */
  link(slot: number, onLinked: OnLinked): void

  /**
   * Takes all mail on its way to a slot, in the order of sending. It is lost for `reason`, a LOST_* code, and still has to be
   * read and released.
   */
  takeUndelivered(slot: number, reason: number): readonly LinkedEnvelope[]
  /** All mail that is linked and unread, in the order of sending. */
  unread(): readonly LinkedEnvelope[]

  /** Gives a slot its address, for good. Only the system does so, before it tells an actor of the slot. */
  setAddress(slot: number, address: Address): void
  /** The address of a slot; '' for a slot that has none. */
  addressOf(slot: number): Address

  /**
   * Makes an empty recording of at most `limit` bytes, to which envelopes of this mail can be added. Within one thread steps write
   * their reports to it, and the system gets only those that it acts on, or all while lines are heard.
   */
  tape(limit: number, isHeard: () => boolean): Tape
}

/** The LOST_* code that says why mail for an incarnation cannot be delivered; 0 if it can. `kind` is a CLASS_* code. */
export function faultOfMail(board: Board, to: number, toIncarnation: number, kind: number): number {
  const { dead, incarnation, pending, size } = board
  if (to === SYSTEM) return 0
  const isOwn = toIncarnation === board.int(incarnation + to)
  // A copy for an earlier incarnation goes to the present one, which tells the sender so.
  if (!isOwn && kind !== CLASS_DATA) return LOST_EARLIER_INCARNATION
  const state = board.int(dead + to)
  if (state !== ALIVE) return state === STOPPED ? LOST_STOPPED : LOST_DEAD
  // Orders of the system are exempt: a full mailbox must not keep an actor from being started.
  if (kind === CLASS_CONTROL) return 0
  return board.int(pending + to) >= size.mailbox ? LOST_MAILBOX_FULL : 0
}
