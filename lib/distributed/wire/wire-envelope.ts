/** Records of mail memory as they travel between processes: the envelope's integers and times, and the message. */

import { SYSTEM } from '../../core/address.ts'
import type { Plain } from '../../core/data.ts'
import { NotPlainError } from '../../core/data.ts'
import type { Codec } from '../../memory/codec.ts'
import type { Board } from '../../memory/layout.ts'
import { takeAll } from '../../memory/mpsc-list.ts'
import { Pages } from '../../memory/pages.ts'
import * as record from '../../memory/record.ts'

/** The int32 fields of a record that mean the same in every process, in wire order. */
const FIELDS = [
  ...[record.TO, record.TO_INCARNATION, record.FROM, record.FROM_INCARNATION, record.SEQ, record.SUBROUND],
  ...[record.CAUSE_FROM, record.CAUSE_INCARNATION, record.CAUSE_SEQ, record.CLASS, record.LOST],
] as const
const TO_AT = 0
const FROM_AT = 2
const FROM_INCARNATION_AT = 3
const LOST_AT = FIELDS.length - 1

/** The wire form of an envelope: its fields, its due time, its send time, then the message. */
export type WireEnvelope = readonly Plain[]

export function isWireEnvelope(value: unknown): value is WireEnvelope {
  if (!Array.isArray(value) || value.length !== FIELDS.length + 3) return false
  for (let i = 0; i < FIELDS.length; i++) if (!Number.isInteger(value[i])) return false
  return Number.isFinite(value[FIELDS.length]) && Number.isFinite(value[FIELDS.length + 1])
}

const intOf = (parcel: WireEnvelope, at: number): number => Number(parcel[at])
export const toOf = (parcel: WireEnvelope): number => intOf(parcel, TO_AT)
export const fromOf = (parcel: WireEnvelope): number => intOf(parcel, FROM_AT)
export const incarnationOf = (parcel: WireEnvelope): number => intOf(parcel, FROM_INCARNATION_AT)
export const bodyOf = (parcel: WireEnvelope): Plain => parcel.at(-1) ?? null

/** The same envelope as a lost one; `reason` is a LOST_* code. */
export const lostOf = (parcel: WireEnvelope, reason: number): WireEnvelope => parcel.with(LOST_AT, reason)
export const withBody = (parcel: WireEnvelope, body: Plain): WireEnvelope => parcel.with(-1, body)

/** Takes a record out of memory; undefined if the system has given it up since. */
function takeEnvelope(board: Board, codec: Codec, at: number): WireEnvelope | undefined {
  const { i32, f64 } = board
  const state = 2 * at + record.STATE
  if (Atomics.compareExchange(i32, state, record.STATE_POSTED, record.STATE_HELD) !== record.STATE_POSTED)
    return undefined
  const parcel: Plain[] = []
  for (const field of FIELDS) parcel.push(i32[2 * at + field] ?? 0)
  parcel.push(f64[at + record.DUE] ?? 0, f64[at + record.SENT_AT] ?? 0, codec.decode(at + record.BODY))
  record.release(board, at)
  return parcel
}

/** Takes all records that are linked to a slot out of memory, in their order. */
export function takeEnvelopes(board: Board, codec: Codec, slot: number): WireEnvelope[] {
  if (board.int(board.head + slot) === 0) return []
  const linked = takeAll(board, slot)
  if (slot !== SYSTEM) Atomics.sub(board.i32, board.pending + slot, linked.length)
  return linked.flatMap((at) => {
    const parcel = takeEnvelope(board, codec, at)
    return parcel ? [parcel] : []
  })
}

/** A slot that no actor has: it owns the pages of records from other processes. */
const NOBODY = -1

/** Puts parcels into the mail memory of a process. */
export class Unpacking {
  readonly #board: Board
  readonly #codec: Codec
  readonly #pages: Pages

  constructor(board: Board, codec: Codec) {
    this.#board = board
    this.#codec = codec
    this.#pages = new Pages(board, NOBODY)
  }

  /** Posts an envelope, which is then to be linked, and returns its address; undefined if no actor could have sent it. */
  put(parcel: WireEnvelope): number | undefined {
    const { i32, f64 } = this.#board
    const isOfSlots = this.#isSlot(toOf(parcel)) && this.#isSlot(fromOf(parcel))
    const encoded = isOfSlots ? this.#encode(bodyOf(parcel)) : undefined
    if (encoded === undefined) return undefined
    const words = record.BODY + encoded
    const at = this.#pages.allocate(words)
    let i = 0
    for (const field of FIELDS) i32[2 * at + field] = intOf(parcel, i++)
    i32[2 * at + record.NEXT] = 0
    i32[2 * at + record.CHAIN] = 0
    i32[2 * at + record.RUN_AT] = this.#pages.run
    i32[2 * at + record.STATE] = record.STATE_POSTED
    i32[2 * at + record.WORDS] = words
    f64[at + record.DUE] = intOf(parcel, FIELDS.length)
    f64[at + record.SENT_AT] = intOf(parcel, FIELDS.length + 1)
    this.#pages.commit(words)
    this.#codec.store(at + record.BODY)
    return at
  }

  #isSlot(slot: number): boolean {
    return slot >= SYSTEM && slot < this.#board.size.slots
  }

  #encode(body: Plain): number | undefined {
    try {
      return this.#codec.encode(body)
    } catch (error) {
      if (error instanceof NotPlainError) return undefined
      throw error
    }
  }
}
