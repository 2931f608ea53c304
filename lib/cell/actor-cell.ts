/**
 * One machine with its mailbox, timers and random draws. In: an envelope or a due timer. Out: effects, carried out
 * only when the whole step has succeeded. Runs anywhere: it sees a board, never a thread or a clock.
 */
import type { EventObject } from 'xstate'
import { Directory } from '../actor/directory.ts'
import type { Effect } from '../actor/effect.ts'
import { inputOf, NEEDS_REAL_TIME, stepContextOf, withSender } from '../actor/incarnation.ts'
import { Inspection } from '../actor/inspection.ts'
import { type ComputationOrder, PendingComputations } from '../actor/pending-computations.ts'
import { DeviationScheduler, isDeviations, type Scheduler } from '../actor/schedule.ts'
import { enterStep, leaveStep, type StepContext } from '../actor/step-context.ts'
import { type Control, type EnvelopeId, type Handled, isControl, type StepReport } from '../actor/step-report.ts'
import { type SetTimer, Timers } from '../actor/timers.ts'
import type { Address } from '../core/address.ts'
import { isMessage, isObject, type Plain } from '../core/data.ts'
import { isFatal, thrownOf } from '../core/thrown.ts'
import { PHASES, type Time, type TimerKind } from '../core/time.ts'
import type { Engine, Step } from '../engine/engine.ts'
import type { Codec } from '../memory/codec.ts'
import * as record from '../memory/envelope.ts'
import { type Board, KINDS, SYSTEM } from '../memory/layout.ts'
import { Mailbox, type Order, type Schedule } from '../memory/mailbox.ts'
import type { Handle } from './ready-queue.ts'
import type { Place } from './reliable/incoming.ts'
import { ScheduleGate } from './schedule-gate.ts'
import { Sender, type SenderOptions } from './sender.ts'
import type { StepLog } from './step-log.ts'

/** Everything that influences what a cell does, the same for all cells of a system. */
export interface CellOptions extends SenderOptions {
  readonly order: Order
  readonly schedule: Schedule
  readonly time: 'virtual' | 'real'
  /** Inline only, as what follows: it lives in the run, where `schedule` is plain data. */
  readonly scheduler?: Scheduler
  readonly stepLog?: StepLog
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export class ActorCell<State> {
  readonly slot: number
  readonly incarnation: number
  readonly #board: Board
  readonly #engine: Engine<State>
  readonly #options: CellOptions
  readonly #codec: Codec
  readonly #mailbox: Mailbox
  readonly #timers = new Timers()
  readonly #computations = new PendingComputations()
  readonly #inspection = new Inspection()
  readonly #sender: Sender
  /** Where a schedule deviates from fifo, what is due waits here for its turn. */
  readonly #gate: ScheduleGate | undefined
  #state: State | undefined
  /** What is being told of the step under way. */
  #draft: Mutable<StepReport> = { type: 'step' }
  /** The configuration at the last step that was told of, if nothing was untold since. */
  #lastState: Plain | undefined
  /** Mail that came before the incarnation was told to start. */
  readonly #earlyMail: number[] = []
  #isOver = false
  /** The machine has reached a final state, and what it sent is not yet acknowledged: only the reliable acts. */
  #isClosing = false
  #now: Time = 0
  /** Since the last publication. */
  #steps = 0
  /** In this incarnation. */
  #stepsTaken = 0
  readonly #stepContext: StepContext

  constructor(
    board: Board,
    codec: Codec,
    engine: Engine<State>,
    who: { readonly slot: number; readonly incarnation: number; readonly address: Address },
    options: CellOptions,
  ) {
    this.#board = board
    this.#codec = codec
    this.#engine = engine
    this.#options = options
    this.slot = who.slot
    this.incarnation = who.incarnation
    this.#mailbox = new Mailbox(board, who.slot, options.order, options.time)
    const { seed, order, schedule, time } = options
    const scheduler = options.scheduler ?? (isDeviations(schedule) ? new DeviationScheduler(schedule) : undefined)
    this.#sender = new Sender(board, codec, who, options, scheduler, options.stepLog)
    const isSeen = (at: number) => this.#isSeen(at)
    this.#gate = scheduler && new ScheduleGate({ board, ...who, scheduler, order, time, timers: this.#timers, isSeen })
    this.#stepContext = stepContextOf(seed, who, () => this.#now)
  }

  /** Virtual time: everything this actor has to do in one round. Nothing is visible before the round is committed. */
  runRound(phase: number, now: Time, subround: number): void {
    this.#now = now
    this.#sender.moveTo(now, subround)
    const kind = PHASES[phase]
    if (kind === 'mail') {
      this.#mailbox.collect()
      for (const at of this.#mailbox.takeRound(now, subround, this.#options.schedule)) this.#admit({ record: at })
    } else if (kind !== undefined && kind !== 'outside') {
      if (kind === 'protocol') this.#sender.reliable?.expire()
      for (const timer of this.#timers.takeDue(kind, now)) this.#admit({ timer })
    }
    if (this.#gate) this.#handleReady(this.#gate)
    this.#publish()
  }

  /** What is due is handled, or waits for its turn. */
  #admit(what: Handle): void {
    if (!this.#gate?.admit(what)) this.#do(what)
  }

  #isSeen(at: number): boolean {
    const r = 2 * at
    const { i32 } = this.#board
    if (this.#isClosing || i32[r + record.TO_INCARNATION] !== this.incarnation) return false
    const { reliable } = this.#sender
    if (!reliable || i32[r + record.CLASS] !== record.CLASS_DATA) return true
    return reliable.isNext(record.idOf(this.#board, at), this.#placeOf(at))
  }

  #do(what: Handle): void {
    if ('timer' in what) this.#fire(what.timer)
    else this.#receive(what.record)
  }

  /** Everything that the schedule does not hold back. */
  #handleReady(gate: ScheduleGate): void {
    if (this.#state !== undefined) {
      let next = gate.first(this.#stepsTaken, this.#now)
      for (; next && !this.#isOver; next = gate.next(this.#stepsTaken, this.#now)) this.#do(next)
    }
    gate.publish(this.#isOver)
  }

  /** Real time: handles the one thing that is due first; returns when there is more, Infinity for never. */
  runNext(now: Time): Time {
    this.#now = now
    this.#sender.moveTo(now, 0)
    this.#mailbox.collect()
    if (this.#gate) return this.#runChosen(this.#gate, now)
    let first: TimerKind | 'mail' = 'completion'
    for (const kind of REAL_ORDER) if (this.#dueOf(kind) < this.#dueOf(first)) first = kind
    const due = this.#dueOf(first)
    if (due > now) return due
    if (first === 'mail') this.#receive(this.#mailbox.take(now))
    else {
      if (first === 'protocol') this.#sender.reliable?.expire()
      // All that are due at one instant; what was due before a later one of them comes first.
      for (const timer of this.#timers.takeDue(first, due)) this.#fire(timer)
    }
    this.#publish()
    return now
  }

  /** Real time under a schedule: all that is due, one after another. */
  #runChosen(gate: ScheduleGate, now: Time): Time {
    for (let at = this.#mailbox.take(now); at !== 0; at = this.#mailbox.take(now)) this.#admit({ record: at })
    for (const kind of ['completion', 'arrival', 'protocol'] as const) {
      if (kind === 'protocol') this.#sender.reliable?.expire()
      for (const timer of this.#timers.takeDue(kind, now)) this.#admit({ timer })
    }
    this.#handleReady(gate)
    this.#publish()
    const dues = (['completion', 'arrival', 'mail', 'protocol'] as const).map((kind) => this.#dueOf(kind))
    return Math.max(now, Math.min(gate.expires, ...dues))
  }

  #dueOf(kind: TimerKind | 'mail'): Time {
    if (this.#isOver) return Number.POSITIVE_INFINITY
    if (kind === 'mail') return this.#mailbox.nextDue
    const due = this.#timers.nextDue(kind)
    // After the mail of the instant, which may bring the receipt.
    return kind === 'protocol' && this.#sender.reliable ? Math.min(due, this.#sender.reliable.due) : due
  }

  /** Says when there will be something to do, and what was sent. The caller's store of `done` makes it valid. */
  #publish(): void {
    this.#sender.settle()
    if (this.#isClosing && !this.#isOver && this.#sender.reliable?.isIdle) {
      this.#sender.report({ type: 'step', stopped: true })
      this.#end()
    }
    const { f64, due, size, steps } = this.#board
    for (let phase = 1; phase < KINDS; phase++) {
      const kind = PHASES[phase]
      if (kind && kind !== 'outside') f64[due + phase * size.slots + this.slot] = this.#dueOf(kind)
    }
    f64[steps + this.slot] = (f64[steps + this.slot] ?? 0) + this.#steps
    this.#steps = 0
    this.#sender.publish()
  }

  #receive(at: number): void {
    if (this.#isOver) return // stays posted: the system makes it a dead letter
    const { i32 } = this.#board
    const r = 2 * at
    const kind = i32[r + record.CLASS]
    if (kind === record.CLASS_DATA || kind === record.CLASS_RECEIPT) return this.#receiveWire(at, kind)
    if (i32[r + record.TO_INCARNATION] !== this.incarnation) return this.#mailbox.refuse(at)
    if (this.#isClosing) return // as when it is over
    const isOrder = kind === record.CLASS_CONTROL
    if (!isOrder && this.#state === undefined) {
      this.#earlyMail.push(at)
      return
    }
    const id = record.idOf(this.#board, at)
    const message = this.#take(at)
    if (isOrder) {
      if (isControl(message)) this.#control(message, id)
    } else if (isMessage(message)) {
      const from = id[0] === SYSTEM ? 'system' : this.#sender.directory.addressOf(id[0])
      this.#handle(withSender(message, from), { mail: id, type: message.type }, id)
    }
  }

  /** Reads a record that is in hand. */
  #take(at: number): Plain {
    const message = this.#codec.decode(at + record.BODY)
    record.release(this.#board, at)
    Atomics.sub(this.#board.i32, this.#board.pending + this.slot, 1)
    return message
  }

  /** Reliable delivery: a copy of a message, or a receipt. */
  #receiveWire(at: number, kind: number): void {
    const { reliable } = this.#sender
    if (!reliable) return
    const { i32 } = this.#board
    const id = record.idOf(this.#board, at)
    const toIncarnation = i32[2 * at + record.TO_INCARNATION] ?? 0
    const place = this.#placeOf(at)
    const isOurs = toIncarnation === this.incarnation
    if (isOurs && kind === record.CLASS_DATA && this.#state === undefined) {
      this.#earlyMail.push(at)
      return
    }
    const message = this.#take(at)
    if (kind === record.CLASS_RECEIPT) {
      if (isOurs) reliable.hear(id[0], message)
    } else if (!isOurs) reliable.refuse(id, toIncarnation, record.LOST_EARLIER_INCARNATION)
    else if (this.#isClosing) reliable.decline(id)
    else if (isMessage(message)) {
      for (const next of reliable.arrive({ id, message }, place)) {
        const { type } = next.message
        this.#handle(
          withSender(next.message, this.#sender.directory.addressOf(id[0])),
          { mail: next.id, type },
          next.id,
        )
        // What waited behind a message that ends this incarnation is not delivered.
        if (this.#isOver || this.#isClosing) break
      }
    }
  }

  #placeOf(at: number): Place {
    const { i32 } = this.#board
    return { n: i32[2 * at + record.NUMBER] ?? 0, base: i32[2 * at + record.BASE] ?? 0 }
  }

  #fire(timer: SetTimer): void {
    if (this.#isOver || !this.#timers.fire(timer)) return
    const { id, n, kind, event, cause } = timer
    this.#handle(event, { timer: id, n, kind, event, cause }, cause)
  }

  #control(order: Control, id: EnvelopeId): void {
    switch (order.type) {
      case 'start': {
        this.#sender.directory = Directory.of(order.directory)
        const input = inputOf(order.input, order.records)
        this.#step(() => this.#engine.initial(input), { start: true }, id)
        for (const at of this.#earlyMail.splice(0)) this.#receive(at)
        break
      }
      case 'joined': {
        this.#sender.directory = this.#sender.directory.with(order.address, order.slot)
        this.#news({ type: 'joined', address: order.address }, id)
        break
      }
      case 'left': {
        this.#sender.directory = this.#sender.directory.without(order.address)
        this.#news({ type: 'left', address: order.address }, id)
        break
      }
      case 'computed': {
        const { n, ...computed } = order
        if (!this.#computations.take(order.id, n)) break
        this.#handle(withSender(computed, 'system'), { mail: id, type: order.type }, id)
        break
      }
    }
  }

  /** News of the directory reach only machines that ask for them by handling them. */
  #news(news: { readonly type: 'joined' | 'left'; readonly address: Address }, id: EnvelopeId): void {
    if (this.#options.trace) this.#sender.report({ type: 'news', what: news.type, address: news.address, order: id })
    if (this.#engine.knows(news.type)) this.#handle(withSender(news, 'system'), { mail: id, type: news.type }, id)
  }

  #handle(event: EventObject, handled: Handled, cause: EnvelopeId | null): void {
    const state = this.#state
    if (state === undefined) return // cannot be: mail waits for the start, and only the start sets timers
    this.#step(() => this.#engine.step(state, event), handled, cause, event)
  }

  #step(run: () => Step<State>, handled: Handled, cause: EnvelopeId | null, event?: EventObject): void {
    this.#steps++
    this.#stepsTaken++
    this.#sender.cause = cause
    this.#draft = { type: 'step' }
    const isTold = this.#options.trace || this.#board.int(this.#board.watching) === 1
    const { stepRecord: account, savepoint: mark } = this.#sender
    account.begin(isTold ? handled : undefined)
    try {
      enterStep(this.#stepContext)
      const [state, effects] = run()
      for (const effect of effects) this.#carryOut(effect)
      if (event && state === this.#state && effects.length === 0 && !this.#engine.handles(state, event)) {
        account.addDetail({ unhandled: event.type })
      }
      this.#state = state
      this.#look(state, isTold)
      this.#sender.postStepRecord()
      if (Object.keys(this.#draft).length > 1) this.#sender.report(this.#draft)
    } catch (error) {
      if (isFatal(error)) throw error
      this.#sender.rollback(mark)
      this.#end()
      this.#sender.report({ type: 'crash', ...thrownOf(error), on: handled })
    } finally {
      leaveStep()
    }
  }

  #look(state: State, isTold: boolean): void {
    const { value, status } = this.#engine.view(state)
    if (isTold) this.#show(value)
    else this.#lastState = undefined
    if (status === 'active') return
    this.#timers.clear()
    this.#isClosing = true
    if (this.#sender.reliable && !this.#sender.reliable.isIdle) return
    this.#draft.stopped = true
    this.#end()
  }

  /** Tells of the configuration if it is another than was told of last. */
  #show(value: Plain): void {
    const shown = this.#lastState
    this.#lastState = value
    if (shown === undefined || !isAlike(shown, value)) this.#sender.stepRecord.addDetail({ state: value })
  }

  /** This incarnation handles nothing more; the system, asked for a turn, deals with what is left. */
  #end(): void {
    this.#isOver = true
    this.#timers.clear()
    this.#board.set(this.#board.call + this.slot, 1)
  }

  #carryOut(effect: Effect): void {
    this.#inspection.look(effect)
    switch (effect.type) {
      case 'tell':
        return this.#sender.tell(effect.params.to, effect.params.message)
      case 'timer':
        // It may have to be shown in a trace or a crash: what is wrong is said at the step that sets it.
        this.#sender.check(effect.params.event)
        return this.#timers.set(effect.params, this.#now, this.#sender.cause)
      case 'compute': {
        if (this.#options.time === 'virtual') throw new Error(NEEDS_REAL_TIME)
        const { id, call } = effect.params
        return this.#order(this.#computations.begin(id, call))
      }
      case 'cancel':
        this.#timers.cancel(effect.params.id)
        return this.#order(this.#computations.cancel(effect.params.id))
      case 'observe':
        this.#draft.facts = [...(this.#draft.facts ?? []), effect.params]
        return
      case 'persist':
        this.#draft.records = [...(this.#draft.records ?? []), effect.params]
        return
    }
  }

  /** Something that the system is to do for this actor, soon. */
  #order(order: ComputationOrder | undefined): void {
    if (!order) return
    this.#draft.computations = [...(this.#draft.computations ?? []), order]
    this.#board.set(this.#board.call + this.slot, 1)
  }
}

/** Of configurations: the compiled engine has one object for each. */
const texts = new WeakMap<object, string>()

function textOf(value: object): string {
  let text = texts.get(value)
  if (text === undefined) {
    text = JSON.stringify(value)
    texts.set(value, text)
  }
  return text
}

const isAlike = (one: Plain, other: Plain): boolean =>
  one === other || (isObject(one) && isObject(other) && textOf(one) === textOf(other))

/** Ties in real time are broken in the order of an instant's phases. */
const REAL_ORDER = ['arrival', 'mail', 'protocol'] as const
