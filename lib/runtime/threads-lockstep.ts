/**
 * The runtime for threads in virtual time, whether each runs one actor or many. Main waits for system rounds, repairs rounds after the death of a
 * worker, and terminates threads that hang.
 */

import { END_NONE, Rounds } from '../clock/lockstep.ts'
import { SYSTEM } from '../core/address.ts'
import type { Time } from '../core/time.ts'
import { ALIVE, type Board } from '../memory/layout.ts'
import type { Runtime, SpawnSpec } from './runtime.ts'
import type { Threads, ThreadsOptions } from './threads.ts'

export class LockStepRuntime implements Runtime {
  readonly runsDuringTurns = false
  readonly #board: Board
  readonly #rounds: Rounds
  readonly #threads: Threads
  readonly #watchdogMs: number
  /** Slots whose threads died unasked and are not settled yet: a round may still wait for them, or choose them. */
  readonly #unsettled = new Set<number>()

  /** `threadsOf` makes the threads. */
  constructor(
    board: Board,
    rounds: Rounds,
    { watchdogMs, onDeath, metrics }: ThreadsOptions,
    threadsOf: (options: ThreadsOptions) => Threads,
  ) {
    this.#board = board
    this.#rounds = rounds
    this.#watchdogMs = watchdogMs
    this.#threads = threadsOf({
      watchdogMs,
      metrics,
      onDeath: (slot, incarnation, cause) => {
        onDeath(slot, incarnation, cause)
        this.#unsettled.add(slot)
        board.set(board.repair, 1)
        board.ring(SYSTEM)
      },
    })
  }

  start(spec: SpawnSpec): Promise<string> {
    return this.#threads.start(spec)
  }

  /** Ends an actor in a system round; the caller then settles the words of the slot. */
  async kill(slot: number): Promise<void> {
    await this.#threads.kill(slot)
    if (this.#unsettled.delete(slot) && this.#unsettled.size === 0) this.#board.set(this.#board.repair, 0)
  }

  stop(): Promise<void> {
    return this.#threads.stop()
  }

  settleDeath(): void {}

  open(): void {}

  request(): void {
    this.#board.set(this.#board.request, 1)
  }

  get now(): Time {
    return this.#rounds.current.now
  }

  get subround(): number {
    return this.#rounds.current.subround
  }

  get quiet(): boolean {
    return this.#rounds.quiet
  }

  advance(instant: Time): void {
    this.#rounds.advance(instant)
  }

  async yieldTurn(): Promise<number> {
    const { lead, ended } = this.#board
    const mine = this.#board.int(lead)
    if (this.#rounds.finish(SYSTEM, mine)) this.#rounds.ringActives(mine + 1, SYSTEM)
    // The mark of a leader comes again after four rounds: only with the round does it say that nothing moved.
    let last = { mark: Number.NaN, round: Number.NaN, heartbeats: 0 }
    let warned = false
    while (true) {
      const rung = this.#board.int(this.#board.bell(SYSTEM))
      if (this.#threads.isStopping) return END_NONE
      while (this.#unsettled.size > 0 && this.#repair()) {} // a round of the dead alone rings nobody
      const now = this.#board.int(lead)
      if (now >= 0 && this.#rounds.isActive(SYSTEM, now)) return this.#board.int(ended)
      if (await this.#threads.wait(rung, this.#watchdogMs / 2)) continue
      const mark = this.#board.int(lead)
      const sample = { mark, round: this.#board.int(this.#board.round), heartbeats: this.#heartbeatsIn(mark) }
      const isStuck = sample.mark === last.mark && sample.round === last.round && sample.heartbeats === last.heartbeats
      if (isStuck) this.#watchdog(sample.mark, warned)
      warned = isStuck
      last = sample
    }
  }

  /** Makes sure that a thread leads the round, whatever a dead one left undone; true if main led. */
  #repair(): boolean {
    const { lead, dead } = this.#board
    const mark = this.#board.int(lead)
    if (mark < 0) {
      if (this.#board.int(dead + Rounds.leaderOf(mark)) === ALIVE) return false // it rings main when it has led
      return this.#rounds.takeOver(mark, SYSTEM)
    }
    if (this.#rounds.isActive(SYSTEM, mark)) return false
    if (this.#leadIfDone(mark)) return true
    this.#rounds.ringActives(mark, SYSTEM) // a dead leader may not have
    return false
  }

  #leadIfDone(round: number): boolean {
    if (!this.#rounds.leadIfDone(SYSTEM, round)) return false
    this.#rounds.ringActives(round + 1, SYSTEM)
    return true
  }

  /** The sum over the actors of a round: an actor may take many steps in one round, so the round alone shows no progress. */
  #heartbeatsIn(mark: number): number {
    let sum = 0
    if (mark < 0) return sum
    for (let i = 0; i < this.#rounds.activeCount(mark); i++) {
      sum += this.#board.int(this.#board.heartbeat + this.#rounds.active(mark, i))
    }
    return sum
  }

  /** Handles a round without progress since the last sample: rings the active slots first, and terminates them next time. */
  #watchdog(mark: number, warned: boolean): void {
    const { done, dead } = this.#board
    if (mark < 0) {
      if (warned) this.#threads.endHung(this.#board.threadOf(Rounds.leaderOf(mark)))
      return
    }
    if (this.#leadIfDone(mark)) return
    if (!warned) return this.#rounds.ringActives(mark, SYSTEM)
    for (let i = 0; i < this.#rounds.activeCount(mark); i++) {
      const slot = this.#rounds.active(mark, i)
      const isFinished = this.#board.int(done + slot) === mark || this.#board.int(dead + slot) !== ALIVE
      if (!isFinished && slot !== SYSTEM) this.#threads.endHung(this.#board.threadOf(slot))
    }
  }
}
