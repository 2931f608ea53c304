/** The inbox of the system: reads the reports of cells, mail to the system, and dead letters. */

import { type EnvelopeId, type InboxItem, isReport } from '../actor/step-report.ts'
import { SYSTEM } from '../core/address.ts'
import { isMessage, type Plain } from '../core/data.ts'
import type { Words } from '../memory/block.ts'
import type { Codec } from '../memory/codec.ts'
import * as record from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'
import { takeAll } from '../memory/mpsc-list.ts'
import { withSends } from './step-log.ts'

/** The recorder of a trace in memory: it copies records before their memory is given back. */
export interface RecordSink {
  readonly nameOf: (slot: number) => string
  /** Copies the record at `at`. */
  keep(at: number): void
}

/** Takes all records of the system's list, in the order of linking. The caller must `read` each of them. */
export function takeInbox(board: Board): number[] {
  board.set(board.reports, 0)
  return takeAll(board, SYSTEM)
}

/** Takes all undelivered mail to one slot, wherever it is held, in the order of sending. The caller must `read` each record. */
export function takeUndelivered(board: Board, slot: number, reason: number): number[] {
  const { i32, head, pending } = board
  const found = [...record.posted(board)].filter(
    (at) => i32[2 * at + record.TO] === slot && i32[2 * at + record.LOST] === 0,
  )
  board.set(head + slot, 0)
  // All of it, and not only what was found: the thread may have died between freeing a record and counting it.
  board.set(pending + slot, 0)
  for (const at of found) {
    i32[2 * at + record.LOST] = reason
    i32[2 * at + record.LOGGED] = 0 // it is read now, before entries that a local log still has
  }
  return found.sort((one, other) => bySending(board, one, other))
}

/** Compares two records by the order of sending, for `sort`. */
export function bySending(board: Board, one: number, other: number): number {
  const apart = (field: number) => board.num(one + field) - board.num(other + field)
  const [a, b] = [record.idOf(board, one), record.idOf(board, other)]
  return apart(record.SENT_AT) || apart(record.DUE) || a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/**
 * Reads a record, offers it to `sink`, and gives its memory back.
 *
 * Returns undefined for control records, copies and receipts, and, unless lines are heard, for records that only a trace needs.
 */
export function read(board: Board, codec: Codec, at: number, sink: RecordSink, isHeard = false): InboxItem | undefined {
  const kind = board.i32[2 * at + record.CLASS]
  // The rest makes no line, and is read at other times on threads than inline.
  if (isLetter(kind)) sink.keep(at)
  const isRead = isHeard || kind !== record.CLASS_TRACE
  const item = isRead ? itemAt(board, codec, at, sink.nameOf, isHeard) : undefined
  record.release(board, at)
  return item
}

/** Decodes a record; undefined for control records, copies and receipts. Unless it is `whole`, messages of a step are left out. */
export function itemAt(
  words: Words,
  codec: Codec,
  at: number,
  nameOf: (slot: number) => string,
  whole = true,
): InboxItem | undefined {
  const { i32, f64 } = words
  const id = record.idOf(words, at)
  const body = whole ? codec.decode(at + record.BODY) : codec.decodeFirst(at + record.BODY)
  const kind = i32[2 * at + record.CLASS]
  const what = record.isReport(kind)
    ? reported(body, id, nameOf)
    : delivered(kind, body, i32[2 * at + record.LOST] ?? 0)
  return (
    what && {
      id,
      cause: record.causeOf(words, at),
      to: i32[2 * at + record.TO] ?? 0,
      sentAt: f64[at + record.SENT_AT] ?? 0,
      due: f64[at + record.DUE] ?? 0,
      what,
    }
  )
}

const isLetter = (kind: number | undefined): boolean => record.isReport(kind) || kind === record.CLASS_MAIL

function reported(body: Plain, id: EnvelopeId, nameOf: (slot: number) => string): InboxItem['what'] | undefined {
  const [first = null, ...sends] = Array.isArray(body) ? body : [body]
  return isReport(first) ? withSends(first, sends, id, nameOf) : undefined
}

/** The meaning of mail. Copies and receipts have none for the system: their sender reports what is lost. */
function delivered(kind: number | undefined, body: Plain, reason: number): InboxItem['what'] | undefined {
  if (kind !== record.CLASS_MAIL || !isMessage(body)) return undefined
  return reason === 0 ? { type: 'mail', message: body } : { type: 'dead letter', message: body, reason }
}
