/**
 * The host of one actor: its machine, mailbox, timers and random draws. It handles envelopes and due timers, and carries
 * out the effects of a step only when the whole step has succeeded. It sees a board and its mail, but no thread and no clock.
 */

import { type Deferred, deferredAfter, NONE_DEFERRED, requireRest, takeReady } from '../actor/deferred.ts'
import { Directory } from '../actor/directory.ts'
import { inputOf, stepContextOf } from '../actor/incarnation.ts'
import { Inspection } from '../actor/inspection.ts'
import { type ComputationOrder, PendingComputations } from '../actor/pending-computations.ts'
import { type ReceiveTimeout, timeoutAfter } from '../actor/receive-timeout.ts'
import { contentsOf, numbered, opened, type RequestKey, requireFewAsks } from '../actor/requests.ts'
import { DeviationScheduler, isDeviations, type Scheduler } from '../actor/schedule.ts'
import type { Incoming } from '../actor/step-context.ts'
import { type Control, type EnvelopeId, type Handled, isControl } from '../actor/step-report.ts'
import { type PendingChange, type SetTimer, Timers } from '../actor/timers.ts'
import { type Address, SYSTEM } from '../core/address.ts'
import { isMessage, isObject, type Message, type Plain } from '../core/data.ts'
import { nearest } from '../core/format.ts'
import { isFatal, thrownOf } from '../core/thrown.ts'
import { PHASES, type Time, type TimerKind } from '../core/time.ts'
import type { Engine, View } from '../engine/engine.ts'
import { takes } from '../engine/node.ts'
import { type StepOutput, type Stepper, takeFirstStep, takeStep } from '../engine/step.ts'
import {
  CLASS_CONTROL,
  CLASS_DATA,
  CLASS_MAIL,
  CLASS_RECEIPT,
  type LinkedEnvelope,
  LOST_EARLIER_INCARNATION,
  LOST_LATE_ANSWER,
  NEWS_FROM,
} from '../memory/envelope.ts'
import { type Board, KINDS } from '../memory/layout.ts'
import type { Endpoint, Mail } from '../memory/mail.ts'
import { Mailbox, type Order, type Schedule } from '../memory/mailbox.ts'
import { directoryOf } from './addresses.ts'
import { DiskWait } from './disk-wait.ts'
import type { Handle } from './ready-queue.ts'
import type { Arrival } from './reliable/delivery.ts'
import { ScheduleGate } from './schedule-gate.ts'
import { Sender, type SenderOptions } from './sender.ts'

/** Everything that influences what a cell does; all cells of a system have the same options. */
export interface CellOptions extends SenderOptions {
  readonly order: Order
  readonly schedule: Schedule
  readonly time: 'virtual' | 'real'
  /** Whether steps in virtual time may use the clocks and random numbers of the process. */
  readonly impure?: boolean
  /** The number of runs on the same log before this one, which ids depend on. */
  readonly run?: number
  /** The most open asks of one actor. */
  readonly asks: number
  /** The most messages that one actor may defer. */
  readonly deferred: number
  /** Whether a machine that changes its context or event in place ends the run. */
  readonly strict?: boolean
  /** Inline only: a live scheduler, which decides as the run goes on. It takes the place of `schedule`. */
  readonly scheduler?: Scheduler | undefined
}

/** Hears what a cell does, to measure it. */
export interface CellMeter {
  /** The number of messages in the mailbox, at the beginning of a round. */
  mailbox(messages: number): void
  /** A message is handled, `waited` after it came. */
  message(type: string, waited: Time): void
  stepBegins(): void
  stepEnds(): void
}

/** An event that the machine is handed, and the mail or timer that brings it. */
type Occurrence = {
  readonly incoming: Incoming
  /** Whether an earlier step deferred it. */
  readonly isAgain?: boolean
} & ({ readonly mail: EnvelopeId } | { readonly mail: null; readonly timer: SetTimer })

export class ActorCell<State> {
  readonly slot: number
  readonly incarnation: number
  readonly #board: Board
  readonly #engine: Engine<State>
  readonly #options: CellOptions
  readonly #mail: Mail
  readonly #endpoint: Endpoint
  readonly #mailbox: Mailbox
  readonly #timers = new Timers()
  readonly #computations = new PendingComputations()
  readonly #sender: Sender
  /** Holds events back where the schedule deviates from fifo. */
  readonly #gate: ScheduleGate | undefined
  readonly #disk: DiskWait
  #state: State | undefined
  /** The configuration of the statechart. */
  #configuration: Plain = null
  #deferred: Deferred<Occurrence> = NONE_DEFERRED
  #receiveTimeout: ReceiveTimeout = null
  /** The configuration that the trace has last seen; undefined if an untraced step came after it. */
  #lastState: Plain | undefined
  /** Mail that came before the order to start. */
  readonly #earlyMail: LinkedEnvelope[] = []
  #isOver = false
  /** The machine has reached a final state, but some of its messages are unacknowledged: only reliable delivery acts. */
  #isClosing = false
  readonly #moment = { now: 0, skew: 0 }
  /** Steps since the last publication. */
  #steps = 0
  /** Steps since then whose event no transition took. */
  #unhandled = 0
  /** The types of unhandled events that this incarnation has met. */
  readonly #unhandledTypes = new Set<string>()
  /** Steps in this incarnation. */
  #stepsTaken = 0
  /** What the last step began to handle; undefined for the first step. */
  #incoming: Incoming | undefined
  readonly #stepper: Stepper<State>
  readonly #meter: CellMeter | undefined

  constructor(
    mail: Mail,
    engine: Engine<State>,
    who: { readonly slot: number; readonly incarnation: number; readonly address: Address },
    options: CellOptions,
    meter?: CellMeter,
  ) {
    this.#board = mail.board
    this.#mail = mail
    this.#endpoint = mail.endpoint(who.slot, who.incarnation)
    this.#engine = engine
    this.#options = options
    this.slot = who.slot
    this.incarnation = who.incarnation
    const { urgent } = engine
    const isUrgent = urgent === undefined ? undefined : (one: LinkedEnvelope) => typeIn(one) === urgent
    this.#mailbox = new Mailbox(this.#endpoint, who.slot, options.order, options.time, isUrgent)
    this.#disk = new DiskWait(this.#board, who.slot)
    const { seed, order, schedule, time } = options
    const scheduler = options.scheduler ?? (isDeviations(schedule) ? new DeviationScheduler(schedule) : undefined)
    this.#sender = new Sender(mail.board, this.#endpoint, who, options, scheduler)
    const isSeen = (one: LinkedEnvelope) => this.#isSeen(one)
    const { board } = mail
    this.#gate = scheduler && new ScheduleGate({ board, ...who, scheduler, order, time, timers: this.#timers, isSeen })
    const context = stepContextOf(seed, who, this.#moment, options.run)
    const isPure = time === 'virtual' && !options.impure
    const directory = () => this.#sender.directory
    this.#stepper = { engine, context, time, isPure, inspection: new Inspection(), directory }
    this.#meter = meter
  }

  /** Virtual time: does all work of this actor in one round. Other threads see none of it before the round is committed. */
  runRound(phase: number, now: Time, subround: number): void {
    this.#moveTo(now)
    this.#sender.moveTo(now, subround)
    const kind = PHASES[phase]
    if (kind === 'mail') {
      this.#meter?.mailbox(this.#board.int(this.#board.pending + this.slot))
      this.#mailbox.collect()
    }
    if (this.#waitsForDisk()) return this.#publish()
    if (kind === 'mail') {
      for (const mail of this.#mailbox.takeRound(now, subround, this.#options.schedule)) this.#admit({ mail })
    } else if (kind !== undefined && kind !== 'outside') {
      if (kind === 'protocol') this.#sender.reliable?.expire()
      for (const timer of this.#timers.takeDue(kind, now)) this.#admit({ timer })
    }
    if (this.#gate) this.#handleReady(this.#gate)
    this.#publish()
  }

  /** What the actor does in its last step, which may never end, for people. */
  get doing(): string {
    if (!this.#incoming) return 'was starting'
    const { event, from, isTimer } = this.#incoming
    return `handled ${isTimer ? `timer ${event.type}` : `${event.type} from ${from}`}`
  }

  get #now(): Time {
    return this.#moment.now
  }

  #moveTo(now: Time): void {
    this.#moment.now = now
    this.#moment.skew = this.#board.num(this.#board.skew + this.slot)
  }

  /** Handles an event that is due, unless the schedule decides when. */
  #admit(event: Handle): void {
    if (!this.#gate?.admit(event)) this.#handleEvent(event)
  }

  /** Says whether the machine would see mail if it were handled now. */
  #isSeen(mail: LinkedEnvelope): boolean {
    if (this.#isClosing || mail.toIncarnation !== this.incarnation) return false
    if (this.#isLate(mail)) return false
    const { reliable } = this.#sender
    return !reliable || mail.class !== CLASS_DATA || reliable.isNext(mail.id, mail.place)
  }

  /** Says whether mail answers an ask that is not open. Only an actor that has asked reads its mail twice for this. */
  #isLate(mail: LinkedEnvelope): boolean {
    if (!this.#timers.hasAsked) return false
    const message = mail.read()
    const answers = isMessage(message) ? opened(message, '').answers : undefined
    return answers !== undefined && !this.#deadlineOf(answers)
  }

  #deadlineOf(request: RequestKey): SetTimer | undefined {
    return request.incarnation === this.incarnation ? this.#timers.deadlineOf(request) : undefined
  }

  #handleEvent(event: Handle): void {
    if (!this.#disk.isSlow || !this.#delays(event)) this.#handleNow(event)
  }

  /** Puts an event off while the disk is slow. What takes no step waits only behind other events of its sender. */
  #delays(event: Handle): boolean {
    const source = 'timer' in event ? CLOCK : event.mail.id[0]
    if ('mail' in event && !this.#isForMachine(event.mail)) return false
    const takesStep = 'timer' in event ? this.#timers.isSet(event.timer) : this.#isSeen(event.mail)
    if (!takesStep && !this.#disk.isAwaitedBy(source)) return false
    const handle = () => this.#handleNow(event)
    return this.#disk.delays(source, handle, this.#now, () => this.#persists(event))
  }

  /** Whether mail can lead to a step: receipts, and news that the machine does not handle, are for the cell alone. */
  #isForMachine(mail: LinkedEnvelope): boolean {
    if (mail.class !== CLASS_CONTROL) return mail.class !== CLASS_RECEIPT
    const order = mail.read()
    return !isControl(order) || !(order.type === 'joined' || order.type === 'left') || this.#engine.knows(order.type)
  }

  #handleNow(event: Handle): void {
    if ('timer' in event) this.#fire(event.timer)
    else this.#receive(event.mail)
  }

  /** Does what had to wait for the disk, if it has written by now. Returns whether the actor waits on. */
  #waitsForDisk(): boolean {
    return this.#disk.endsBy(this.#now, () => this.#gate && this.#handleReady(this.#gate))
  }

  /** Whether the step of an event would persist records. The step is tried, and nothing of it is kept. */
  #persists(event: Handle): boolean {
    if ('timer' in event) return this.#wouldPersist(this.#incomingOf(event.timer))
    const { mail } = event
    const message = mail.read()
    if (!isMessage(message)) return false
    if (mail.class !== CLASS_CONTROL) return this.#wouldPersist(this.#openedBy(mail.id, message))
    if (!isControl(message)) return false
    if (message.type !== 'start') return this.#wouldPersist({ event: message, from: 'system' })
    return this.#triesToPersist((stepper) => takeFirstStep(stepper, inputOf(message.input, message.records)))
  }

  #wouldPersist(incoming: Incoming): boolean {
    const state = this.#state
    this.#incoming = incoming
    return state !== undefined && this.#triesToPersist((stepper) => takeStep(stepper, state, incoming))
  }

  #triesToPersist(step: (stepper: Stepper<State>) => StepOutput<State>): boolean {
    try {
      return step({ ...this.#stepper, inspection: new Inspection() }).records.length > 0
    } catch (error) {
      if (isFatal(error)) throw error
      return false // it fails when it is taken
    }
  }

  /** Handles every event that the schedule does not hold back. */
  #handleReady(gate: ScheduleGate): void {
    if (this.#state !== undefined) {
      let next = gate.first(this.#stepsTaken, this.#now)
      for (; next && !this.#isOver; next = gate.next(this.#stepsTaken, this.#now)) {
        this.#handleEvent(next)
        if (this.#disk.isWaiting) break
      }
    }
    gate.publish(this.#isOver, this.#disk.isWaiting)
  }

  /** Real time: handles the event that is due first. Returns the instant of the next one; Infinity if there is none. */
  runNext(now: Time): Time {
    this.#moveTo(now)
    this.#meter?.mailbox(this.#board.int(this.#board.pending + this.slot))
    this.#sender.moveTo(now, 0)
    this.#mailbox.collect()
    if (this.#disk.isWaiting) {
      if (!this.#waitsForDisk()) this.#publish()
      return Math.max(now, this.#disk.until)
    }
    if (this.#gate) return this.#runChosen(this.#gate, now)
    let first: TimerKind | 'mail' = 'completion'
    for (const kind of REAL_ORDER) if (this.#dueOf(kind) < this.#dueOf(first)) first = kind
    const due = this.#dueOf(first)
    if (due > now) return due
    if (first === 'mail') {
      const mail = this.#mailbox.take(now)
      if (mail) this.#handleEvent({ mail })
    } else {
      if (first === 'protocol') this.#sender.reliable?.expire()
      // All timers of one instant, but not those of a later one: mail may be due between them.
      for (const timer of this.#timers.takeDue(first, due)) this.#handleEvent({ timer })
    }
    this.#publish()
    return now
  }

  /** Real time under a schedule: handles all events that are due. */
  #runChosen(gate: ScheduleGate, now: Time): Time {
    for (let mail = this.#mailbox.take(now); mail; mail = this.#mailbox.take(now)) this.#admit({ mail })
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
    const { until } = this.#disk
    // What waits for the disk goes on in the first phase of that instant, and the rest comes after it.
    return kind === 'completion' && until > 0 ? until : Math.max(until, this.#ownDueOf(kind))
  }

  #ownDueOf(kind: TimerKind | 'mail'): Time {
    if (kind === 'mail') return this.#mailbox.nextDue
    const due = this.#timers.nextDue(kind)
    // Retransmission comes after the mail of the instant, which may bring the acknowledgement.
    return kind === 'protocol' && this.#sender.reliable ? Math.min(due, this.#sender.reliable.due) : due
  }

  /** Writes to the slot's words when it is next due, and what it sent. The caller's store of `done` makes them valid. */
  #publish(): void {
    this.#sender.settle()
    if (this.#isClosing && !this.#isOver && this.#sender.reliable?.isIdle) {
      this.#sender.log.begin()
      this.#sender.log.end({ type: 'step', stopped: true })
      this.#end()
    }
    const { f64, due, size, steps, unhandled } = this.#board
    for (let phase = 1; phase < KINDS; phase++) {
      const kind = PHASES[phase]
      if (kind && kind !== 'outside') f64[due + phase * size.slots + this.slot] = this.#dueOf(kind)
    }
    f64[steps + this.slot] = (f64[steps + this.slot] ?? 0) + this.#steps
    this.#steps = 0
    f64[unhandled + this.slot] = (f64[unhandled + this.slot] ?? 0) + this.#unhandled
    this.#unhandled = 0
    this.#sender.publish()
  }

  #receive(mail: LinkedEnvelope): void {
    if (this.#isOver) return // it stays unread until the system makes it a dead letter
    const { id, class: kind } = mail
    if (kind === CLASS_DATA || kind === CLASS_RECEIPT) return this.#receiveCopy(mail)
    if (mail.toIncarnation !== this.incarnation) return mail.refuse()
    if (this.#isClosing) return // it stays unread, as above
    const isOrder = kind === CLASS_CONTROL
    if (!isOrder && this.#state === undefined) {
      this.#earlyMail.push(mail)
      return
    }
    const { due } = mail
    const message = mail.read()
    mail.release()
    if (isOrder) {
      if (isControl(message)) this.#control(message, id)
    } else if (isMessage(message)) {
      this.#open(id, message, due)
    }
  }

  #openedBy(id: EnvelopeId, message: Message): Incoming {
    return opened(message, id[0] === SYSTEM ? 'system' : this.#sender.directory.addressOf(id[0]))
  }

  /** Hands the machine a message that came at `due`, unless it answers an ask that is not open: then it is a dead letter. */
  #open(id: EnvelopeId, message: Message, due: Time): void {
    const incoming = this.#openedBy(id, message)
    const { answers } = incoming
    if (answers) {
      const deadline = this.#deadlineOf(answers)
      if (!deadline) return this.#sender.log.add({ type: 'dead', id, message, lost: LOST_LATE_ANSWER })
      this.#timers.close(deadline)
    }
    this.#meter?.message(incoming.event.type, this.#now - due)
    this.#handle({ incoming, mail: id })
  }

  /** Reliable delivery: handles a copy of a message, or a receipt. */
  #receiveCopy(mail: LinkedEnvelope): void {
    const { reliable } = this.#sender
    if (!reliable) return
    const { id, class: kind, toIncarnation, place, due } = mail
    const isOurs = toIncarnation === this.incarnation
    if (isOurs && kind === CLASS_DATA && this.#state === undefined) {
      this.#earlyMail.push(mail)
      return
    }
    const message = mail.read()
    mail.release()
    if (kind === CLASS_RECEIPT) {
      if (isOurs) reliable.hear(id[0], message)
    } else if (!isOurs) reliable.refuse(id, toIncarnation, LOST_EARLIER_INCARNATION)
    else if (this.#isClosing) reliable.decline(id)
    else if (isMessage(message)) this.#deliver(reliable.arrive({ id, message }, place), due)
  }

  /** Reliable delivery: hands the machine messages that came in order at `due`, up to one that ends this incarnation. */
  #deliver(arrivals: Iterator<Arrival>, due: Time): void {
    while (!this.#isOver && !this.#isClosing) {
      const { value: next, done } = arrivals.next()
      if (done) return
      if (this.#disk.isSlow && this.#delaysArrival(next, arrivals, due)) return
      this.#open(next.id, next.message, due)
    }
  }

  #delaysArrival({ id, message }: Arrival, others: Iterator<Arrival>, due: Time): boolean {
    const handle = () => {
      if (!this.#isOver && !this.#isClosing) this.#open(id, message, due)
      this.#deliver(others, due)
    }
    return this.#disk.delays(id[0], handle, this.#now, () => this.#wouldPersist(this.#openedBy(id, message)))
  }

  #fire(timer: SetTimer): void {
    if (this.#isOver || !this.#timers.fire(timer)) return
    this.#handle({ incoming: this.#incomingOf(timer), mail: null, timer })
  }

  #incomingOf({ event }: SetTimer): Incoming {
    return { event, from: this.#stepper.context.self, isTimer: true }
  }

  #control(order: Control, id: EnvelopeId): void {
    switch (order.type) {
      case 'start': {
        this.#sender.directory = order.addresses
          ? Directory.of(order.addresses)
          : directoryOf(this.#mail, order.slots, order.stopped)
        const input = inputOf(order.input, order.records)
        this.#step(null, id, input, 0)
        for (const mail of this.#earlyMail.splice(0)) this.#handleEvent({ mail })
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
        this.#handle({ incoming: { event: computed, from: 'system' }, mail: id })
        break
      }
    }
  }

  /** Tells the machine that an actor joined or left, if it handles such events. */
  #news(news: { readonly type: 'joined' | 'left'; readonly address: Address }, id: EnvelopeId): void {
    if (this.#options.trace) this.#sender.log.add({ type: 'news', what: news.type, address: news.address, order: id })
    if (this.#engine.knows(news.type)) this.#handle({ incoming: { event: news, from: 'system' }, mail: id })
  }

  /** Handles an event, and then the deferred messages that may be handled again because of it. */
  #handle(first: Occurrence): void {
    this.#handleOne(first, 0)
    this.#handleDeferred()
  }

  #handleDeferred(): void {
    let next = takeReady(this.#deferred)
    for (let steps = 1; next && !this.#isOver && !this.#isClosing; steps++) {
      const [occurrence, rest] = next
      const persists = () => this.#wouldPersist(occurrence.incoming)
      const handle = () => this.#handleDeferred()
      if (this.#disk.isSlow && this.#disk.delays(CLOCK, handle, this.#now, persists)) return
      this.#deferred = rest
      this.#handleOne(occurrence, steps)
      next = takeReady(this.#deferred)
    }
  }

  #handleOne(occurrence: Occurrence, steps: number): void {
    this.#step(occurrence, occurrence.mail ?? occurrence.timer.cause, undefined, steps)
  }

  /**
   * Takes a step and carries its effects out, or takes everything back. `own` is null for the start of the machine, which has
   * an input. `before` counts the steps that this event has led to.
   */
  #step(own: Occurrence | null, cause: EnvelopeId | null, input: unknown, before: number): void {
    const current = this.#state
    if (own && current === undefined) return // impossible: mail waits for the start, and only a step sets timers
    this.#steps++
    this.#stepsTaken++
    this.#incoming = own?.incoming
    this.#board.add(this.#board.heartbeat + this.slot, 1)
    this.#endpoint.cause = cause
    const isTold = this.#options.trace || this.#board.int(this.#board.watching) === 1
    this.#sender.begin()
    this.#meter?.stepBegins()
    try {
      requireRest(before)
      const output =
        own && current !== undefined
          ? takeStep(this.#stepper, current, own.incoming)
          : takeFirstStep(this.#stepper, input)
      const { state, view, sends, defers, unhandled } = output
      this.#sender.log.begin()
      const { count } = this.#timers
      for (const { to, message } of sends) this.#sender.tell(to, numbered(message, this.incarnation, count))
      const { pending, receiveTimeout } = timeoutAfter(this.#receiveTimeout, output, this.#now)
      const computations = this.#await(pending)
      if (unhandled !== null && !isNews(own)) this.#noteUnhandled(unhandled, own?.incoming.from ?? '')
      if (this.#sender.misaddressed.length > 0) this.#noteMisaddressed()
      const isDeferred = defers && isMail(own)
      if (own && (isDeferred || this.#deferred.last)) this.#defer(isDeferred ? own : undefined, view)
      this.#configuration = view.value
      this.#receiveTimeout = receiveTimeout
      this.#state = state
      this.#report(own, output, { isTold, isDeferred, computations })
    } catch (error) {
      if (isFatal(error)) throw error
      this.#sender.rollback()
      this.#end()
      this.#sender.log.begin()
      const step = {
        type: 'step',
        on: this.#handledBy(own),
        skew: this.#moment.skew || undefined,
        resumed: resumedBy(own),
      } as const
      this.#sender.log.end({ ...step, crash: thrownOf(error), event: own?.incoming.event })
    }
    this.#meter?.stepEnds()
  }

  /** Reports a step that has succeeded. */
  #report(own: Occurrence | null, output: StepOutput<State>, { isTold, isDeferred, computations }: StepFate): void {
    const { view, facts, records, isSnapshot, orders, entered, unhandled } = output
    if (!isTold && !isDeferred && isQuiet(own, output) && computations.length === 0 && this.#sender.log.isEmpty) {
      this.#lastState = undefined
      return
    }
    if (orders.length > 0) this.#callSystem()
    this.#sender.log.end({
      type: 'step',
      on: isTold ? this.#handledBy(own) : undefined,
      skew: (isTold && this.#moment.skew) || undefined,
      unhandled: unhandled ?? undefined,
      state: this.#newConfiguration(view, isTold),
      entered: isTold && entered.length > 0 ? entered : undefined,
      facts: facts.length > 0 ? facts : undefined,
      computations: computations.length > 0 ? computations : undefined,
      records: records.length > 0 ? records : undefined,
      isSnapshot: isSnapshot || undefined,
      orders: orders.length > 0 ? orders : undefined,
      deferred: isDeferred && isMail(own) ? { id: own.mail, type: own.incoming.event.type } : undefined,
      resumed: resumedBy(own),
      stopped: this.#endsWith(view) || undefined,
    })
  }

  /** What a step handles, as traces and errors tell it. */
  #handledBy(own: Occurrence | null): Handled {
    if (!own) return { start: true, urgent: this.#engine.urgent }
    if (own.mail) return { mail: own.mail, type: own.incoming.event.type, ...(own.isAgain && { again: true }) }
    const { id, n, kind, event, cause } = own.timer
    return { timer: id, n, kind, event, cause }
  }

  /** Counts an event that no transition took, and reports the first of a type that no state handles. */
  #noteUnhandled(event: string, from: Address): void {
    this.#unhandled++
    if (this.#options.time === 'real' || this.#unhandledTypes.has(event) || this.#unhandledTypes.size === TYPES_MAX)
      return
    this.#unhandledTypes.add(event)
    const { types } = this.#engine
    if (takes(types, event)) return
    this.#sender.log.add({ type: 'unknown type', event, from, meant: nearest(event, types) })
  }

  /** Reports the messages that the actor knows no recipient of. In real time it may be told of one at any moment. */
  #noteMisaddressed(): void {
    if (this.#options.time === 'real') return
    for (const one of this.#sender.misaddressed) this.#sender.log.add(one)
  }

  /** Keeps the message of a step that defers it, and readies all that wait if the configuration has changed. */
  #defer(own: Occurrence | undefined, { value }: View): void {
    const again = own && { ...own, isAgain: true }
    const isChanged = !isAlike(this.#configuration, value)
    this.#deferred = deferredAfter(this.#deferred, again, isChanged, this.#options.deferred)
  }

  /** The configuration for the trace, if it has changed. */
  #newConfiguration({ value }: View, isTold: boolean): Plain | undefined {
    const last = this.#lastState
    this.#lastState = isTold ? value : undefined
    return isTold && (last === undefined || !isAlike(last, value)) ? value : undefined
  }

  /** Says whether the machine has reached a final state and nothing keeps it from ending. */
  #endsWith({ status }: View): boolean {
    if (status === 'active') return false
    this.#timers.clear()
    this.#isClosing = true
    if (this.#sender.reliable && !this.#sender.reliable.isIdle) return false
    this.#end()
    return true
  }

  /** Ends this incarnation and asks for a system round, which turns its mail into dead letters. */
  #end(): void {
    this.#isOver = true
    this.#disk.clear()
    this.#timers.clear()
    this.#callSystem()
  }

  /** Asks for a system round after this one. */
  #callSystem(): void {
    this.#board.set(this.#board.call + this.slot, 1)
  }

  /** Sets and cancels timers; returns the orders to the system, which runs the computations. */
  #await(changes: readonly PendingChange[]): readonly ComputationOrder[] {
    const orders: ComputationOrder[] = []
    for (const change of changes) {
      if (change.type === 'set') {
        // A trace or a crash may have to show the event, so the step that sets it fails if it cannot travel.
        this.#sender.check(change.event)
        this.#timers.set(change, this.#endpoint.cause)
        continue
      }
      if (change.type === 'cancel') this.#timers.cancel(change.id)
      const order =
        change.type === 'cancel'
          ? this.#computations.cancel(change.id)
          : this.#computations.begin(change.id, change.call)
      if (order) orders.push(order)
    }
    requireFewAsks(this.#timers.asks, this.#options.asks)
    if (orders.length > 0) this.#callSystem()
    return orders
  }
}

/**
 * Whether a step has nothing to report unless a trace or a listener is told of all steps. The log would send no report of it;
 * known before, the report is not made at all, which most steps are spared. What `#report` tells the system has its condition here.
 */
const isQuiet = (own: Occurrence | null, { view, facts, records, orders, unhandled }: StepOutput<unknown>): boolean =>
  facts.length === 0 &&
  records.length === 0 &&
  orders.length === 0 &&
  unhandled === null &&
  view.status === 'active' &&
  !own?.isAgain

/** What became of a step that has succeeded. */
interface StepFate {
  /** Whether the trace, or a listener, is told all about it. */
  readonly isTold: boolean
  readonly isDeferred: boolean
  readonly computations: readonly ComputationOrder[]
}
/** Stands for the sender of timers. */
const CLOCK = -1

/** The most types of unhandled events to remember, in case that types contain data, such as `task 17`. */
const TYPES_MAX = 1024

/** Whether a step handles news of an incarnation, which a machine need not handle. */
const isNews = (own: Occurrence | null): boolean => isMail(own) && own.mail[2] >= NEWS_FROM

const isMail = (own: Occurrence | null): own is Occurrence & { readonly mail: EnvelopeId } => !!own?.mail

/** The deferred message that a step handles; undefined for any other event. */
const resumedBy = (own: Occurrence | null): EnvelopeId | undefined => (own?.isAgain && own.mail ? own.mail : undefined)

/** The type of the message in an envelope; undefined for an envelope of another class. */
function typeIn(mail: LinkedEnvelope): string | undefined {
  if (mail.class !== CLASS_MAIL && mail.class !== CLASS_DATA) return undefined
  const message = mail.read()
  return isMessage(message) ? contentsOf(message).type : undefined
}

/** The JSON of each configuration. The compiled engine has one object for each of them. */
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
