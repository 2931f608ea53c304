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
  let now = modelNow(board)
  let rung = Atomics.load(i32, bell)
  takeOrders?.()

  /** Takes orders if the doorbell has rung. It is read first, so that an order that comes meanwhile is seen next time. */
  const listen = (): void => {
    const rings = Atomics.load(i32, bell)
    if (rings === rung) return
    rung = rings
    takeOrders?.()
  }

  const pauseOf = (slot: number): Time => board.num(board.pausedUntil + slot)

  /** Lets an actor act if it has something to do. Returns the instant when it next has, apart from mail. */
  const run = (seat: RealTimeSeat): Time => {
    const { slot } = seat
    let due = dues[slot] ?? 0
    if (due > now && Atomics.load(i32, head + slot) === 0) return due
    for (let events = 0; events < EVENTS_PER_TURN; events++) {
      now = modelNow(board)
      const pausedUntil = pauseOf(slot)
      if (pausedUntil > now) return pausedUntil
      due = seat.runNext(now)
      dues[slot] = due
      linkChain(board, slot)
      Atomics.add(i32, done + slot, 1)
      if (due > now) break
    }
    return due
  }

  /** Says whether mail waits for an actor that is not paused. */
  const hasMail = (): boolean => {
    for (const slot of seats.keys()) if (Atomics.load(i32, head + slot) !== 0 && pauseOf(slot) <= now) return true
    return false
  }

  while (Atomics.load(i32, stop) === 0) {
    listen()
    now = modelNow(board)
    let next = Number.POSITIVE_INFINITY
    for (const seat of seats.values()) {
      next = Math.min(next, run(seat))
      listen() // an order need not wait until all actors have acted
    }
    if (next > now) realWait(board, { thread, rung, next, hasMail })
  }
}
