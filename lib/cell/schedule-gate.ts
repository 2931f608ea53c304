/**
 * Where a schedule deviates from fifo: what is due at an actor, as it lies in mail memory and among its timers, passes
 * its turnstile here; and the leader is told what is held back.
 */

import { pendingMail, type Scheduler } from '../actor/schedule.ts'
import type { Timers } from '../actor/timers.ts'
import { type Time, units } from '../core/time.ts'
import * as record from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'
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
  /** Does the machine see this mail? Not what the courier had before, or keeps until more has come. */
  readonly isSeen: (at: number) => boolean
}

/** For how long of the wall clock a schedule can hold anything back in real time. */
const HELD_MS_MAX = 2000

export class ScheduleGate {
  readonly #deps: ScheduleGateDeps
  readonly #queue: ReadyQueue

  constructor(deps: ScheduleGateDeps) {
    this.#deps = deps
    const { board, slot, incarnation, scheduler, order, time, timers, isSeen } = deps
    const isStep = (what: Handle): boolean => ('timer' in what ? timers.isSet(what.timer) : isSeen(what.record))
    // In real time nobody knows that nothing else will come. How fast its clock goes is known when it has begun.
    const patience = (): Time =>
      time === 'virtual' ? Number.POSITIVE_INFINITY : units(HELD_MS_MAX / board.num(board.clockScale))
    this.#queue = new ReadyQueue({ scheduler, order, slot, incarnation, isStep, patience })
  }

  /** Takes in what is due; false for orders of the system and what the machine never sees, which no schedule holds. */
  admit(what: Handle): boolean {
    const { slot, incarnation, board } = this.#deps
    if ('timer' in what) {
      const { n, due } = what.timer
      const thing = { from: slot, incarnation, n, isTimer: true }
      this.#queue.add({ event: thing, handle: what, due, sentAt: due, subround: 0 })
      return true
    }
    const { i32, f64 } = board
    const at = what.record
    const kind = i32[2 * at + record.CLASS]
    if (kind !== record.CLASS_MAIL && kind !== record.CLASS_DATA) return false
    const [due = 0, sentAt = 0] = [f64[at + record.DUE], f64[at + record.SENT_AT]]
    const subround = i32[2 * at + record.SUBROUND] ?? 0
    this.#queue.add({ event: pendingMail(record.idOf(board, at)), handle: what, due, sentAt, subround })
    return true
  }

  /** What to handle before anything else: what the leader lets go, if it does. */
  first(step: number, now: Time): Handle | undefined {
    const { board, slot } = this.#deps
    const released = board.int(board.release + slot) === 1 ? this.#queue.release() : undefined
    return released ?? this.next(step, now)
  }

  /** What to handle as the actor's step number `step`; undefined if the schedule holds all the rest back. */
  next(step: number, now: Time): Handle | undefined {
    return this.#queue.next(step, now)
  }

  /** Says since when anything is held back; of an incarnation that is over nothing is. */
  publish(isOver: boolean): void {
    const { board, slot } = this.#deps
    if (isOver) this.#queue.clear()
    board.set(board.release + slot, 0)
    const { heldSince } = this.#queue
    if (heldSince < Number.POSITIVE_INFINITY) board.set(board.holding, 1)
    board.put(board.held + slot, heldSince)
  }

  /** Real time: when anything must be let through. */
  get expires(): Time {
    return this.#queue.expires
  }
}
