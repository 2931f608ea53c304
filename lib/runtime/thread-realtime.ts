/** The loop of a thread in real time: it runs those of its actors that have something to do, and sleeps when none has. */
import { linkChain, modelNow, realWait } from '../clock/realtime.ts'
import type { Time } from '../core/time.ts'
import type { Board } from '../memory/layout.ts'

/** An actor of a thread. */
export interface RealTimeSeat {
  readonly slot: number
  /** Handles the event that is due first. Returns the instant of the next one. */
  runNext(now: Time): Time
}

/** What a thread needs to run its actors. */
export interface RealTimeDeps {
  readonly board: Board
  /** The number of the thread. */
  readonly thread: number
  /** Its actors by slot. */
  readonly seats: ReadonlyMap<number, RealTimeSeat>
  /** Takes the orders of the main thread, which may change the `seats`. */
  readonly takeOrders?: () => void
}

/** After this many events an actor makes room for the others of its thread. */
const EVENTS_PER_TURN = 16

/** Runs the actors of the calling thread until the system stops. */
export function workInRealTime({ board, thread, seats, takeOrders }: RealTimeDeps): void {
  const { i32, head, stop, done } = board
  const bell = board.bell(thread)
  /** When each slot next has something to do, apart from mail that comes before. */
  const dues = new Float64Array(board.size.slots)
  /** The doorbell when orders were last taken. */
  let heard = Atomics.load(i32, bell)
  takeOrders?.()

  /** Takes orders if the doorbell has rung. It is read first, so that an order that comes meanwhile is seen next time. */
  const listen = (): void => {
    const rings = Atomics.load(i32, bell)
    if (rings === heard) return
    heard = rings
    takeOrders?.()
  }

  /** The instant when a slot next has something to do. */
  const nextOf = (slot: number): Time => {
    const due = Atomics.load(i32, head + slot) === 0 ? (dues[slot] ?? 0) : 0
    return Math.max(due, board.num(board.pausedUntil + slot))
  }

  const next = (): Time => {
    let first = Number.POSITIVE_INFINITY
    for (const slot of seats.keys()) first = Math.min(first, nextOf(slot))
    return first
  }

  /** Lets an actor act for a few events, as long as it has something to do. */
  const run = (seat: RealTimeSeat): void => {
    const { slot } = seat
    for (let events = 0; events < EVENTS_PER_TURN; events++) {
      const now = modelNow(board)
      if (nextOf(slot) > now) return
      dues[slot] = seat.runNext(now)
      linkChain(board, slot)
      Atomics.add(i32, done + slot, 1)
    }
  }

  while (Atomics.load(i32, stop) === 0) {
    listen()
    const rung = heard
    for (const seat of seats.values()) {
      run(seat)
      listen() // an order need not wait until all actors have acted
    }
    // a busy thread never says that it sleeps, so other threads do not ring it; a ring since the beginning of the pass ends the sleep
    if (next() > modelNow(board)) realWait(board, { thread, rung, next })
  }
}
