/**
 * The fields of a record in mail memory: an envelope of integers and two times, then the encoded message. The sender writes
 * the whole record before it publishes it; after that each field has the one writer that its comment names.
 */
import type { EnvelopeId } from '../actor/step-report.ts'
import type { Board } from './layout.ts'
import { FIRST_RECORD, free, runsOf, usedOf } from './pages.ts'

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
 * that a recipient that refuses it (`Mailbox.refuse`), and the system for a recipient that is gone (`takeUndelivered`).
 */
export const LOST = 15
/** How many words of a local log were written before it. Sender. */
export const LOGGED = 16
/** Virtual time: how many records its list's count comes to with it, so that a second leader counts it once. Leader. */
export const COUNT = 17
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

/** A message between actors, or to or from the outside. */
export const CLASS_MAIL = 0
/** An order of the system to a cell: start, joined, left, computed. */
export const CLASS_CONTROL = 1
/** A report of a cell to the system: what happened in a step. */
export const CLASS_REPORT = 2
/** Reliable delivery: one copy of a message. If the copy is lost, the message is not. */
export const CLASS_DATA = 3
/** Reliable delivery: an acknowledgement or a refusal, from a cell to a cell. */
export const CLASS_RECEIPT = 4

/** A report that only a trace needs. */
export const CLASS_TRACE = 5
/**
 * News of one incarnation, which the system sends in its name: its cause fields are the name of the envelope. So it keeps its
 * place behind all mail of that incarnation, under every schedule.
 */
export const CLASS_NEWS = 6
/** The sequence numbers from here on name the news of an incarnation; those below name what it sent. */
export const NEWS_FROM = 0x7fff_0000

export const isReport = (kind: number | undefined): boolean => kind === CLASS_REPORT || kind === CLASS_TRACE

/** The most messages of actors from one host to another that may be unacknowledged. */
export const UNHEARD_MAX = 100_000

export const LOST_REASONS = [
  '',
  'the recipient is dead',
  'sent to an earlier incarnation',
  'the mailbox is full',
  'lost on the network',
  'a partition separates the machines',
  'no such actor',
  'the actor has stopped',
  'the answer came too late',
  'no acknowledgement came (options reliable.attempts, reliable.timeout)',
  'too many messages to one actor are unacknowledged (option reliable.window)',
  'lost between two hosts',
  'no host listens for the recipient',
  'longer than the NATS server takes (max_payload)',
  `more than ${UNHEARD_MAX} messages to one host are unacknowledged`,
] as const
export const LOST_DEAD = 1
export const LOST_EARLIER_INCARNATION = 2
export const LOST_MAILBOX_FULL = 3
export const LOST_NETWORK = 4
export const LOST_PARTITION = 5
export const LOST_NO_SUCH_ACTOR = 6
export const LOST_STOPPED = 7
export const LOST_LATE_ANSWER = 8
export const LOST_UNACKNOWLEDGED = 9
export const LOST_WINDOW = 10
export const LOST_BETWEEN_HOSTS = 11
export const LOST_NO_HOST = 12
export const LOST_TOO_LONG = 13
export const LOST_UNHEARD = 14

/** Where the three fields of an envelope's name begin. */
export const nameAt = ({ i32 }: Pick<Board, 'i32'>, at: number): number =>
  2 * at + (i32[2 * at + CLASS] === CLASS_NEWS ? CAUSE_FROM : FROM)

/** The name of an envelope: slot and incarnation of the sender, and its sequence number. */
export function idOf(words: Pick<Board, 'i32'>, at: number): EnvelopeId {
  const { i32 } = words
  const first = nameAt(words, at)
  return [i32[first] ?? 0, i32[first + 1] ?? 0, i32[first + 2] ?? 0]
}

/** The name of the envelope that was being handled when this one was sent; null if there was none. */
export const causeOf = ({ i32 }: Pick<Board, 'i32'>, at: number): EnvelopeId | null => {
  const from = i32[2 * at + CAUSE_FROM] ?? -1
  return from < 0 ? null : [from, i32[2 * at + CAUSE_INCARNATION] ?? 0, i32[2 * at + CAUSE_SEQ] ?? 0]
}

/** Marks a record as read and gives its memory back to the sender. */
export const release = (board: Board, at: number): void => {
  board.i32[2 * at + STATE] = STATE_FREE
  free(board, board.i32[2 * at + RUN_AT] ?? 0)
}

/** For each slot the instant when the last mail on its way to it from slot `from` is due. */
export function lastDues(board: Board, from: number): ReadonlyMap<number, number> {
  const dues = new Map<number, number>()
  for (const at of posted(board)) {
    if (board.i32[2 * at + FROM] !== from) continue
    const to = board.i32[2 * at + TO] ?? 0
    dues.set(to, Math.max(dues.get(to) ?? 0, board.num(at + DUE)))
  }
  return dues
}

/** Frees the drafts that earlier incarnations of a slot did not commit. All their committed records must be linked. */
export function releaseDrafts(board: Board, slot: number): void {
  const { i32 } = board
  for (const at of everyRecord(board)) {
    if (i32[2 * at + FROM] === slot && i32[2 * at + STATE] === STATE_DRAFT) release(board, at)
  }
}

/** Every record that is linked and unread, wherever it is held. */
export function* posted(board: Board): Generator<number> {
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
