/** Real time: threads run freely, senders link their own mail, and the clock is the machine's. */
import { type Board, SYSTEM } from '../memory/board.ts'
import { nextOfStep, push } from '../memory/list.ts'
import * as record from '../memory/record.ts'
import { type Time, UNIT } from '../time.ts'
import { undeliverable } from './rounds.ts'

/** Milliseconds of a clock that all threads of the process share. */
const milliseconds = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** Starts the clock: model time 0 is now. */
export function startClock(board: Board, millisecondsPerUnit: number): void {
  board.put(board.clockZero, milliseconds())
  board.put(board.clockScale, millisecondsPerUnit)
}

/** The present instant; 0 before the clock starts. */
export function modelNow(board: Board): Time {
  const scale = board.num(board.clockScale)
  return scale === 0 ? 0 : Math.floor(((milliseconds() - board.num(board.clockZero)) / scale) * UNIT)
}

/** How long until an instant, in milliseconds. */
export const millisecondsUntil = (board: Board, instant: Time): number =>
  Math.max(0, ((instant - modelNow(board)) / UNIT) * board.num(board.clockScale))

/** Sleeps until the bell rings or `next` comes. Says so, so that senders ring only for sleepers. */
export function realWait(board: Board, slot: number, bell: number, rung: number, next: Time): void {
  const { i32, head } = board
  Atomics.store(i32, board.sleeper(slot), 1)
  // Mail that came before the sender could see the sleeper: do not sleep on it.
  if (Atomics.load(i32, head + slot) === 0) Atomics.wait(i32, bell, rung, millisecondsUntil(board, next))
  Atomics.store(i32, board.sleeper(slot), 0)
}

/** Sleeps until `instant` whatever mail comes, unless the bell rings. */
export function realPause(board: Board, slot: number, bell: number, rung: number, instant: Time): void {
  Atomics.store(board.i32, board.sleeper(slot), 1)
  Atomics.wait(board.i32, bell, rung, millisecondsUntil(board, instant))
  Atomics.store(board.i32, board.sleeper(slot), 0)
}

/** Links what a slot posted in its last step. Main repeats it for a thread that died: linked records say so. */
export function linkChain(board: Board, slot: number): void {
  const { i32, first, call } = board
  for (let at = i32[first + slot] ?? 0; at !== 0; at = nextOfStep(board, at)) {
    if (i32[2 * at + record.STATE] === record.STATE_DRAFT) link(board, at)
  }
  i32[first + slot] = 0
  if (Atomics.load(i32, call + slot) === 1) board.ring(SYSTEM)
}

function link(board: Board, at: number): void {
  const { i32, pending } = board
  const r = 2 * at
  const lost = undeliverable(board, at)
  i32[r + record.LOST] = lost
  i32[r + record.STATE] = record.STATE_POSTED
  const slot = lost === 0 ? (i32[r + record.TO] ?? 0) : SYSTEM
  if (slot !== SYSTEM) Atomics.add(i32, pending + slot, 1)
  push(board, slot, at)
  const urgent = slot !== SYSTEM || (lost === 0 && i32[r + record.CLASS] === record.CLASS_MAIL)
  if (urgent && Atomics.load(i32, board.sleeper(slot)) === 1) board.ring(slot)
}
