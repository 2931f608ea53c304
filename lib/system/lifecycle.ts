/** The lifecycle of actors: start, death, stop, restart and supervision. All of it happens in turns of the system. */

import { read, takeUndelivered } from '../cell/inbox.ts'
import { DEAD, type Rounds, STOPPED } from '../clock/lockstep.ts'
import { flushMicrotasks } from '../core/waiting.ts'
import type { EngineName } from '../engine/engine.ts'
import type { Codec } from '../memory/codec.ts'
import { LOST_DEAD, LOST_STOPPED } from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'
import type { Computations } from '../runtime/computations.ts'
import type { Cause, Runtime } from '../runtime/runtime.ts'
import { begun, spawned } from '../trace/lines.ts'
import type { PendingAsks } from './asks.ts'
import type { EventBus } from './event-bus.ts'
import type { Partitions } from './partitions.ts'
import type { Entry, Registry } from './registry.ts'

export interface LifecycleDeps {
  readonly board: Board
  readonly codec: Codec
  readonly rounds: Rounds
  readonly runtime: Runtime
  readonly computations: Computations
  readonly registry: Registry
  readonly events: EventBus
  readonly asks: PendingAsks
  readonly partitions: Partitions
  readonly engine: EngineName
  /** Called with the engine of an incarnation, and why it is that one. */
  readonly onEngine: (module: string, engine: string) => void
  /** Reads the inbox. */
  readonly readInbox: () => Promise<boolean>
}

export class Lifecycle {
  readonly #deps: LifecycleDeps
  /** Whether the machines have been told to start. */
  #begun = false

  constructor(deps: LifecycleDeps) {
    this.#deps = deps
  }

  get begun(): boolean {
    return this.#begun
  }

  /** Starts all machines at the beginning of the first run. Each of them knows all the others. */
  beginAll(): void {
    this.#begun = true
    for (const entry of this.#deps.registry.entries) if (entry.status.type === 'alive') this.#sendStart(entry)
  }

  /** Begins an incarnation: resets its words, starts its thread and, during a run, tells the other actors. */
  async begin(entry: Entry): Promise<void> {
    const { board, rounds, partitions, events, runtime, registry, asks, engine, onEngine } = this.#deps
    const { slot, incarnation, address, module, resourceLimits } = entry
    entry.started = false
    board.freshen(slot, incarnation)
    rounds.refresh(slot)
    partitions.place(entry)
    events.note(() => spawned(entry, runtime.now))
    try {
      const seat = { slot, incarnation, address, module, engine, ...(resourceLimits && { resourceLimits }) }
      onEngine(module, await runtime.start(seat).finally(flushMicrotasks))
    } catch (error) {
      const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
      this.#settle(entry, { type: 'dead', cause: { name, message, stack } })
      throw error
    }
    entry.status = { type: 'alive' }
    entry.isVacant = false
    if (!this.#begun) return
    for (const other of registry.entries) {
      if (other.started && other.status.type === 'alive') asks.order(other.slot, { type: 'joined', address, slot })
    }
    this.#sendStart(entry)
  }

  #sendStart(entry: Entry): void {
    const { registry, asks, events, runtime } = this.#deps
    entry.started = true
    const addresses = registry.entries.map(({ address, status }) => (status.type === 'stopped' ? '' : address))
    const { slot, input, records } = entry
    const order = { type: 'start', input, records: [...records], directory: ['', ...addresses] } as const
    const { now } = runtime
    const id = asks.order(slot, order)
    events.note(() => begun(id, entry.address, now, order))
  }

  async kill(entry: Entry): Promise<void> {
    await this.died(entry, { name: 'Killed', message: 'killed', stack: '' })
  }

  async restart(entry: Entry): Promise<void> {
    const { incarnation } = entry
    await this.#silence(entry)
    if (entry.incarnation !== incarnation) return // its last reports contained a crash, and it is restarted already
    if (entry.status.type === 'alive') this.#declareDead(entry, { name: 'Killed', message: 'restarted', stack: '' })
    entry.incarnation += 1
    await this.begin(entry)
  }

  /** Settles the death of an actor, whose thread may still run. */
  async died(entry: Entry, cause: Cause): Promise<void> {
    if (entry.status.type !== 'alive') return
    const { incarnation } = entry
    await this.#silence(entry)
    if (entry.status.type !== 'alive' || entry.incarnation !== incarnation) return // its last reports contained the crash
    this.#declareDead(entry, cause)
    if (entry.supervision.restart !== 'temporary') await this.#supervise(entry)
  }

  #declareDead(entry: Entry, cause: Cause): void {
    this.#settle(entry, { type: 'dead', cause })
    this.#deps.events.died({ address: entry.address, at: this.#deps.runtime.now, cause })
  }

  /** Settles the stop of an actor whose machine has reached a final state. */
  async stopped(entry: Entry): Promise<void> {
    const { registry, asks } = this.#deps
    await this.#end(entry)
    this.#settle(entry, { type: 'stopped' })
    for (const other of registry.entries) {
      if (other.status.type === 'alive') asks.order(other.slot, { type: 'left', address: entry.address })
    }
    if (entry.supervision.restart === 'permanent') await this.#supervise(entry)
  }

  /** Ends a thread and reads its last reports: in real time it ran during this turn. */
  async #silence(entry: Entry): Promise<void> {
    const { runtime, readInbox } = this.#deps
    await this.#end(entry)
    if (runtime.runsDuringTurns) await readInbox()
  }

  /** Ends a thread, and lets pending microtasks run, as many inline as on threads. */
  async #end({ slot }: Entry): Promise<void> {
    await this.#deps.runtime.kill(slot)
    await flushMicrotasks()
  }

  async #supervise(entry: Entry): Promise<void> {
    const { events, runtime } = this.#deps
    const { intensity, period } = entry.supervision
    const { now } = runtime
    entry.restarts = [...entry.restarts.filter((at) => at > now - period), now]
    if (entry.restarts.length > intensity) {
      events.note(() => ({ t: 'gave up', at: now, who: entry.address, intensity, period }))
      return
    }
    await this.restart(entry).catch((error: unknown) => {
      events.note(() => ({ t: 'gave up', at: runtime.now, who: entry.address, error: String(error) }))
    })
  }

  /** Settles the words of an incarnation that is over; its undelivered mail becomes dead letters. */
  #settle(entry: Entry, status: Exclude<Entry['status'], { type: 'alive' }>): void {
    const { board, codec, rounds, events, runtime, computations } = this.#deps
    const { slot } = entry
    entry.status = status
    computations.endAll(slot)
    board.set(board.dead + slot, status.type === 'stopped' ? STOPPED : DEAD)
    runtime.settleDeath(slot)
    const reason = status.type === 'stopped' ? LOST_STOPPED : LOST_DEAD
    for (const at of takeUndelivered(board, slot, reason)) {
      const item = read(board, codec, at, events)
      if (item) events.item(item)
    }
    rounds.refresh(slot)
  }
}
