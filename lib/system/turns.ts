/**
 * When the system does what is asked of it: at once between runs, in its next turn while a run goes on. In virtual
 * time no actor is inside a step during a turn.
 */
import { DueQueue } from '../due-queue.ts'
import type { Cause, Runtime } from '../runtime/runtime.ts'
import type { Time } from '../time.ts'
import type { Entry } from './roster.ts'

export type Act = () => Promise<void>

export interface UnplannedDeath {
  readonly entry: Entry
  readonly life: number
  readonly cause: Cause
}

export interface TurnsWith {
  readonly runtime: Runtime
  /** Reads what actors reported; true if that led to anything that actors have yet to see. */
  readonly readInbox: () => Promise<boolean>
  readonly carryOut: (death: UnplannedDeath) => Promise<void>
  /** Is a listener being called? */
  readonly isTelling: () => boolean
}

export class Turns {
  readonly #with: TurnsWith
  readonly #agenda = new DueQueue<Act>()
  /** Asked for while a run goes on, from outside or by a listener. */
  readonly #calls: { readonly act: Act; readonly reject: (error: Error) => void }[] = []
  readonly #deaths: UnplannedDeath[] = []
  /** Begun at once: neither a turn nor the start of a run may overtake them. */
  readonly #acts = new Set<Promise<void>>()
  #acted = false
  #turning = false
  #phase: 'open' | 'running' | 'stopped' = 'open'
  /** Before the first run the order of what is begun together does not matter: everybody starts in spawn order. */
  #inOrder = false

  constructor(surroundings: TurnsWith) {
    this.#with = surroundings
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
    return this.#calls.length > 0 || this.#deaths.length > 0
  }

  /** Settles when everything begun so far is over. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#acts)
  }

  /** Plans an act; returns what takes it back. */
  at(instant: Time, act: Act): () => void {
    const cancel = this.#agenda.add(instant, act)
    this.#with.runtime.request()
    return cancel
  }

  report(death: UnplannedDeath): void {
    this.#deaths.push(death)
    this.#with.runtime.request()
  }

  async do(act: Act): Promise<void> {
    if (this.#phase === 'stopped') throw new Error('the system has stopped')
    if (this.#phase === 'open' || (this.#turning && !this.#with.isTelling())) return this.#now(act)
    return new Promise((resolve, reject) => {
      this.#calls.push({ act: () => act().then(resolve, reject), reject })
      this.#with.runtime.request()
    })
  }

  /** One after another, so that their order does not depend on how long each takes. */
  #now(act: Act): Promise<void> {
    const waits = this.#inOrder && (this.#phase === 'open' || this.#turning) && this.#acts.size > 0
    const done = waits ? Promise.allSettled(this.#acts).then(act) : act()
    this.#acts.add(done)
    this.#acted = true
    const forget = () => this.#acts.delete(done)
    done.then(forget, forget)
    return done
  }

  /** A run begins. */
  async open(): Promise<void> {
    if (this.#phase === 'running') throw new Error('a run goes on already')
    if (this.#phase === 'stopped') throw new Error('the system has stopped')
    this.#phase = 'running'
    await this.settled()
    this.#inOrder = true
  }

  /** A run ends: what is still asked for is done now. */
  close(): void {
    if (this.#phase !== 'running') return
    this.#phase = 'open'
    for (const { act } of this.#calls.splice(0)) void this.#now(act)
  }

  stop(): void {
    this.#phase = 'stopped'
    for (const { reject } of this.#calls.splice(0)) reject(new Error('the system has stopped'))
  }

  /** One turn; true if it did anything that actors have yet to see. */
  async take(): Promise<boolean> {
    this.#turning = true
    this.#acted = false
    let busy = false
    try {
      busy = await this.#take()
    } finally {
      this.#turning = false
      // What was begun beside the turn belongs to it; what is asked for from now on waits for the next.
      await this.settled()
    }
    return busy || this.#acted
  }

  async #take(): Promise<boolean> {
    let busy = await this.#with.readInbox()
    // Of one round in the order of slots, not in that in which the threads happened to end.
    for (const death of this.#deaths.splice(0).sort((a, b) => a.entry.slot - b.entry.slot)) {
      if (death.entry.life !== death.life) continue // restarted meanwhile
      busy = true
      await this.#with.carryOut(death)
    }
    const { now } = this.#with.runtime // in real time it moves on while the turn acts
    for (let act = this.#agenda.take(now); act; act = this.#agenda.take(now)) {
      busy = true
      await act()
    }
    // A listener may ask for more.
    for (let call = this.#calls.shift(); call; call = this.#calls.shift()) {
      busy = true
      await call.act()
    }
    return busy
  }
}
