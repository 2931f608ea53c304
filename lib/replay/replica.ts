/**
 * A replica of one incarnation without its thread: given the same events at the same times, it does what the incarnation
 * did. It asks the record for facts that only the run can know: the network's decision on each message, and the time when
 * reliable delivery let it leave.
 */

import {
  type Deferred,
  deferredAfter,
  isResuming,
  NONE_DEFERRED,
  requireRest,
  takeReady,
  waitingIn,
} from '../actor/deferred.ts'
import { Directory } from '../actor/directory.ts'
import type { Effect } from '../actor/effect.ts'
import { stepContextOf } from '../actor/incarnation.ts'
import { Inspection } from '../actor/inspection.ts'
import { type ComputationOrder, PendingComputations } from '../actor/pending-computations.ts'
import { type ReceiveTimeout, timeoutAfter } from '../actor/receive-timeout.ts'
import { numbered, requireFewAsks } from '../actor/requests.ts'
import type { Incoming } from '../actor/step-context.ts'
import type { EnvelopeId, Handled, Send, StepRecord } from '../actor/step-report.ts'
import { deadlineIn, type PendingChange, type SetTimer, timersAfter } from '../actor/timers.ts'
import { type Address, machineOf } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import { isFatal, thrownOf } from '../core/thrown.ts'
import type { Time } from '../core/time.ts'
import type { Engine } from '../engine/engine.ts'
import { type Recipient, recipientsOf, type StepOutput, type Stepper, takeFirstStep, takeStep } from '../engine/step.ts'
import { LOST_NETWORK, LOST_NO_SUCH_ACTOR, LOST_PARTITION, LOST_WINDOW } from '../memory/envelope.ts'
import { requirePurityForTurn } from '../runtime/step-purity.ts'
import type { Copier } from './copier.ts'
import type { RecordedSend } from './recording.ts'

/** An immutable state of a machine: it can be tried with other events. */
export type State = object

/** The context of all replicas of a run. */
export interface ReplayContext {
  readonly seed: number
  /** The number of runs on the same log before this one. */
  readonly run: number
  /** Whether clocks and random numbers of the process are refused in its steps. */
  readonly isPure: boolean
  readonly time: 'virtual' | 'real'
  readonly reliable: boolean
  /** The most open asks of one actor. */
  readonly asks: number
  /** The most messages that one actor may defer. */
  readonly deferred: number
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
  /** The event that the machine handled, and its sender; null at its start. */
  readonly incoming: Incoming | null
  /** The state before the step; null before the start. */
  readonly before: State | null
  /** The state after the step; the state before if the step failed. */
  readonly after: State | null
  readonly effects: readonly Effect[]
  /** The timers before the step, the one that fired included. */
  readonly timersBefore: readonly SetTimer[]
  readonly timers: readonly SetTimer[]
  /** The receive timeout before the step. */
  readonly timeoutBefore: ReceiveTimeout
  /** The messages that were deferred before the step. */
  readonly deferredBefore: readonly Incoming[]
  readonly record: StepRecord
}

interface DeferredMessage {
  readonly incoming: Incoming
  readonly mail: EnvelopeId
}

export class Replica {
  readonly who: ReplicaIdentity
  readonly engine: Engine<State>
  directory = Directory.EMPTY
  readonly computing = new PendingComputations()
  readonly #context: ReplayContext
  readonly #machine: string
  readonly #stepper: Stepper<State>
  readonly #moment = { now: 0, skew: 0 }
  #state: State | null = null
  #shown = ''
  #isOver = false
  #timers: readonly SetTimer[] = []
  #deferred: Deferred<DeferredMessage> = NONE_DEFERRED
  #receiveTimeout: ReceiveTimeout = null
  /** The steps that deferred messages have led to since the last other step. */
  #rehandled = 0
  #timersSet = 0
  #seq = 0

  constructor(who: ReplicaIdentity, engine: Engine<State>, context: ReplayContext) {
    this.who = who
    this.engine = engine
    this.#context = context
    this.#machine = machineOf(who.address)
    const { seed, run, time, isPure } = context
    const stepContext = stepContextOf(seed, who, this.#moment, run)
    const directory = () => this.directory
    this.#stepper = { engine, context: stepContext, time, isPure, inspection: new Inspection(), directory }
  }

  /** The present state; null before the start. */
  get state(): State | null {
    return this.#state
  }

  /** The timers that are set, in the order of setting. */
  get timers(): readonly SetTimer[] {
    return this.#timers
  }

  /** Whether it has stopped or crashed; it handles nothing more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Says whether mail answers an ask that is not open. */
  isLate({ answers }: Incoming): boolean {
    if (!answers) return false
    return answers.incarnation !== this.who.incarnation || !deadlineIn(this.#timers, answers)
  }

  start(input: Plain, cause: EnvelopeId, now: Time): ReplicaStep {
    return this.#step(
      null,
      () => takeFirstStep(this.#stepper, input),
      { start: true, urgent: this.engine.urgent },
      cause,
      now,
    )
  }

  /** Mail, or an order of the system. */
  receive(incoming: Incoming, mail: EnvelopeId, now: Time): ReplicaStep {
    return this.#handle(incoming, { mail, type: incoming.event.type }, mail, now)
  }

  /** Whether deferred messages are to be handled before anything else. */
  get isResuming(): boolean {
    return isResuming(this.#deferred)
  }

  /** Handles a deferred message again; undefined if another one is to be handled, or none. */
  resume(mail: EnvelopeId, now: Time): ReplicaStep | undefined {
    const [next, rest] = takeReady(this.#deferred) ?? []
    if (!next || !rest || next.mail.join() !== mail.join()) return undefined
    this.#deferred = rest
    const { incoming } = next
    return this.#handle(incoming, { mail, type: incoming.event.type, again: true }, mail, now, this.#rehandled++)
  }

  fire({ id, n, kind, event, cause }: SetTimer, now: Time): ReplicaStep {
    return this.#handle(
      { event, from: this.who.address, isTimer: true },
      { timer: id, n, kind, event, cause },
      cause,
      now,
    )
  }

  /** Sets how far the clock of its machine is ahead from the next step on; negative if it is behind. */
  set skew(skew: Time) {
    this.#moment.skew = skew
  }

  /**
   * Tries an event in a state of this machine and returns the outcome, without keeping it. Throws what the machine throws.
   *
   * @param inspection what has been checked of its messages (default: nothing)
   */
  attempt(state: State, incoming: Incoming, now: Time, inspection = new Inspection()): StepOutput<State> {
    this.#moment.now = now
    requirePurityForTurn()
    return takeStep({ ...this.#stepper, inspection }, state, incoming)
  }

  #handle(incoming: Incoming, on: Handled, cause: EnvelopeId | null, now: Time, rehandled = 0): ReplicaStep {
    const state = this.#state
    if (!state) throw new Error(`${this.who.address} has not started`)
    if (rehandled === 0) this.#rehandled = 1
    const run = () => {
      requireRest(rehandled)
      return takeStep(this.#stepper, state, incoming)
    }
    return this.#step(incoming, run, on, cause, now)
  }

  /** Takes a step as a cell does: completely, or it crashes. */
  #step(
    incoming: Incoming | null,
    run: () => StepOutput<State>,
    on: Handled,
    cause: EnvelopeId | null,
    now: Time,
  ): ReplicaStep {
    this.#moment.now = now
    requirePurityForTurn()
    const before = this.#state
    const timersBefore = this.#timers
    const timeoutBefore = this.#receiveTimeout
    const deferredBefore = waitingIn(this.#deferred).map((one) => one.incoming)
    if ('timer' in on) this.#timers = timersBefore.filter(({ n }) => n !== on.n)
    const answers = incoming?.answers
    const deadline = answers && !('again' in on) ? deadlineIn(timersBefore, answers) : undefined
    if (deadline) this.#timers = timersBefore.filter((timer) => timer !== deadline)
    const done = (effects: readonly Effect[], record: StepRecord): ReplicaStep => {
      return {
        incoming,
        before,
        after: this.#state,
        effects,
        timersBefore,
        timers: this.#timers,
        timeoutBefore,
        deferredBefore,
        record,
      }
    }
    try {
      const output = run()
      const { state, effects, facts, records, isSnapshot, orders, entered, unhandled } = output
      const sends = output.sends.flatMap(({ to, message }) =>
        this.#tell(to, numbered(message, this.who.incarnation, this.#timersSet)),
      )
      const { pending, receiveTimeout } = timeoutAfter(this.#receiveTimeout, output, now)
      const computations = this.#await(pending, cause)
      const deferred = this.#defer(incoming, on, output)
      const record: StepRecord = {
        type: 'step',
        on,
        skew: this.#moment.skew,
        unhandled: unhandled ?? undefined,
        sends,
        facts,
        computations,
        records,
        isSnapshot: isSnapshot || undefined,
        orders,
        entered,
        deferred,
        resumed: 'mail' in on && on.again ? on.mail : undefined,
        ...this.#look(output),
      }
      this.#context.copier.check(record)
      this.#receiveTimeout = receiveTimeout
      this.#state = state
      return done(effects, record)
    } catch (error) {
      if (isFatal(error)) throw error
      this.#end()
      return done([], { type: 'step', on, skew: this.#moment.skew, crash: thrownOf(error) })
    }
  }

  /** Keeps the message of a step that defers it, and readies all that wait if the configuration has changed. */
  #defer(incoming: Incoming | null, on: Handled, { defers, view }: StepOutput<State>): StepRecord['deferred'] {
    const own = defers && incoming && 'mail' in on ? { incoming, mail: on.mail } : undefined
    const isChanged = incoming !== null && JSON.stringify(view.value) !== this.#shown
    this.#deferred = deferredAfter(this.#deferred, own, isChanged, this.#context.deferred)
    return own && { id: own.mail, type: own.incoming.event.type }
  }

  /** The fields of a record about the configuration after a step. */
  #look({ view: { value, status } }: StepOutput<State>): Pick<StepRecord, 'state' | 'stopped'> {
    const shown = JSON.stringify(value)
    const isNew = shown !== this.#shown
    this.#shown = shown
    if (status !== 'active') this.#end()
    return { ...(isNew && { state: value }), ...(status !== 'active' && { stopped: true }) }
  }

  #end(): void {
    this.#isOver = true
    this.#timers = []
    this.#deferred = NONE_DEFERRED
  }

  /** Sets and cancels timers; returns the orders to the system, which runs the computations. */
  #await(changes: readonly PendingChange[], cause: EnvelopeId | null): readonly ComputationOrder[] {
    for (const change of changes) if (change.type === 'set') this.#context.copier.check(change.event)
    this.#timers = timersAfter(this.#timers, changes, (setting) => {
      return { ...setting, n: this.#timersSet++, cause }
    })
    requireFewAsks(this.#timers.filter(({ isDeadline }) => isDeadline).length, this.#context.asks)
    return changes.flatMap((change) => {
      if (change.type === 'compute') return [this.computing.begin(change.id, change.call)]
      return (change.type === 'cancel' && this.computing.cancel(change.id)) || []
    })
  }

  /** Sends a message to each recipient, with the network's decision on it. */
  #tell(to: Address, message: Message): readonly Send[] {
    this.#context.copier.check(message)
    const me = { slot: this.who.slot, machine: this.#machine }
    return recipientsOf(to, me, this.directory).flatMap((recipient) => this.#send(recipient, message))
  }

  #send({ slot, address: to, isNear }: Recipient, message: Message): readonly Send[] {
    const id = this.#nextId()
    if (slot === undefined) return [{ id, to, message, lost: LOST_NO_SUCH_ACTOR }]
    if (isNear) return [{ id, to, message, due: this.#moment.now }]
    const fate = this.#context.fateOf(id.join('.'))
    const due = this.#moment.now + this.#context.latency
    const first = { id, to, message, ...(fate && this.#isPossible(fate) ? fate : { due }) }
    const second = this.#context.fateOf([id[0], id[1], this.#seq].join('.'))
    if (second?.copyOf?.join() !== id.join()) return [first]
    const copy = this.#isPossible(second) ? second : { due: fate?.due ?? this.#moment.now }
    return [first, { id: this.#nextId(), to, message, ...copy }]
  }

  /** Says whether a network could have done that. */
  #isPossible({ due, lost, missed }: RecordedSend): boolean {
    const { reliable, latency } = this.#context
    if (due !== undefined) return due >= this.#moment.now + latency
    if (reliable) return lost === LOST_WINDOW || missed === LOST_PARTITION || missed === LOST_NETWORK
    return lost === LOST_PARTITION || lost === LOST_NETWORK
  }

  #nextId(): EnvelopeId {
    return [this.who.slot, this.who.incarnation, this.#seq++]
  }
}
