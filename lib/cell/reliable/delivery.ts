/**
 * Reliable delivery at work in one cell: puts copies and receipts on the wire and hears those of its peers. Between
 * the cell and its links; the machine knows nothing of it. It holds what two pure sides (`Outgoing`, `Incoming`) decide.
 */

import type { ReliableOptions } from '../../actor/reliable-options.ts'
import type { CopyOutcome, EnvelopeId, Send, WireEvent, WireReceipt } from '../../actor/step-report.ts'
import type { Address } from '../../core/address.ts'
import { isObject, type Message, type Plain } from '../../core/data.ts'
import type { Time } from '../../core/time.ts'
import * as record from '../../memory/envelope.ts'
import type { Board } from '../../memory/layout.ts'
import type { Outbox, WireEnvelope } from '../../memory/outbox.ts'
import type { Links } from '../links.ts'
import { Incoming, type Place } from './incoming.ts'
import { Outgoing, type Packet } from './outgoing.ts'

/** A message on its way out. */
interface ReliableMessage {
  readonly id: EnvelopeId
  readonly to: Address
  readonly message: Message
}

/** A message that came. */
export interface Arrival {
  readonly id: EnvelopeId
  readonly message: Message
}

export interface ReliableDeliveryDeps {
  readonly board: Board
  readonly outbox: Outbox
  readonly links: Links
  /** The incarnation of the cell. */
  readonly incarnation: number
  readonly addressOf: (slot: number) => Address
  readonly trace: boolean
}

export class ReliableDelivery {
  readonly #deps: ReliableDeliveryDeps
  readonly #outgoing: Outgoing<ReliableMessage>
  readonly #incoming = new Incoming<Arrival>()
  /** To whom what is to be refused: slot and incarnation of the sender, and the incarnation that it was for. */
  readonly #refusals = new Map<
    string,
    { readonly from: number; readonly incarnation: number; readonly what: WireReceipt }
  >()
  #events: WireEvent[] = []
  #now: Time = 0
  #subround = 0
  /** Since the last call of `takeCounts`. */
  #again = 0
  #receipts = 0

  constructor(options: ReliableOptions, deps: ReliableDeliveryDeps) {
    this.#outgoing = new Outgoing(options)
    this.#deps = deps
  }

  /** Where in time the cell is. */
  moveTo(now: Time, subround: number): void {
    this.#now = now
    this.#subround = subround
  }

  /** When there is something to be sent again or given up; Infinity if nothing waits for its receipt. */
  get due(): Time {
    return this.#outgoing.due
  }

  /** Is nothing unacknowledged? */
  get isIdle(): boolean {
    return this.#outgoing.isEmpty
  }

  /** The first attempt at a message, which the outbox has encoded. */
  send(slot: number, to: Address, message: Message): Pick<Send, 'id' | 'due' | 'missed' | 'lost'> {
    const { outbox, board } = this.#deps
    const id = outbox.nextId()
    const incarnation = board.int(board.incarnation + slot)
    const packet = this.#outgoing.add(slot, incarnation, { id, to, message }, this.#now)
    if (!packet) return { id, lost: record.LOST_WINDOW }
    return { id, ...this.#transmit(packet) }
  }

  /** Sends again what has waited long enough, and gives up what has waited too long. */
  expire(): void {
    const { again, lost } = this.#outgoing.expire(this.#now)
    for (const packet of again) {
      const { id, to, message } = packet.message
      this.#deps.outbox.encode(message)
      this.#again++
      this.#note({ type: 'copy', id, to, attempt: packet.attempt, ...this.#transmit(packet) })
    }
    this.#lose(lost, record.LOST_UNACKNOWLEDGED)
  }

  #transmit(packet: Packet<ReliableMessage>): CopyOutcome {
    const { to: slot, incarnation: toIncarnation, n, base, attempt, message: queued } = packet
    const result = this.#deps.links.transmit(slot, this.#now)
    if ('lost' in result) return { missed: result.lost }
    const wire = { toIncarnation, seq: queued.id[2], n, base }
    for (const due of result.dues) this.#post(slot, record.CLASS_DATA, due, wire)
    const [due, second] = result.dues
    if (second !== undefined) this.#note({ type: 'copy', id: queued.id, to: queued.to, attempt, due: second })
    return { due }
  }

  /** Would a copy, if it came now, let anything be handed on? */
  isNext([from, incarnation]: EnvelopeId, place: Place): boolean {
    return this.#incoming.isNext(from, incarnation, place)
  }

  /**
   * A copy came; yields what can be handed on now, in the order of sending. What is not taken counts as not delivered.
   */
  *arrive(arrival: Arrival, place: Place): Generator<Arrival> {
    const [from, incarnation] = arrival.id
    const isNew = this.#incoming.accept(from, incarnation, place, arrival)
    let next = this.#incoming.take(from, incarnation)
    if (!isNew) this.#note({ type: 'suppressed', id: arrival.id })
    else if (!next) this.#note({ type: 'held', id: arrival.id })
    for (; next; next = this.#incoming.take(from, incarnation)) yield next
  }

  /** A copy came for an incarnation whose work is over: what it had handled before is acknowledged, all else refused. */
  decline(id: EnvelopeId): void {
    const [from, incarnation] = id
    this.#incoming.decline(from, incarnation)
    this.refuse(id, this.#deps.incarnation, record.LOST_STOPPED)
  }

  /** Tells the sender of a copy that the incarnation it was for takes no more mail; `lost` is a LOST_* code. */
  refuse([from, incarnation]: EnvelopeId, toIncarnation: number, lost: number): void {
    this.#refusals.set(`${from}.${incarnation}.${toIncarnation}`, {
      from,
      incarnation,
      what: { type: 'refusal', incarnation: toIncarnation, lost },
    })
  }

  /** A receipt came. */
  hear(from: number, receipt: Plain): void {
    if (!isReceipt(receipt)) return
    if (receipt.type === 'ack') this.#outgoing.acknowledge(from, receipt.incarnation, receipt)
    else this.#lose(this.#outgoing.refuse(from, receipt.incarnation), receipt.lost)
  }

  /** At the end of a round: a receipt to each peer from which anything came. */
  acknowledge(): void {
    for (const { from, incarnation, receipt } of this.#incoming.receipts()) {
      this.#reply(from, incarnation, { type: 'ack', incarnation: this.#deps.incarnation, ...receipt })
    }
    for (const { from, incarnation, what } of this.#refusals.values()) this.#reply(from, incarnation, what)
    this.#refusals.clear()
  }

  #reply(slot: number, incarnation: number, receipt: WireReceipt): void {
    this.#receipts++
    const { outbox, links, addressOf } = this.#deps
    const to = addressOf(slot)
    const result = links.transmit(slot, this.#now)
    if ('lost' in result) return this.#note({ type: 'receipt', to, receipt, missed: result.lost })
    outbox.encode(receipt)
    for (const due of result.dues) this.#post(slot, record.CLASS_RECEIPT, due, { toIncarnation: incarnation })
    this.#note({ type: 'receipt', to, receipt, due: result.dues[0] })
  }

  #post(to: number, kind: number, due: Time, wire: WireEnvelope): void {
    this.#deps.outbox.post({ to, class: kind, due, sentAt: this.#now, subround: this.#subround, cause: null }, wire)
  }

  #lose(messages: readonly ReliableMessage[], lost: number): void {
    for (const queued of messages) this.#events.push({ type: 'lost', ...queued, lost })
  }

  #note(event: WireEvent): void {
    if (this.#deps.trace) this.#events.push(event)
  }

  /** A place to roll back to, should the step fail. */
  get mark(): number {
    return this.#events.length
  }

  /** The cell's last step failed: what it sent is taken back, and nothing will be sent again. */
  end(mark: number): void {
    this.#events.length = mark
    this.#outgoing.clear()
  }

  /** What happened since the last call. */
  takeEvents(): readonly WireEvent[] {
    const events = this.#events
    if (events.length > 0) this.#events = []
    return events
  }

  /** Attempts after the first, and receipts, since the last call. */
  takeCounts(): { readonly again: number; readonly receipts: number } {
    const counts = { again: this.#again, receipts: this.#receipts }
    this.#again = 0
    this.#receipts = 0
    return counts
  }
}

/** Only cells of the same system write them. */
const isReceipt = (value: Plain): value is WireReceipt =>
  isObject(value) && (value['type'] === 'ack' || value['type'] === 'refusal')
