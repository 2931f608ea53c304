/**
 * One machine with its mailbox, timers and random draws. In: an envelope or a due timer. Out: effects, carried out
 * only when the whole step has succeeded. Runs anywhere: it sees a board, never a thread or a clock.
 */
import type { EventObject } from 'xstate'
import type { Effect } from './actor.ts'
import { type Address, isGroup, machineOf } from './address.ts'
import { type Ambient, enter, leave } from './ambient.ts'
import { Directory } from './directory.ts'
import type { Engine, Step } from './engine.ts'
import { Links } from './links.ts'
import { type Board, KINDS, SYSTEM } from './memory/board.ts'
import type { Codec } from './memory/codec.ts'
import { Mailbox, type Order, type Schedule } from './memory/mailbox.ts'
import { type Envelope, Outbox } from './memory/outbox.ts'
import { MailMemoryFull } from './memory/pages.ts'
import * as record from './memory/record.ts'
import type { NetworkOptions } from './network.ts'
import { isMessage, type Message, type Plain } from './plain.ts'
import { idFrom, keyed, keyedDraws } from './random.ts'
import { type Control, type EnvelopeId, type Handled, isControl, type Report, type StepReport } from './report.ts'
import { PHASES, type Time, type TimerKind } from './time.ts'
import { type SetTimer, Timers } from './timers.ts'

/** Everything that influences what a cell does, the same for all cells of a system. */
export type CellOptions = {
  readonly seed: number
  readonly order: Order
  readonly schedule: Schedule
  readonly time: 'virtual' | 'real'
  readonly network: NetworkOptions
  readonly trace: boolean
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export class Cell<State> {
  readonly slot: number
  readonly life: number
  readonly #board: Board
  readonly #engine: Engine<State>
  readonly #options: CellOptions
  readonly #codec: Codec
  readonly #mailbox: Mailbox
  readonly #outbox: Outbox
  readonly #timers = new Timers()
  readonly #address: Address
  readonly #machine: string
  readonly #directory = new Directory()
  readonly #links: Links
  #state: State | undefined
  /** What is being told of the step under way, and what caused it. */
  #draft: Mutable<StepReport> = { type: 'step' }
  #cause: EnvelopeId | null = null
  #shown = ''
  /** Mail that came before the life was told to start. */
  readonly #early: number[] = []
  #over = false
  #now: Time = 0
  #subround = 0
  /** Since the last publication. */
  #sent = 0
  #sentNear = 0
  #steps = 0
  readonly #ambient: Ambient

  constructor(
    board: Board,
    codec: Codec,
    engine: Engine<State>,
    who: { readonly slot: number; readonly life: number; readonly address: Address },
    options: CellOptions,
  ) {
    this.#board = board
    this.#codec = codec
    this.#engine = engine
    this.#options = options
    this.slot = who.slot
    this.life = who.life
    this.#address = who.address
    this.#machine = machineOf(who.address)
    this.#mailbox = new Mailbox(board, who.slot, options.order, options.time)
    this.#outbox = new Outbox(board, codec, who.slot, who.life)
    const { seed } = options
    this.#links = new Links(board, options.network, seed, who.slot, who.life)
    const cell = this
    this.#ambient = {
      self: who.address,
      get now() {
        return cell.#now
      },
      draw: (purpose, key) => keyed(seed, purpose, key),
      newId: (key) => idFrom(keyedDraws(seed, `id of ${who.address} in life ${who.life}`, key)),
    }
  }

  /** Virtual time: everything this actor has to do in one round. Nothing is visible before the round is committed. */
  runRound(phase: number, now: Time, subround: number): void {
    this.#now = now
    this.#subround = subround
    const kind = PHASES[phase]
    if (kind === 'mail') {
      this.#mailbox.collect()
      for (const at of this.#mailbox.takeRound(now, subround, this.#options.schedule)) this.#receive(at)
    } else if (kind !== undefined && kind !== 'outside') {
      for (const timer of this.#timers.takeDue(kind, now)) this.#fire(timer)
    }
    this.#publish()
  }

  /** Real time: handles the one thing that is due first; returns when there is more, Infinity for never. */
  runNext(now: Time): Time {
    this.#now = now
    this.#mailbox.collect()
    let first: TimerKind | 'mail' = 'completion'
    for (const kind of REAL_ORDER) if (this.#dueOf(kind) < this.#dueOf(first)) first = kind
    if (this.#dueOf(first) > now) return this.#dueOf(first)
    if (first === 'mail') this.#receive(this.#mailbox.take(now))
    else {
      // All that are due at one instant; what was due before a later one of them comes first.
      for (const timer of this.#timers.takeDue(first, this.#dueOf(first))) this.#fire(timer)
    }
    this.#publish()
    return now
  }

  #dueOf(kind: TimerKind | 'mail'): Time {
    if (this.#over) return Number.POSITIVE_INFINITY
    return kind === 'mail' ? this.#mailbox.nextDue : this.#timers.nextDue(kind)
  }

  /** Says when there will be something to do, and what was sent. The caller's store of `done` makes it valid. */
  #publish(): void {
    const { f64, i32, due, size, first, sent, sentNear, steps } = this.#board
    for (let phase = 1; phase < KINDS; phase++) {
      const kind = PHASES[phase]
      if (kind && kind !== 'outside') f64[due + phase * size.slots + this.slot] = this.#dueOf(kind)
    }
    i32[first + this.slot] = this.#outbox.take()
    f64[sent + this.slot] = (f64[sent + this.slot] ?? 0) + this.#sent
    f64[sentNear + this.slot] = (f64[sentNear + this.slot] ?? 0) + this.#sentNear
    f64[steps + this.slot] = (f64[steps + this.slot] ?? 0) + this.#steps
    this.#sent = 0
    this.#sentNear = 0
    this.#steps = 0
  }

  #receive(at: number): void {
    if (this.#over) return // stays posted: the system makes it a dead letter
    const { i32 } = this.#board
    const r = 2 * at
    if (i32[r + record.TO_LIFE] !== this.life) return this.#mailbox.refuse(at)
    const id = record.idOf(this.#board, at)
    const message = this.#codec.decode(at + record.BODY)
    const isOrder = i32[r + record.CLASS] === record.CLASS_CONTROL
    if (!isOrder && this.#state === undefined) {
      this.#early.push(at)
      return
    }
    record.release(this.#board, at)
    Atomics.sub(i32, this.#board.pending + this.slot, 1)
    if (isOrder) {
      if (isControl(message)) this.#control(message, id)
    } else if (isMessage(message)) {
      const from = id[0] === SYSTEM ? 'system' : this.#directory.addressOf(id[0])
      this.#handle(asMail(message, from), { mail: id, type: message.type }, id)
    }
  }

  #fire(timer: SetTimer): void {
    if (this.#over || !this.#timers.fire(timer)) return
    const { id, kind, event, cause } = timer
    this.#handle(event, { timer: id, kind, event, cause }, cause)
  }

  #control(order: Control, id: EnvelopeId): void {
    switch (order.type) {
      case 'start': {
        for (const [slot, address] of order.directory.entries()) if (address !== '') this.#directory.join(address, slot)
        const input = order.records.length > 0 ? { ...asRecord(order.input), records: order.records } : order.input
        this.#step(() => this.#engine.initial(input), { start: true }, id)
        for (const at of this.#early.splice(0)) this.#receive(at)
        break
      }
      case 'joined': {
        this.#directory.join(order.address, order.slot)
        this.#tellIfKnown({ type: 'joined', address: order.address }, id)
        break
      }
      case 'left': {
        this.#directory.leave(order.address)
        this.#tellIfKnown({ type: 'left', address: order.address }, id)
        break
      }
    }
  }

  /** News of the directory reach only machines that ask for them by handling them. */
  #tellIfKnown(news: Message, id: EnvelopeId): void {
    if (this.#engine.knows(news.type)) this.#handle(asMail(news, 'system'), { mail: id, type: news.type }, id)
  }

  #handle(event: EventObject, handled: Handled, cause: EnvelopeId | null): void {
    const state = this.#state
    if (state === undefined) return // cannot be: mail waits for the start, and only the start sets timers
    this.#step(() => this.#engine.step(state, event), handled, cause, event)
  }

  #step(run: () => Step<State>, handled: Handled, cause: EnvelopeId | null, event?: EventObject): void {
    this.#steps++
    this.#cause = cause
    this.#draft = { type: 'step' }
    if (this.#options.trace || this.#board.int(this.#board.watching) === 1) this.#draft.on = handled
    const mark = this.#outbox.mark
    const counts = [this.#sent, this.#sentNear] as const
    try {
      enter(this.#ambient)
      const [state, effects] = run()
      for (const effect of effects) this.#carryOut(effect)
      if (event && state === this.#state && effects.length === 0 && !this.#engine.handles(state, event)) {
        this.#draft.unhandled = event.type
      }
      this.#state = state
      this.#look(state)
      if (Object.keys(this.#draft).length > 1) this.#post(SYSTEM, record.CLASS_REPORT, this.#now, this.#draft)
    } catch (error) {
      if (error instanceof MailMemoryFull) throw error
      this.#outbox.rollback(mark)
      ;[this.#sent, this.#sentNear] = counts
      this.#end()
      const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
      this.#post(SYSTEM, record.CLASS_REPORT, this.#now, { type: 'crash', name, message, stack, on: handled })
    } finally {
      leave()
    }
  }

  #look(state: State): void {
    const { value, status } = this.#engine.view(state)
    if (this.#options.trace) {
      const shown = JSON.stringify(value)
      if (shown !== this.#shown) this.#draft.state = value
      this.#shown = shown
    }
    if (status !== 'active') {
      this.#draft.stopped = true
      this.#end()
    }
  }

  /** This life handles nothing more; the system, asked for a turn, deals with what is left. */
  #end(): void {
    this.#over = true
    this.#timers.clear()
    this.#board.set(this.#board.call + this.slot, 1)
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'tell':
        return this.#tell(effect.params.to, effect.params.message)
      case 'timer':
        // It may have to be shown in a trace or a crash: what is wrong is said at the step that sets it.
        this.#outbox.encode(effect.params.event)
        return this.#timers.set(effect.params, this.#now, this.#cause)
      case 'cancel':
        return this.#timers.cancel(effect.params.id)
      case 'observe':
        this.#draft.facts = [...(this.#draft.facts ?? []), effect.params]
        return
      case 'persist':
        this.#draft.records = [...(this.#draft.records ?? []), effect.params]
        return
    }
  }

  #tell(to: Address, message: Message): void {
    this.#outbox.encode(message)
    if (isGroup(to)) {
      for (const slot of this.#directory.membersOf(to)) {
        if (slot !== this.slot) this.#send(slot, this.#directory.addressOf(slot), message)
      }
      return
    }
    const slot = to === 'system' ? SYSTEM : this.#directory.slotOf(to)
    if (slot === undefined) this.#lose(to, message, record.LOST_NO_SUCH_ACTOR)
    else this.#send(slot, to, message)
  }

  #send(slot: number, to: Address, message: Message): void {
    if (slot === SYSTEM || machineOf(to) === this.#machine) {
      this.#sentNear++
      return this.#mail(slot, to, message, this.#now)
    }
    this.#sent++
    const passage = this.#links.pass(slot, this.#now)
    if ('lost' in passage) return this.#lose(to, message, passage.lost)
    for (const due of passage.dues) this.#mail(slot, to, message, due)
  }

  #mail(slot: number, to: Address, message: Message, due: Time): void {
    const id = this.#outbox.post(this.#envelope(slot, record.CLASS_MAIL, due))
    if (this.#options.trace) this.#draft.sends = [...(this.#draft.sends ?? []), { id, to, message, due }]
  }

  #lose(to: Address, message: Message, lost: number): void {
    const id = this.#outbox.skip()
    this.#draft.sends = [...(this.#draft.sends ?? []), { id, to, message, lost }]
  }

  #post(slot: number, kind: number, due: Time, message: Report): void {
    this.#outbox.encode(message)
    this.#outbox.post(this.#envelope(slot, kind, due))
  }

  #envelope(to: number, kind: number, due: Time): Envelope {
    return { to, class: kind, due, sentAt: this.#now, subround: this.#subround, cause: this.#cause }
  }
}

/** Adds the sender to a message just decoded, which nobody else holds: a copy would take longer than the decoding. */
function asMail(message: { -readonly [K in keyof Message]: Message[K] }, from: Address): Message {
  message['from'] = from
  return message
}

/** Ties in real time are broken in the order of an instant's phases. */
const REAL_ORDER = ['arrival', 'mail', 'protocol'] as const

const asRecord = (input: Plain) =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input }
