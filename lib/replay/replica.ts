/**
 * One incarnation of one actor without its thread: given what the incarnation handled and when, it does what the incarnation did. What only
 * the run can know it asks the record for: what the network did to a message, and when reliable delivery let it leave.
 */
import type { EventObject } from 'xstate'
import { Directory } from '../actor/directory.ts'
import type { Effect, Timer } from '../actor/effect.ts'
import { NEEDS_REAL_TIME, stepContextOf } from '../actor/incarnation.ts'
import { Inspection } from '../actor/inspection.ts'
import { type ComputationOrder, PendingComputations } from '../actor/pending-computations.ts'
import { enterStep, leaveStep, type StepContext } from '../actor/step-context.ts'
import type { CrashReport, EnvelopeId, Handled, Send, StepReport } from '../actor/step-report.ts'
import type { SetTimer } from '../actor/timers.ts'
import { type Address, isGroup, machineOf } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import { isFatal, thrownOf } from '../core/thrown.ts'
import type { Time } from '../core/time.ts'
import type { Engine } from '../engine/engine.ts'
import { LOST_CUT, LOST_NETWORK, LOST_NO_SUCH_ACTOR, LOST_WINDOW } from '../memory/envelope.ts'
import { SYSTEM } from '../memory/layout.ts'
import type { Copier } from './copier.ts'
import type { RecordedSend } from './recording.ts'

/** An immutable state of a machine: it can be tried with other events. */
export type State = object

/** The context of all replicas of a run. */
export interface ReplayContext {
  readonly seed: number
  readonly time: string
  readonly reliable: boolean
  /** The least delay between two machines. */
  readonly latency: Time
  readonly copier: Copier
  /** The recorded fate of an envelope (`slot.incarnation.seq`); undefined if the run did not have it. */
  readonly fateOf: (id: string) => RecordedSend | undefined
}

export interface ReplicaIdentity {
  readonly slot: number
  readonly incarnation: number
  readonly address: Address
}

/** The result of a step of a replica. */
export interface ReplicaStep {
  /** The event that the machine handled; null at its start. */
  readonly event: EventObject | null
  /** The state before the step; null before the start. */
  readonly before: State | null
  /** The state after the step; the state before if the step failed. */
  readonly after: State | null
  readonly effects: readonly Effect[]
  /** The timers before the step, the one that fired included. */
  readonly timersBefore: ReadonlyMap<string, SetTimer>
  readonly timers: ReadonlyMap<string, SetTimer>
  readonly report: StepReport | CrashReport
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export class Replica {
  readonly who: ReplicaIdentity
  readonly engine: Engine<State>
  directory = Directory.EMPTY
  readonly computing = new PendingComputations()
  readonly #inspection = new Inspection()
  readonly #context: ReplayContext
  readonly #machine: string
  readonly #ambient: StepContext
  #now: Time = 0
  #state: State | null = null
  #shown = ''
  #isOver = false
  #timers: ReadonlyMap<string, SetTimer> = new Map()
  #timersSet = 0
  #seq = 0

  constructor(who: ReplicaIdentity, engine: Engine<State>, context: ReplayContext) {
    this.who = who
    this.engine = engine
    this.#context = context
    this.#machine = machineOf(who.address)
    this.#ambient = stepContextOf(context.seed, who, () => this.#now)
  }

  /** The present state; null before the start. */
  get state(): State | null {
    return this.#state
  }

  /** The timers that are set, by id. */
  get timers(): ReadonlyMap<string, SetTimer> {
    return this.#timers
  }

  /** Whether it has stopped or crashed; it handles nothing more. */
  get isOver(): boolean {
    return this.#isOver
  }

  start(input: Plain, cause: EnvelopeId, now: Time): ReplicaStep {
    return this.#step(null, () => this.engine.initial(input), { start: true }, cause, now)
  }

  /** Mail, or an order of the system; `event` has its sender. */
  receive(event: Message, mail: EnvelopeId, now: Time): ReplicaStep {
    return this.#handle(event, { mail, type: event.type }, mail, now)
  }

  fire({ id, n, kind, event, cause }: SetTimer, now: Time): ReplicaStep {
    return this.#handle(event, { timer: id, n, kind, event, cause }, cause, now)
  }

  /** What `event` would come to in a state of this machine; nothing is kept of it. Throws what the machine throws. */
  attempt(state: State, event: EventObject, now: Time): readonly [state: State, effects: readonly Effect[]] {
    this.#now = now
    try {
      enterStep(this.#ambient)
      return this.engine.step(state, event)
    } finally {
      leaveStep()
    }
  }

  #handle(event: EventObject, on: Handled, cause: EnvelopeId | null, now: Time): ReplicaStep {
    const state = this.#state
    if (!state) throw new Error(`${this.who.address} has not started`)
    return this.#step(event, () => this.engine.step(state, event), on, cause, now)
  }

  /** Takes a step as a cell does: completely, or it crashes. */
  #step(
    event: EventObject | null,
    run: () => readonly [State, readonly Effect[]],
    on: Handled,
    cause: EnvelopeId | null,
    now: Time,
  ): ReplicaStep {
    this.#now = now
    const before = this.#state
    const timersBefore = this.#timers
    if ('timer' in on) this.#timers = without(timersBefore, on.timer)
    const draft: Draft = { type: 'step', on, sends: [], facts: [], records: [], computations: [] }
    const done = (effects: readonly Effect[], report: StepReport | CrashReport): ReplicaStep => {
      return { event, before, after: this.#state, effects, timersBefore, timers: this.#timers, report }
    }
    try {
      enterStep(this.#ambient)
      const [after, effects] = run()
      for (const effect of effects) this.#carryOut(effect, draft, cause)
      if (event && after === before && effects.length === 0 && !this.engine.handles(after, event)) {
        draft.unhandled = event.type
      }
      this.#look(after, draft)
      const report = reportOf(draft)
      this.#context.copier.check(report)
      this.#state = after
      return done(effects, report)
    } catch (error) {
      if (isFatal(error)) throw error
      this.#end()
      return done([], { type: 'crash', ...thrownOf(error), on })
    } finally {
      leaveStep()
    }
  }

  #look(state: State, draft: Draft): void {
    const { value, status } = this.engine.view(state)
    const shown = JSON.stringify(value)
    if (shown !== this.#shown) draft.state = value
    this.#shown = shown
    if (status === 'active') return
    draft.stopped = true
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#timers = new Map()
  }

  #carryOut(effect: Effect, draft: Draft, cause: EnvelopeId | null): void {
    this.#inspection.look(effect)
    switch (effect.type) {
      case 'tell':
        draft.sends.push(...this.#tell(effect.params.to, effect.params.message))
        return
      case 'timer':
        this.#context.copier.check(effect.params.event)
        return this.#setTimer(effect.params, cause)
      case 'compute':
        if (this.#context.time === 'virtual') throw new Error(NEEDS_REAL_TIME)
        draft.computations.push(this.computing.begin(effect.params.id, effect.params.call))
        return
      case 'cancel': {
        this.#timers = without(this.#timers, effect.params.id)
        const order = this.computing.cancel(effect.params.id)
        if (order) draft.computations.push(order)
        return
      }
      case 'observe':
        draft.facts.push(effect.params)
        return
      case 'persist':
        draft.records.push(effect.params)
        return
    }
  }

  #setTimer({ id, kind, delay, event }: Timer, cause: EnvelopeId | null): void {
    const timer = { id, kind, event, due: this.#now + delay, n: this.#timersSet++, cause }
    this.#timers = new Map(without(this.#timers, id)).set(id, timer)
  }

  /** One message to each recipient, and what the network makes of it. */
  *#tell(to: Address, message: Message): Generator<Send> {
    this.#context.copier.check(message)
    if (isGroup(to)) {
      for (const slot of this.directory.membersOf(to)) {
        if (slot !== this.who.slot) yield* this.#send(slot, this.directory.addressOf(slot), message)
      }
      return
    }
    const slot = to === 'system' ? SYSTEM : this.directory.slotOf(to)
    if (slot === undefined) yield { id: this.#nextId(), to, message, lost: LOST_NO_SUCH_ACTOR }
    else yield* this.#send(slot, to, message)
  }

  *#send(slot: number, to: Address, message: Message): Generator<Send> {
    const id = this.#nextId()
    if (slot === SYSTEM || machineOf(to) === this.#machine) {
      yield { id, to, message, due: this.#now }
      return
    }
    const fate = this.#context.fateOf(id.join('.'))
    yield { id, to, message, ...(fate && this.#isPossible(fate) ? fate : { due: this.#now + this.#context.latency }) }
    const second = this.#context.fateOf([id[0], id[1], this.#seq].join('.'))
    if (second?.copyOf?.join() !== id.join()) return
    yield { id: this.#nextId(), to, message, ...(this.#isPossible(second) ? second : { due: fate?.due ?? this.#now }) }
  }

  /** Is that something that a network can do? */
  #isPossible({ due, lost, missed }: RecordedSend): boolean {
    const { reliable, latency } = this.#context
    if (due !== undefined) return due >= this.#now + latency
    if (reliable) return lost === LOST_WINDOW || missed === LOST_CUT || missed === LOST_NETWORK
    return lost === LOST_CUT || lost === LOST_NETWORK
  }

  #nextId(): EnvelopeId {
    return [this.who.slot, this.who.incarnation, this.#seq++]
  }
}

/** The report of a step under way. */
interface Draft extends Mutable<Omit<StepReport, 'sends' | 'facts' | 'records' | 'computations'>> {
  readonly on: Handled
  readonly sends: Send[]
  readonly facts: Message[]
  readonly records: Plain[]
  readonly computations: ComputationOrder[]
}

function reportOf({ sends, facts, records, computations, ...rest }: Draft): StepReport {
  return {
    ...rest,
    ...(sends.length > 0 && { sends }),
    ...(facts.length > 0 && { facts }),
    ...(records.length > 0 && { records }),
    ...(computations.length > 0 && { computations }),
  }
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map
  const less = new Map(map)
  less.delete(key)
  return less
}
