/** The system's side of mail memory: reads what cells report, and what could not be delivered. */
import type { Board } from '../memory/board.ts'
import { SYSTEM } from '../memory/board.ts'
import type { Codec } from '../memory/codec.ts'
import { takeAll } from '../memory/list.ts'
import * as record from '../memory/record.ts'
import { isMessage, type Plain } from '../plain.ts'
import { type Item, isReport } from '../report.ts'

/** Keeps records as they lie in memory. */
export interface Keeper {
  keep(at: number, reason: number): number
  /** Does nobody else ask for what only a trace tells of? */
  readonly isAlone: boolean
}

/** What was read; or, of what need not be, where it is kept. */
export type Found = Item | number

/** Takes everything that was linked to the system, in the order in which it was linked. */
export function takeInbox(board: Board, codec: Codec, keeper?: Keeper): Found[] {
  const addresses = takeAll(board, SYSTEM)
  board.set(board.reports, 0)
  const all: Found[] = []
  for (const at of addresses) {
    const found = read(board, codec, at, board.i32[2 * at + record.LOST] ?? 0, keeper)
    if (found !== undefined) all.push(found)
  }
  return all
}

/** Makes dead letters of all mail still on its way to one slot, wherever it is held, in the order of sending. */
export function takeUndelivered(board: Board, codec: Codec, slot: number, reason: number, keeper?: Keeper): Item[] {
  const { i32, head, pending } = board
  const found = [...record.posted(board)].filter(
    (at) => i32[2 * at + record.TO] === slot && i32[2 * at + record.LOST] === 0,
  )
  board.set(head + slot, 0)
  board.set(pending + slot, 0) // not less what was found: it may have died handling one that it had not yet discounted
  return found
    .flatMap((at) => {
      const item = read(board, codec, at, reason, keeper)
      return typeof item === 'object' ? [item] : []
    })
    .sort(asSent)
}

const asSent = (a: Item, b: Item): number =>
  a.sentAt - b.sentAt || a.due - b.due || a.id[0] - b.id[0] || a.id[1] - b.id[1] || a.id[2] - b.id[2]

function read(board: Board, codec: Codec, at: number, reason: number, keeper: Keeper | undefined): Found | undefined {
  const kept = keeper?.keep(at, reason)
  if (kept !== undefined && keeper?.isAlone && board.i32[2 * at + record.CLASS] === record.CLASS_TRACE) {
    record.release(board, at)
    return kept
  }
  const item = itemAt(board, codec, at, reason)
  record.release(board, at)
  return kept === undefined || !item ? item : { ...item, kept }
}

/** A record as an item; undefined for what is nobody's letter. */
export function itemAt(board: Pick<Board, 'i32' | 'f64'>, codec: Codec, at: number, reason: number): Item | undefined {
  const { i32, f64 } = board
  const kind = i32[2 * at + record.CLASS] ?? 0
  const body = codec.decode(at + record.BODY)
  const item = {
    id: record.idOf(board, at),
    cause: record.causeOf(board, at),
    to: i32[2 * at + record.TO] ?? 0,
    sentAt: f64[at + record.SENT_AT] ?? 0,
    due: f64[at + record.DUE] ?? 0,
  }
  const what = meaning(kind, body, reason)
  return what && { ...item, what }
}

/** What the system tells a cell, and a cell's copies and receipts, are nobody's letters: the sender answers for those. */
function meaning(kind: number, body: Plain, reason: number): Item['what'] | undefined {
  if (record.isReport(kind)) return isReport(body) ? { type: 'report', report: body } : undefined
  if (kind !== record.CLASS_MAIL || !isMessage(body)) return undefined
  return reason === 0 ? { type: 'mail', message: body } : { type: 'dead letter', message: body, reason }
}
