/**
 * Reliable delivery in one cell, between its sender and its links: gives messages sequence numbers, retransmits them with
 * exponential backoff until they are acknowledged, and removes duplicates. `Outgoing` and `Incoming` decide; this class
 * posts and reads the envelopes. No machine knows of it.
 */

import type { ReliableOptions } from '../../actor/reliable-options.ts'
import type { CopyOutcome, EnvelopeId, Send, WireEvent, WireReceipt } from '../../actor/step-report.ts'
import type { Address } from '../../core/address.ts'
import { isObject, type Message, type Plain } from '../../core/data.ts'
import type { Time } from '../../core/time.ts'
import {
  CLASS_DATA,
  CLASS_RECEIPT,
  LOST_STOPPED,
  LOST_UNACKNOWLEDGED,
  LOST_WINDOW,
  type SequencePlace,
} from '../../memory/envelope.ts'
import type { Board } from '../../memory/layout.ts'
import type { Endpoint } from '../../memory/mail.ts'
import type { Links } from '../links.ts'
import { Incoming } from './incoming.ts'
import { Outgoing, type Packet } from './outgoing.ts'

/** A message on its way out. */
interface ReliableMessage {
  readonly id: EnvelopeId
  readonly to: Address
  readonly message: Message
}

/** A message that has arrived. */
export interface Arrival {
  readonly id: EnvelopeId
  readonly message: Message
}

export interface ReliableDeliveryDeps {
  readonly board: Board
  readonly endpoint: Endpoint
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
  /** Refusals to send, by slot and incarnation of the sender and the incarnation that the message was for. */
  readonly #refusals = new Map<
    string,
    { readonly from: number; readonly incarnation: number; readonly what: WireReceipt }
  >()
  #events: WireEvent[] = []
  #now: Time = 0
  /** Retransmissions since the last call of `takeCounts`. */
  #again = 0
  #receipts = 0

  constructor(options: ReliableOptions, deps: ReliableDeliveryDeps) {
    this.#outgoing = new Outgoing(options)
    this.#deps = deps
  }

  /** Sets the instant of what is sent next. */
  moveTo(now: Time): void {
    this.#now = now
  }

  /** The instant of the next retransmission; Infinity if nothing is unacknowledged. */
  get due(): Time {
    return this.#outgoing.due
  }

  /** Says whether all messages are acknowledged or given up. */
  get isIdle(): boolean {
    return this.#outgoing.isEmpty
  }

  /** Makes the first attempt at a message, which the endpoint has packed. */
  send(slot: number, to: Address, message: Message): Pick<Send, 'id' | 'due' | 'missed' | 'lost'> {
    const { endpoint, board } = this.#deps
    const id = endpoint.nextId()
    const incarnation = board.int(board.incarnation + slot)
    const packet = this.#outgoing.add(slot, incarnation, { id, to, message }, this.#now)
    if (!packet) return { id, lost: LOST_WINDOW }
    return { id, ...this.#transmit(packet) }
  }

  /** Retransmits the messages whose timeout has passed, and gives up those whose attempts are used up. */
  expire(): void {
    const { again, lost } = this.#outgoing.expire(this.#now)
    for (const packet of again) {
      const { id, to, message } = packet.message
      this.#deps.endpoint.pack(message)
      this.#again++
      this.#note({ type: 'copy', id, to, attempt: packet.attempt, ...this.#transmit(packet) })
    }
    this.#lose(lost, LOST_UNACKNOWLEDGED)
  }

  #transmit(packet: Packet<ReliableMessage>): CopyOutcome {
    const { to: slot, incarnation: toIncarnation, n, base, attempt, message: queued } = packet
    const result = this.#deps.links.transmit(slot, this.#now)
    if ('lost' in result) return { missed: result.lost }
    const copy = { toIncarnation, seq: queued.id[2], n, base }
    for (const due of result.dues) this.#deps.endpoint.postCopy(slot, CLASS_DATA, due, copy)
    const [due, second] = result.dues
    if (second !== undefined) this.#note({ type: 'copy', id: queued.id, to: queued.to, attempt, due: second })
    return { due }
  }

  /** Says whether a copy that came now would deliver a message, itself or one that waits for it. */
  isNext([from, incarnation]: EnvelopeId, place: SequencePlace): boolean {
    return this.#incoming.isNext(from, incarnation, place)
  }

  /** Accepts a copy; yields the messages that can be delivered now, in the order of sending. Those not taken stay undelivered. */
  *arrive(arrival: Arrival, place: SequencePlace): Generator<Arrival> {
    const [from, incarnation] = arrival.id
    const isNew = this.#incoming.accept(from, incarnation, place, arrival)
    let next = this.#incoming.take(from, incarnation)
    if (!isNew) this.#note({ type: 'suppressed', id: arrival.id })
    else if (!next) this.#note({ type: 'held', id: arrival.id })
    for (; next; next = this.#incoming.take(from, incarnation)) yield next
  }

  /** Refuses a copy for an incarnation that has stopped; what it had handled before is acknowledged. */
  decline(id: EnvelopeId): void {
    const [from, incarnation] = id
    this.#incoming.decline(from, incarnation)
    this.refuse(id, this.#deps.incarnation, LOST_STOPPED)
  }

  /** Refuses a copy: its sender is told that the incarnation takes no more mail. `lost` is a LOST_* code. */
  refuse([from, incarnation]: EnvelopeId, toIncarnation: number, lost: number): void {
    this.#refusals.set(`${from}.${incarnation}.${toIncarnation}`, {
      from,
      incarnation,
      what: { type: 'refusal', incarnation: toIncarnation, lost },
    })
  }

  /** Reads a receipt: an acknowledgement or a refusal. */
  hear(from: number, receipt: Plain): void {
    if (!isReceipt(receipt)) return
    if (receipt.type === 'ack') this.#outgoing.acknowledge(from, receipt.incarnation, receipt)
    else this.#lose(this.#outgoing.refuse(from, receipt.incarnation), receipt.lost)
  }

  /** Sends a receipt to each peer that sent anything in this round. */
  acknowledge(): void {
    for (const { from, incarnation, receipt } of this.#incoming.receipts()) {
      this.#reply(from, incarnation, { type: 'ack', incarnation: this.#deps.incarnation, ...receipt })
    }
    for (const { from, incarnation, what } of this.#refusals.values()) this.#reply(from, incarnation, what)
    this.#refusals.clear()
  }

  #reply(slot: number, incarnation: number, receipt: WireReceipt): void {
    this.#receipts++
    const { endpoint, links, addressOf } = this.#deps
    const to = addressOf(slot)
    const result = links.transmit(slot, this.#now)
    if ('lost' in result) return this.#note({ type: 'receipt', to, receipt, missed: result.lost })
    endpoint.pack(receipt)
    for (const due of result.dues) endpoint.postCopy(slot, CLASS_RECEIPT, due, { toIncarnation: incarnation })
    this.#note({ type: 'receipt', to, receipt, due: result.dues[0] })
  }

  #lose(messages: readonly ReliableMessage[], lost: number): void {
    for (const queued of messages) this.#events.push({ type: 'lost', ...queued, lost })
  }

  #note(event: WireEvent): void {
    if (this.#deps.trace) this.#events.push(event)
  }

  /** A savepoint before a step; `end` returns to it when the step fails. */
  get mark(): number {
    return this.#events.length
  }

  /** Takes back what the last step sent, since it failed; nothing is retransmitted any more. */
  end(mark: number): void {
    this.#events.length = mark
    this.#outgoing.clear()
  }

  /** Takes the events since the last call. */
  takeEvents(): readonly WireEvent[] {
    const events = this.#events
    if (events.length > 0) this.#events = []
    return events
  }

  /** Takes the numbers of retransmissions and receipts since the last call. */
  takeCounts(): { readonly again: number; readonly receipts: number } {
    const counts = { again: this.#again, receipts: this.#receipts }
    this.#again = 0
    this.#receipts = 0
    return counts
  }
}

/** Says whether a value is a receipt. Only cells of the same system write receipts, so the type tells enough. */
const isReceipt = (value: Plain): value is WireReceipt =>
  isObject(value) && (value['type'] === 'ack' || value['type'] === 'refusal')
