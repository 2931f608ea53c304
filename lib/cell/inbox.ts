/** The system's side of mail memory: reads what cells report, and what could not be delivered. */

import { type InboxItem, isReport } from '../actor/step-report.ts'
import { isMessage, type Plain } from '../core/data.ts'
import type { Words } from '../memory/block.ts'
import type { Codec } from '../memory/codec.ts'
import * as record from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'
import { SYSTEM } from '../memory/layout.ts'
import { takeAll } from '../memory/mpsc-list.ts'
import { reportOf } from './step-record.ts'

/** Keeps records as they lie in memory, if it keeps any. */
export interface RecordSink {
  readonly nameOf: (slot: number) => string
  keep(at: number): void
}

/** Takes all records that were linked to the system, in the order in which they were linked. Each is to be read. */
export function takeInbox(board: Board): number[] {
  board.set(board.reports, 0)
  return takeAll(board, SYSTEM)
}

/** Takes all mail still on its way to one slot, wherever it is held, in the order of sending. Each is to be read. */
export function takeUndelivered(board: Board, slot: number, reason: number): number[] {
  const { i32, head, pending } = board
  const found = [...record.posted(board)].filter(
    (at) => i32[2 * at + record.TO] === slot && i32[2 * at + record.LOST] === 0,
  )
  board.set(head + slot, 0)
  board.set(pending + slot, 0) // not less what was found: it may have died handling one that it had not yet discounted
  for (const at of found) {
    i32[2 * at + record.LOST] = reason
    i32[2 * at + record.STEPS_LOGGED] = 0 // it is read now, whatever else is yet to be read
  }
  return found.sort((one, other) => bySending(board, one, other))
}

/** The order in which two records were sent, to sort by. */
export function bySending(board: Board, one: number, other: number): number {
  const apart = (field: number) => board.num(one + field) - board.num(other + field)
  const [a, b] = [record.idOf(board, one), record.idOf(board, other)]
  return apart(record.SENT_AT) || apart(record.DUE) || a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/**
 * Reads a record and gives its memory back; undefined for what is nobody's letter, or is only to be kept: what only a
 * trace tells of, unless it `isHeard`.
 */
export function read(
  board: Board,
  codec: Codec,
  at: number,
  keeper: RecordSink,
  isHeard = false,
): InboxItem | undefined {
  const kind = board.i32[2 * at + record.CLASS]
  // no line comes of the rest, and where it is read differs between threads and inline
  if (isLetter(kind)) keeper.keep(at)
  const isRead = isHeard || kind !== record.CLASS_TRACE
  const item = isRead ? itemAt(board, codec, at, keeper.nameOf) : undefined
  record.release(board, at)
  return item
}

/** A record as an item; undefined for what is nobody's letter. */
export function itemAt(
  words: Words,
  codec: Codec,
  at: number,
  nameOf: (slot: number) => string,
): InboxItem | undefined {
  const { i32, f64 } = words
  const [id, cause] = [record.idOf(words, at), record.causeOf(words, at)]
  const body = codec.decode(at + record.BODY)
  const what = Array.isArray(body)
    ? ({ type: 'report', report: reportOf(body, id, cause, nameOf) } as const)
    : meaning(i32[2 * at + record.CLASS], body, i32[2 * at + record.LOST] ?? 0)
  return (
    what && {
      id,
      cause,
      to: i32[2 * at + record.TO] ?? 0,
      sentAt: f64[at + record.SENT_AT] ?? 0,
      due: f64[at + record.DUE] ?? 0,
      what,
    }
  )
}

const isLetter = (kind: number | undefined): boolean => record.isReport(kind) || kind === record.CLASS_MAIL

/** What the system tells a cell, and a cell's copies and receipts, are nobody's letters: the sender answers for those. */
function meaning(kind: number | undefined, body: Plain, reason: number): InboxItem['what'] | undefined {
  if (record.isReport(kind)) return isReport(body) ? { type: 'report', report: body } : undefined
  if (kind !== record.CLASS_MAIL || !isMessage(body)) return undefined
  return reason === 0 ? { type: 'mail', message: body } : { type: 'dead letter', message: body, reason }
}
