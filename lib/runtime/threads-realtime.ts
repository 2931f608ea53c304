/**
 * The runtime for threads in real time, whether each runs one actor or many. The system has a turn at fixed times, when its
 * doorbell rings, and when a planned act is due.
 */

import { setImmediate } from 'node:timers/promises'
import { END_IDLE, END_NONE, END_UNTIL } from '../clock/lockstep.ts'
import {
  awaitLinkers,
  finishLinking,
  linkChain,
  millisecondsUntil,
  modelNow,
  setBeginning,
  startClock,
} from '../clock/realtime.ts'
import { SYSTEM } from '../core/address.ts'
import type { Time } from '../core/time.ts'
import { ALIVE, type Board, KINDS, OUTSIDE } from '../memory/layout.ts'
import type { Runtime, SpawnSpec } from './runtime.ts'
import type { Threads, ThreadsOptions } from './threads.ts'

/** How often main reads the inbox, in milliseconds. */
export const LOOK_MS = 20

export class RealTimeRuntime implements Runtime {
  readonly runsDuringTurns = true
  readonly subround = 0
  readonly #board: Board
  readonly #threads: Threads
  readonly #watchdogMs: number
  readonly #scale: number
  /** For each thread the iterations and steps last seen, and since when. */
  readonly #seen = new Map<number, { readonly progress: number; readonly since: number }>()
  readonly #isHere: (slot: number) => boolean
  #looked = 0

  /** `scale` is in milliseconds per unit; `threadsOf` makes the threads; `isHere` says whose threads are in this process. */
  constructor(
    board: Board,
    { watchdogMs, onDeath, metrics }: ThreadsOptions,
    scale: number,
    threadsOf: (options: ThreadsOptions) => Threads,
    isHere: (slot: number) => boolean = () => true,
  ) {
    this.#board = board
    this.#isHere = isHere
    this.#watchdogMs = watchdogMs
    this.#scale = scale
    this.#threads = threadsOf({
      watchdogMs,
      metrics,
      onDeath: (slot, incarnation, cause) => {
        finishLinking(board, slot)
        onDeath(slot, incarnation, cause)
      },
    })
  }

  start(spec: SpawnSpec): Promise<string> {
    return this.#watching(this.#threads.start(spec))
  }

  /** Ends an actor, and links what it had posted. */
  async kill(slot: number): Promise<void> {
    await this.#watching(this.#threads.kill(slot))
    finishLinking(this.#board, slot)
  }

  /** Watches for threads that hang while a turn waits for one of them: only its end can then end the wait. */
  #watching<T>(act: Promise<T>): Promise<T> {
    const watch = setInterval(() => this.#watch(), LOOK_MS)
    return act.finally(() => clearInterval(watch))
  }

  settleDeath(slot: number): void {
    awaitLinkers(this.#board, slot)
  }

  stop(): Promise<void> {
    return this.#threads.stop()
  }

  open(): void {
    startClock(this.#board, this.#scale)
  }

  request(): void {
    this.#board.ring(SYSTEM)
  }

  get now(): Time {
    return modelNow(this.#board)
  }

  advance(instant: Time): void {
    setBeginning(this.#board, instant)
  }

  async yieldTurn(): Promise<number> {
    const { until, due, request } = this.#board
    // For what was asked for in the turn just over it was rung already: only the event loop comes before it.
    const isAsked = this.#board.int(request) === 1
    if (isAsked) await setImmediate()
    const rung = this.#board.int(this.#board.bell(SYSTEM))
    this.#board.set(this.#board.sleeper(SYSTEM), 1) // before what is linked can be answered
    linkChain(this.#board, SYSTEM)
    const next = Math.min(this.#board.num(until), this.#board.num(due))
    await this.#threads.wait(rung, isAsked ? 0 : Math.min(LOOK_MS, millisecondsUntil(this.#board, next)))
    this.#board.set(this.#board.sleeper(SYSTEM), 0)
    this.#watch()
    if (this.now >= this.#board.num(until)) return END_UNTIL
    return this.#board.num(due) === Number.POSITIVE_INFINITY && this.quiet ? END_IDLE : END_NONE
  }

  /** Terminates threads that hang: they are neither asleep nor making progress, and load no module. */
  #watch(): void {
    const now = performance.now()
    if (now - this.#looked < LOOK_MS) return
    // Samples from before a pause of main, such as between two runs, are no evidence.
    if (now - this.#looked > 10 * LOOK_MS) this.#seen.clear()
    this.#looked = now
    for (const [thread, progress] of this.#progress()) {
      const seen = this.#seen.get(thread)
      const isAsleep = this.#board.int(this.#board.sleeper(thread)) === 1
      if (seen?.progress !== progress || isAsleep || this.#threads.isLoading(thread)) {
        this.#seen.set(thread, { progress, since: now })
      } else if (now - seen.since > this.#watchdogMs) this.#threads.endHung(thread)
    }
  }

  /** The sums of the iterations and steps of the actors of each thread. */
  #progress(): ReadonlyMap<number, number> {
    const { done, heartbeat } = this.#board
    const sums = new Map<number, number>()
    for (const slot of this.#living()) {
      const thread = this.#board.threadOf(slot)
      const own = this.#board.int(done + slot) + this.#board.int(heartbeat + slot)
      sums.set(thread, own + (sums.get(thread) ?? 0))
    }
    return sums
  }

  *#living(): Generator<number> {
    const { dead, slotCount } = this.#board
    for (let slot = 1; slot < this.#board.int(slotCount); slot++) {
      if (this.#board.int(dead + slot) === ALIVE && this.#isHere(slot)) yield slot
    }
  }

  /**
   * Detects termination (quiescence) by two equal readings, after Mattern (1987): all threads sleep, nothing is due or
   * pending, and no thread has finished an iteration between the two.
   *
   * Let T be an instant between the readings, and assume that at T an actor is inside an iteration or has unread mail.
   * The second reading finds nothing pending at that actor, so its iteration had begun before that read, and finds its
   * thread asleep after that read. Before a thread falls asleep it adds the iteration to `done`, which both readings read
   * last: the sums differ. So at T all actors sleep, nothing is pending or due, and only main could start anything.
   */
  get quiet(): boolean {
    const before = this.#iterationsIfQuiet()
    return before !== undefined && this.#iterationsIfQuiet() === before
  }

  /** The iterations of all threads; undefined if one has something to do. The order of the reads matters: see `quiet`. */
  #iterationsIfQuiet(): number | undefined {
    const { pending, head, done, due, size } = this.#board
    let iterations = 0
    for (const slot of this.#living()) {
      if (this.#board.int(pending + slot) > 0 || this.#board.int(head + slot) !== 0) return undefined
      for (let kind = OUTSIDE + 1; kind < KINDS; kind++) {
        if (this.#board.num(due + kind * size.slots + slot) !== Number.POSITIVE_INFINITY) return undefined
      }
      if (this.#board.int(this.#board.sleeper(this.#board.threadOf(slot))) !== 1) return undefined
      iterations += this.#board.int(done + slot)
    }
    return iterations
  }
}
