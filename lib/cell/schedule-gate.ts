/**
 * Applies a schedule that deviates from fifo to one actor: puts its due mail and timers into the ready queue, and
 * publishes in shared memory since when it holds anything back.
 */

import { pendingMail, type Scheduler } from '../actor/schedule.ts'
import type { Timers } from '../actor/timers.ts'
import { type Time, units } from '../core/time.ts'
import { CLASS_DATA, CLASS_MAIL, CLASS_NEWS, type LinkedEnvelope } from '../memory/envelope.ts'
import { type Board, CUT } from '../memory/layout.ts'
import type { Order } from '../memory/mailbox.ts'
import { type Handle, ReadyQueue } from './ready-queue.ts'

export interface ScheduleGateDeps {
  readonly board: Board
  readonly slot: number
  readonly incarnation: number
  readonly scheduler: Scheduler
  readonly order: Order
  readonly time: 'virtual' | 'real'
  readonly timers: Timers
  /** Says whether the machine will see this mail. It does not see duplicates, nor mail that reliable delivery keeps for later. */
  readonly isSeen: (mail: LinkedEnvelope) => boolean
}

/** How long a schedule can hold an event back in real time, in milliseconds. */
const HELD_MS_MAX = 2000

export class ScheduleGate {
  readonly #deps: ScheduleGateDeps
  readonly #queue: ReadyQueue

  constructor(deps: ScheduleGateDeps) {
    this.#deps = deps
    const { board, slot, incarnation, scheduler, order, time, timers, isSeen } = deps
    const isStep = (handle: Handle): boolean => ('timer' in handle ? timers.isSet(handle.timer) : isSeen(handle.mail))
    // In real time the end of a run cannot be foreseen. The scale of the clock is known once it has started.
    const patience = (): Time =>
      time === 'virtual' ? Number.POSITIVE_INFINITY : units(HELD_MS_MAX / board.num(board.clockScale))
    this.#queue = new ReadyQueue({ scheduler, order, slot, incarnation, isStep, patience })
  }

  /** Takes in an event that is due; false for control records and receipts, which no schedule holds back. */
  admit(handle: Handle): boolean {
    const { slot, incarnation } = this.#deps
    if ('timer' in handle) {
      const { n, due } = handle.timer
      const event = { from: slot, incarnation, n, isTimer: true }
      this.#queue.add({ event, handle, due, sentAt: due, subround: 0 })
      return true
    }
    const { class: kind, id, due, sentAt, subround } = handle.mail
    if (kind !== CLASS_MAIL && kind !== CLASS_DATA && kind !== CLASS_NEWS) return false
    this.#queue.add({ event: pendingMail(id), handle, due, sentAt, subround })
    return true
  }

  /** Takes the first event of a round: one that the leader released, or else the one that the schedule picks. */
  first(step: number, now: Time): Handle | undefined {
    const { board, slot } = this.#deps
    const released = board.int(board.release + slot) > 0 ? this.#queue.release() : undefined
    return released ?? this.next(step, now)
  }

  /** Takes the event to be handled as step number `step`; undefined if the schedule holds all the rest back. */
  next(step: number, now: Time): Handle | undefined {
    return this.#queue.next(step, now)
  }

  /**
   * Publishes since when anything is held back. An incarnation that is over holds nothing back, and what waits for the disk is
   * not held back by the schedule.
   */
  publish(isOver: boolean, waitsForDisk = false): void {
    const { board, slot } = this.#deps
    if (isOver) this.#queue.clear()
    if (board.int(board.release + slot) === CUT) Atomics.add(board.i32, board.cutHolds, 1)
    board.set(board.release + slot, 0)
    const heldSince = waitsForDisk ? Number.POSITIVE_INFINITY : this.#queue.heldSince
    if (heldSince < Number.POSITIVE_INFINITY) board.set(board.holding, 1)
    board.put(board.held + slot, heldSince)
  }

  /** Real time: the earliest instant that ends the hold on an event. */
  get expires(): Time {
    return this.#queue.expires
  }
}
