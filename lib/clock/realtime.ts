/** Real time: threads run freely, senders link their own mail, and the clock is the machine's. */

import { SYSTEM } from '../core/address.ts'
import { type Time, UNIT } from '../core/time.ts'
import { CLASS_MAIL, isReport as isOfReport } from '../memory/envelope.ts'
import { ALIVE, type Board } from '../memory/layout.ts'
import { isListed, nextOfStep, push } from '../memory/mpsc-list.ts'
import * as record from '../memory/record.ts'
import { undeliverable } from '../memory/shared-mail.ts'

/** The values of the word `asleep` of a thread. */
const AWAKE = 0
const ASLEEP = 1
/** The actor of the slot is in another process, so main takes the records that are linked to it. */
export const ELSEWHERE = 2

/** The time of a clock that all threads of the process share, in milliseconds. */
export const milliseconds = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** Sets the instant at which the clock starts; without it that is 0. A clock that goes on is left alone. */
export function setBeginning(board: Board, instant: Time): void {
  if (board.num(board.clockScale) === 0) board.put(board.time, instant)
}

/** Starts the clock. Model time 0 is `zero`, by default so long ago that the clock starts at its beginning. */
export function startClock(board: Board, millisecondsPerUnit: number, zero?: number): void {
  const age = (board.num(board.time) / UNIT) * millisecondsPerUnit
  board.put(board.clockZero, zero ?? milliseconds() - age)
  board.put(board.clockScale, millisecondsPerUnit)
}

/** The instant of now; before the clock starts its beginning. */
export function modelNow(board: Board): Time {
  const scale = board.num(board.clockScale)
  if (scale === 0) return board.num(board.time)
  return Math.floor(((milliseconds() - board.num(board.clockZero)) / scale) * UNIT)
}

/** The time until an instant, in milliseconds. */
export const millisecondsUntil = (board: Board, instant: Time): number =>
  Math.max(0, ((instant - modelNow(board)) / UNIT) * board.num(board.clockScale))

interface Wait {
  readonly thread: number
  /** The doorbell as it was before the thread looked for something to do. */
  readonly rung: number
  /** The instant when an actor of the thread next has something to do, its mail included. */
  readonly next: () => Time
}

/** Sleeps until the doorbell rings or the instant `next` comes. Sets `asleep` meanwhile, since senders ring only then. */
export function realWait(board: Board, { thread, rung, next }: Wait): void {
  const { i32 } = board
  Atomics.store(i32, board.sleeper(thread), ASLEEP)
  // It is asked only now, since mail may have been linked before its sender could see `asleep`.
  Atomics.wait(i32, board.bell(thread), rung, millisecondsUntil(board, next()))
  Atomics.store(i32, board.sleeper(thread), AWAKE)
}

/**
 * Links the records that a slot posted in its last step. Main repeats this for a thread that died, without those that are
 * linked already.
 *
 * Reports are linked first, so that the system reads of a step before it reads of any effect of it.
 */
export function linkChain(board: Board, slot: number): void {
  const { i32, first, call } = board
  for (const reports of [true, false]) {
    for (let at = i32[first + slot] ?? 0; at !== 0; at = nextOfStep(board, at)) {
      const isReport = isOfReport(i32[2 * at + record.CLASS])
      if (isReport === reports && i32[2 * at + record.STATE] === record.STATE_DRAFT) link(board, at)
    }
  }
  i32[first + slot] = 0
  if (Atomics.load(i32, call + slot) === 1) board.ring(SYSTEM)
}

/**
 * Links what a slot posted whose thread has died, but for one record: main cannot know whether the thread had linked the
 * record that its word `linking` names. If that is for the system, main looks into the list and links it if need be.
 * Otherwise the record is given up, and its memory is not used again, since it may be in a list.
 */
export function finishLinking(board: Board, slot: number): void {
  const { i32, linking, pending } = board
  const at = Atomics.exchange(i32, linking + slot, 0)
  const isForSystem = at !== 0 && (i32[2 * at + record.TO] === SYSTEM || i32[2 * at + record.LOST] !== 0)
  if (isForSystem && i32[2 * at + record.STATE] === record.STATE_POSTED && !isListed(board, SYSTEM, at)) {
    push(board, SYSTEM, at)
  }
  const isGivenUp =
    at !== 0 &&
    !isForSystem &&
    Atomics.compareExchange(i32, 2 * at + record.STATE, record.STATE_POSTED, record.STATE_FREE) === record.STATE_POSTED
  if (isGivenUp) Atomics.sub(i32, pending + (i32[2 * at + record.TO] ?? 0), 1)
  linkChain(board, slot)
  if (at !== 0) ringForUnrung(board)
}

/** Rings all sleepers that have mail, since the thread that died may have linked it without ringing. */
function ringForUnrung(board: Board): void {
  for (let slot = 1; slot < board.int(board.slotCount); slot++) {
    const thread = board.threadOf(slot)
    if (board.int(board.head + slot) !== 0 && board.int(board.sleeper(thread)) === ASLEEP) board.ring(thread)
  }
}

/** Waits until no thread is linking a record to a slot that it saw alive. Threads that begin later see the slot dead. */
export function awaitLinkers(board: Board, slot: number): void {
  const { i32, linking, slotCount, dead } = board
  for (let from = 1; from < board.int(slotCount); from++) {
    for (let tries = 0; tries < LINKING_MS_MAX; tries++) {
      const at = Atomics.load(i32, linking + from)
      if (at === 0 || i32[2 * at + record.TO] !== slot || board.int(dead + from) !== ALIVE) break
      Atomics.wait(i32, linking + from, at, 1)
    }
  }
}

/** A thread that links for longer than this, in milliseconds, is dead, and main has not heard of it yet. */
const LINKING_MS_MAX = 100

/** Links a record to its recipient, or to the system if it cannot be delivered. */
export function link(board: Board, at: number): void {
  const { i32, pending, linking } = board
  const r = 2 * at
  const own = linking + (i32[r + record.FROM] ?? 0)
  Atomics.store(i32, own, at)
  const lost = undeliverable(board, at)
  const slot = lost === 0 ? (i32[r + record.TO] ?? 0) : SYSTEM
  i32[r + record.LOST] = lost
  if (slot !== SYSTEM) Atomics.add(i32, pending + slot, 1)
  Atomics.store(i32, r + record.STATE, record.STATE_POSTED)
  const isFirst = push(board, slot, at)
  // The thread that linked the first record of the list rings for all.
  const urgent = slot === SYSTEM ? lost === 0 && i32[r + record.CLASS] === CLASS_MAIL : isFirst
  const thread = board.threadOf(slot)
  const sleeper = urgent ? Atomics.load(i32, board.sleeper(thread)) : AWAKE
  if (sleeper === ASLEEP) board.ring(thread)
  else if (sleeper === ELSEWHERE) board.ring(SYSTEM)
  Atomics.store(i32, own, 0)
}
