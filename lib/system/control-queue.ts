/**
 * The queue of calls to the system, such as spawn, tell and kill. Between runs a call is carried out at once; during a run
 * it waits for the next turn of the system. In virtual time a turn is a system round, when no actor is inside a step.
 */

import { DueQueue } from '../core/due-queue.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import { flushMicrotasks } from '../core/waiting.ts'
import type { Cause, Runtime } from '../runtime/runtime.ts'
import type { Entry } from './registry.ts'

export type Act = () => Promise<void>

export interface UnplannedDeath {
  readonly entry: Entry
  readonly incarnation: number
  readonly cause: Cause
}

export interface ControlQueueDeps {
  readonly runtime: Runtime
  /** Reads the inbox; true if that led to anything that actors have yet to see. */
  readonly readInbox: () => Promise<boolean>
  readonly carryOut: (death: UnplannedDeath) => Promise<void>
  /** Says whether a listener is being called. */
  readonly isTelling: () => boolean
}

interface Call {
  readonly act: Act
  readonly reject: (error: Error) => void
}

export class ControlQueue {
  readonly #deps: ControlQueueDeps
  readonly #agenda = new DueQueue<Act>()
  /** Calls by listeners in the turn under way. */
  readonly #calls: Call[] = []
  /** Calls from outside during a run: they wait for the next turn between two instants. */
  readonly #later: Call[] = []
  /** Answers to callers. They are given at the end of the turn, so that what the callers do next belongs to another turn. */
  readonly #answers: (() => void)[] = []
  readonly #deaths: UnplannedDeath[] = []
  /** The last of the calls that were begun at once. They end in the order of calling; no turn and no run overtakes them. */
  #last: Promise<void> = Promise.resolve()
  #acted = false
  #turning = false
  /** A planned act is under way. It may wait for its own calls. */
  #acting = false
  #phase: 'open' | 'running' | 'stopped' = 'open'
  #hasRun = false

  constructor(deps: ControlQueueDeps) {
    this.#deps = deps
  }

  get phase(): 'open' | 'running' | 'stopped' {
    return this.#phase
  }

  /** The instant of the next planned act. */
  get next(): Time {
    return this.#agenda.next
  }

  /** Says whether a turn is needed for calls from outside or for deaths. */
  get isAwaited(): boolean {
    return this.#later.length > 0 || this.#deaths.length > 0
  }

  /** Resolves when all calls begun so far are over and all pending microtasks have run. */
  async #rest(): Promise<void> {
    await this.#last
    await flushMicrotasks()
  }

  /** Gives a caller its answer. */
  answer(tell: () => void): void {
    if (this.#turning && this.#phase !== 'stopped') this.#answers.push(tell)
    else tell()
  }

  /** Plans an act; returns a function that cancels it. */
  at(instant: Time, act: Act): () => void {
    const planned = this.#agenda.add(instant, act)
    this.#deps.runtime.request()
    return () => this.#agenda.remove(planned)
  }

  /** Queues the death of a thread for the next turn. */
  report(death: UnplannedDeath): void {
    this.#deaths.push(death)
    this.#deps.runtime.request()
  }

  /** Carries out a call. Before the first run, calls that are `apart` run concurrently; actors start in spawn order all the same. */
  async do(asked: Act, apart = false): Promise<void> {
    const act: Act = async () => {
      if (this.#phase === 'stopped') throw new BourseError('BOURSE_STOPPED', 'the system has stopped')
      await asked()
    }
    if (this.#phase !== 'running' || (this.#acting && !this.#deps.isTelling())) return this.#now(act, apart)
    return new Promise((resolve, reject) => {
      const told: Act = () =>
        act().then(
          () => this.answer(resolve),
          (error) => this.answer(() => reject(error)),
        )
      const calls = this.#turning ? this.#calls : this.#later
      calls.push({ act: told, reject })
      this.#deps.runtime.request()
    })
  }

  /**
   * Begins an act at once. Neither the order of acts nor that of their answers depends on how long each takes. An act has
   * its place in that order before it begins, since a listener that it calls may make another call.
   */
  #now(act: Act, apart: boolean): Promise<void> {
    const turn = this.#rest()
    const begun = (apart && !this.#hasRun ? Promise.resolve() : turn).then(act)
    begun.catch(() => {}) // the caller hears of it in its turn
    const done = turn.then(() => begun)
    this.#acted = true
    this.#last = done.catch(() => {})
    return done
  }

  /** Begins a run. */
  async open(): Promise<void> {
    if (this.#phase === 'running') throw new BourseError('BOURSE_RUNNING', 'a run goes on already')
    if (this.#phase === 'stopped') throw new BourseError('BOURSE_STOPPED', 'the system has stopped')
    this.#phase = 'running'
    await this.#rest()
    this.#hasRun = true
  }

  /** Ends a run; calls that still wait are carried out now. */
  close(): void {
    if (this.#phase !== 'running') return
    this.#phase = 'open'
    for (const { act } of this.#takeCalls()) void this.#now(act, false)
  }

  stop(): void {
    this.#phase = 'stopped'
    for (const { reject } of this.#takeCalls()) reject(new BourseError('BOURSE_STOPPED', 'the system has stopped'))
    for (const tell of this.#answers.splice(0)) tell()
  }

  #takeCalls(): Call[] {
    return [...this.#calls.splice(0), ...this.#later.splice(0)]
  }

  /** Takes one turn; true if it did anything that actors have yet to see. Calls from outside are due if it `isBetween` two instants. */
  async take(isBetween: boolean): Promise<boolean> {
    this.#turning = true
    this.#acted = false
    if (isBetween) this.#calls.push(...this.#later.splice(0))
    let busy = false
    try {
      busy = await this.#take()
    } finally {
      this.#acting = false
      this.#turning = false
      for (const tell of this.#answers.splice(0)) tell()
      // Calls that were begun meanwhile belong to this turn; later ones wait for the next.
      await this.#rest()
    }
    return busy || this.#acted
  }

  async #take(): Promise<boolean> {
    let busy = await this.#deps.readInbox()
    // Deaths of one round are settled in the order of slots, not in that of the threads' exits.
    for (const death of this.#deaths.splice(0).sort((a, b) => a.entry.slot - b.entry.slot)) {
      if (death.entry.incarnation !== death.incarnation) continue // restarted meanwhile
      busy = true
      await this.#deps.carryOut(death)
    }
    await this.#rest()
    const { now } = this.#deps.runtime // in real time it moves on while the turn acts
    for (let act = this.#agenda.take(now); act; act = this.#agenda.take(now)) {
      busy = true
      this.#acting = true
      await act()
      this.#acting = false
      await this.#rest()
    }
    // A listener may make more calls.
    for (let call = this.#calls.shift(); call; call = this.#calls.shift()) {
      busy = true
      await call.act()
      await this.#rest()
    }
    return busy
  }
}
