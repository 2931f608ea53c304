/** Mail in shared memory: encoded records in pages of their senders (record.ts), and a list of them for each slot. */
import { type Address, SYSTEM } from '../core/address.ts'
import { AddressTable, addressIn } from './address-table.ts'
import { Codec } from './codec.ts'
import type { Board } from './layout.ts'
import { faultOfMail, type Mail, type OnLinked } from './mail.ts'
import { nextOfStep } from './mpsc-list.ts'
import type { Pages } from './pages.ts'
import * as record from './record.ts'
import { SharedEnvelope } from './record.ts'
import { SharedEndpoint } from './shared-endpoint.ts'
import { Tape } from './tape.ts'

export class SharedMail implements Mail {
  readonly board: Board
  readonly #codec: Codec
  readonly #addresses: AddressTable
  readonly #pages: Pages | undefined

  /** With `pages` all ends of this mail write into these; without, each slot has pages of its own. */
  constructor(board: Board, pages?: Pages) {
    this.board = board
    this.#pages = pages
    this.#codec = new Codec(board.block, board.definitions)
    this.#addresses = new AddressTable(board)
  }

  endpoint(slot: number, incarnation: number): SharedEndpoint {
    return new SharedEndpoint(this.board, this.#codec, slot, incarnation, this.#pages)
  }

  link(slot: number, onLinked: OnLinked): void {
    const { i32, f64, first } = this.board
    for (let at = i32[first + slot] ?? 0; at !== 0; at = nextOfStep(this.board, at)) {
      const r = 2 * at
      // A posted record was linked by a leader that died. Only what that leader may have left undone is done again.
      if (i32[r + record.STATE] !== record.STATE_POSTED) this.#enqueue(at)
      if (i32[r + record.LOST] === 0) {
        onLinked(i32[r + record.TO] ?? 0, i32[r + record.CLASS] ?? 0, f64[at + record.DUE] ?? 0)
      }
    }
  }

  /**
   * Puts a record into the list of its recipient, or of the system if it cannot be delivered, and counts it.
   *
   * A leader may die between any two of these writes. A record at the head of its list is linked, and it carries the
   * count of its recipient's mail with it, so the next leader stores the same count and the state.
   */
  #enqueue(at: number): void {
    const { i32, head, pending, reports } = this.board
    const r = 2 * at
    let slot = i32[r + record.LOST] === 0 ? (i32[r + record.TO] ?? 0) : SYSTEM
    const isLinked = i32[head + slot] === at
    if (!isLinked) {
      const lost = undeliverable(this.board, at)
      i32[r + record.LOST] = lost
      slot = lost === 0 ? (i32[r + record.TO] ?? 0) : SYSTEM
    }
    const count = slot === SYSTEM ? reports : pending + slot
    if (!isLinked) {
      i32[r + record.COUNT] = (i32[count] ?? 0) + 1
      i32[r + record.NEXT] = i32[head + slot] ?? 0
      i32[head + slot] = at
    }
    i32[count] = i32[r + record.COUNT] ?? 0
    i32[r + record.STATE] = record.STATE_POSTED
  }

  takeUndelivered(slot: number, reason: number): SharedEnvelope[] {
    return record.takeUndelivered(this.board, slot, reason).map((at) => this.#envelopeAt(at))
  }

  unread(): SharedEnvelope[] {
    return record.unread(this.board).map((at) => this.#envelopeAt(at))
  }

  #envelopeAt(at: number): SharedEnvelope {
    return new SharedEnvelope(this.board, this.#codec, at)
  }

  setAddress(slot: number, address: Address): void {
    this.#addresses.set(slot, address)
  }

  addressOf(slot: number): Address {
    return addressIn(this.board, slot)
  }

  tape(limit: number): Tape {
    return new Tape(this.board, limit)
  }
}

/** The LOST_* code that says why a record cannot be delivered; 0 if it can. */
export function undeliverable(board: Board, at: number): number {
  const { i32 } = board
  const [to, incarnation] = [i32[2 * at + record.TO] ?? 0, i32[2 * at + record.TO_INCARNATION] ?? 0]
  return faultOfMail(board, to, incarnation, i32[2 * at + record.CLASS] ?? 0)
}
