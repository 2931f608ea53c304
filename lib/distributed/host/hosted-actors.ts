/**
 * The board of one run on a host: the slots of the actors here, mail that arrives for them, and mail that they send to
 * other nodes. No connection and no clock here.
 */

import { awaitLinkers, ELSEWHERE, link } from '../../clock/realtime.ts'
import { SYSTEM } from '../../core/address.ts'
import { Codec } from '../../memory/codec.ts'
import { LOST_DEAD, LOST_STOPPED } from '../../memory/envelope.ts'
import { ALIVE, Board, type BoardSize, STOPPED } from '../../memory/layout.ts'
import { push } from '../../memory/mpsc-list.ts'
import { STATE, STATE_POSTED, takeUndelivered } from '../../memory/record.ts'
import type { Note } from '../wire/protocol.ts'
import { StreamError } from '../wire/sequence.ts'
import { readSums, type Sums, slotFields, writeSums } from '../wire/slot-state.ts'
import { fromOf, incarnationOf, takeEnvelopes, toOf, Unpacking, type WireEnvelope } from '../wire/wire-envelope.ts'

/** Mail for an actor on another node; node -1 if its node is unknown. */
export interface Outgoing {
  readonly node: number
  readonly slot: number
  readonly parcels: readonly WireEnvelope[]
}

export class HostedActors {
  readonly board: Board
  readonly #codec: Codec
  readonly #unpacking: Unpacking
  readonly #self: number
  /** The node of each slot. */
  readonly #nodes: number[] = []
  /** The progress of each slot when its counters were last reported. */
  readonly #told: number[] = []

  constructor(size: BoardSize, self: number) {
    this.board = Board.create(size, true)
    this.board.put(this.board.until, Number.POSITIVE_INFINITY)
    this.#codec = new Codec(this.board.block, this.board.definitions)
    this.#unpacking = new Unpacking(this.board, this.#codec)
    this.#self = self
  }

  isHere(slot: number): boolean {
    return this.#nodes[slot] === this.#self
  }

  /** Prepares a slot for an incarnation that begins here; `sums` has the counters of earlier incarnations. */
  prepare({ slot, incarnation, sums }: Extract<Note, { type: 'start' }>): void {
    const board = this.board
    this.#requireSlot(slot)
    this.#nodes[slot] = this.#self
    board.set(board.slotCount, Math.max(board.int(board.slotCount), slot + 1))
    board.freshen(slot, incarnation)
    writeSums(board, slot, sums)
    this.#told[slot] = this.#progress(slot)
  }

  /** Delivers mail from a node; returns the mail for actors that are not here. */
  deliver(parcels: readonly WireEnvelope[], node: number): readonly WireEnvelope[] {
    const board = this.board
    return parcels.filter((parcel) => {
      if (!this.isHere(toOf(parcel))) return true
      const at = this.#unpacking.put(parcel)
      if (at === undefined) return false
      const [from, incarnation] = [fromOf(parcel), incarnationOf(parcel)]
      // mail of a new incarnation may come before the note that it has begun
      if (from !== SYSTEM && !this.isHere(from) && incarnation > board.int(board.incarnation + from)) {
        this.#nodes[from] = node
        board.set(board.incarnation + from, incarnation)
        board.set(board.dead + from, ALIVE)
      }
      link(board, at)
      return false
    })
  }

  /** Writes the system's state of slots and of the run to this board. */
  write({ slots, slotCount, watching }: Extract<Note, { type: 'words' }>): void {
    const board = this.board
    board.set(board.slotCount, slotCount)
    board.set(board.watching, watching)
    for (const words of slots) {
      const { slot, incarnation, dead, sideA, sideB, pausedUntil, writeTime, skew, node } = slotFields(words)
      this.#requireSlot(slot)
      if (incarnation < board.int(board.incarnation + slot)) continue // a later incarnation was heard from itself
      this.#nodes[slot] = node
      const isHere = this.isHere(slot)
      // an incarnation here begins with the order to start it, not before
      if (!isHere) {
        board.set(board.sleeper(slot), ELSEWHERE)
        board.set(board.incarnation + slot, incarnation)
      }
      const ends = dead !== ALIVE && (!isHere || board.int(board.incarnation + slot) === incarnation)
      if (ends || !isHere) board.set(board.dead + slot, dead)
      board.set(board.sideA + slot, sideA)
      board.set(board.sideB + slot, sideB)
      board.put(board.pausedUntil + slot, pausedUntil)
      board.put(board.writeTime + slot, writeTime)
      board.put(board.skew + slot, skew)
      if (isHere && ends) this.#bounce(slot, dead === STOPPED ? LOST_STOPPED : LOST_DEAD)
    }
  }

  /**
   * Checks that an actor can have this slot.
   *
   * @throws StreamError if none can
   */
  #requireSlot(slot: number): void {
    const { slots } = this.board.size
    if (!Number.isInteger(slot) || slot <= SYSTEM || slot >= slots) throw new StreamError(`slot ${slot} of ${slots}`)
  }

  /** Returns the undelivered mail of an incarnation that is over to the system. */
  #bounce(slot: number, reason: number): void {
    const board = this.board
    awaitLinkers(board, slot)
    for (const at of takeUndelivered(board, slot, reason)) {
      board.set(2 * at + STATE, STATE_POSTED)
      push(board, SYSTEM, at)
    }
    board.ring(SYSTEM)
  }

  /** Takes mail for other nodes, then reports; so the report of a step is taken with its mail or before it. */
  take(): { readonly mail: readonly Outgoing[]; readonly reports: readonly WireEnvelope[] } {
    const board = this.board
    const mail: Outgoing[] = []
    for (let slot = 1; slot < board.int(board.slotCount); slot++) {
      if (this.isHere(slot)) board.set(board.call + slot, 0)
      else {
        const parcels = takeEnvelopes(board, this.#codec, slot)
        if (parcels.length > 0) mail.push({ node: this.#nodes[slot] ?? -1, slot, parcels })
      }
    }
    return { mail, reports: takeEnvelopes(board, this.#codec, SYSTEM) }
  }

  /** The number of steps taken here, and the counters of each slot here that have changed since the last call. */
  count(): { readonly steps: number; readonly sums: readonly Sums[] } {
    const board = this.board
    const sums: Sums[] = []
    let steps = 0
    for (const [slot, node] of this.#nodes.entries()) {
      if (node !== this.#self) continue
      steps += board.int(board.done + slot)
      const progress = this.#progress(slot)
      if (this.#told[slot] === progress) continue
      this.#told[slot] = progress
      sums.push([slot, ...readSums(board, slot)])
    }
    return { steps, sums }
  }

  /** A number that grows whenever a counter of the slot does. */
  #progress(slot: number): number {
    return this.board.int(this.board.done + slot) + this.board.num(this.board.steps + slot)
  }
}
