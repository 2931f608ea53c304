/**
 * When the system does what is asked of it: at once between runs, in its next turn while a run goes on. In virtual
 * time no actor is inside a step during a turn.
 */
import { DueQueue } from '../core/due-queue.ts'
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
  /** Reads what actors reported; true if that led to anything that actors have yet to see. */
  readonly readInbox: () => Promise<boolean>
  readonly carryOut: (death: UnplannedDeath) => Promise<void>
  /** Is a listener being called? */
  readonly isTelling: () => boolean
}

interface Call {
  readonly act: Act
  readonly reject: (error: Error) => void
}

export class ControlQueue {
  readonly #deps: ControlQueueDeps
  readonly #agenda = new DueQueue<Act>()
  /** Asked for by listeners in the turn under way. */
  readonly #calls: Call[] = []
  /** Asked for from outside while a run goes on: for the next turn between two instants. */
  readonly #later: Call[] = []
  /** What the turn under way has to tell those who wait for it: at its end, so that they ask for more in another. */
  readonly #answers: (() => void)[] = []
  readonly #deaths: UnplannedDeath[] = []
  /** What is begun at once is over in the order of asking: neither a turn nor the start of a run may overtake it. */
  #last: Promise<void> = Promise.resolve()
  #acted = false
  #turning = false
  /** A planned act is under way, which may wait for what it asks for. */
  #acting = false
  #phase: 'open' | 'running' | 'stopped' = 'open'
  #hasRun = false

  constructor(deps: ControlQueueDeps) {
    this.#deps = deps
  }

  get phase(): 'open' | 'running' | 'stopped' {
    return this.#phase
  }

  /** When the next planned act is due. */
  get next(): Time {
    return this.#agenda.next
  }

  /** Is there anything to do in a turn that no actor knows of? */
  get isAwaited(): boolean {
    return this.#later.length > 0 || this.#deaths.length > 0
  }

  /** Settles when everything begun so far is over, and whoever waits for promises alone has gone on. */
  async #rest(): Promise<void> {
    await this.#last
    await flushMicrotasks()
  }

  /** Tells something to who waits for it. */
  answer(tell: () => void): void {
    if (this.#turning && this.#phase !== 'stopped') this.#answers.push(tell)
    else tell()
  }

  /** Plans an act; returns what takes it back. */
  at(instant: Time, act: Act): () => void {
    const cancel = this.#agenda.add(instant, act)
    this.#deps.runtime.request()
    return cancel
  }

  report(death: UnplannedDeath): void {
    this.#deaths.push(death)
    this.#deps.runtime.request()
  }

  /** What is `apart` goes beside all else before the first run: everybody starts in spawn order. */
  async do(asked: Act, apart = false): Promise<void> {
    const act: Act = async () => {
      if (this.#phase === 'stopped') throw new Error('the system has stopped')
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
   * Neither the order of acts nor that of those who wait for them depends on how long each takes. None begins before
   * it has its place in that order: a listener that it calls may ask for more.
   */
  #now(act: Act, apart: boolean): Promise<void> {
    const turn = this.#rest()
    const begun = (apart && !this.#hasRun ? Promise.resolve() : turn).then(act)
    begun.catch(() => {}) // told when its turn comes
    const done = turn.then(() => begun)
    this.#acted = true
    this.#last = done.catch(() => {})
    return done
  }

  /** A run begins. */
  async open(): Promise<void> {
    if (this.#phase === 'running') throw new Error('a run goes on already')
    if (this.#phase === 'stopped') throw new Error('the system has stopped')
    this.#phase = 'running'
    await this.#rest()
    this.#hasRun = true
  }

  /** A run ends: what is still asked for is done now. */
  close(): void {
    if (this.#phase !== 'running') return
    this.#phase = 'open'
    for (const { act } of this.#takeCalls()) void this.#now(act, false)
  }

  stop(): void {
    this.#phase = 'stopped'
    for (const { reject } of this.#takeCalls()) reject(new Error('the system has stopped'))
    for (const tell of this.#answers.splice(0)) tell()
  }

  #takeCalls(): Call[] {
    return [...this.#calls.splice(0), ...this.#later.splice(0)]
  }

  /** One turn; true if it did anything that actors have yet to see. `isBetween` two instants calls from outside are due. */
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
      // What was begun beside the turn belongs to it; what is asked for from now on waits for the next.
      await this.#rest()
    }
    return busy || this.#acted
  }

  async #take(): Promise<boolean> {
    let busy = await this.#deps.readInbox()
    // Of one round in the order of slots, not in that in which the threads happened to end.
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
    // A listener may ask for more.
    for (let call = this.#calls.shift(); call; call = this.#calls.shift()) {
      busy = true
      await call.act()
      await this.#rest()
    }
    return busy
  }
}
