/**
 * The log of the steps of one cell. The record of a step is encoded while the step goes on, and travels as one list:
 *
 *   the record | for each message: the message, then for each recipient: slot or address, sequence number, outcome
 *
 * A record goes nowhere if it says nothing, to the system by mail if the system acts on it, and otherwise into the log that
 * keeps the trace in this thread. Without such a log it is mailed as well.
 */
import {
  type DeadReport,
  type EnvelopeId,
  isForTraceOnly,
  type NewsReport,
  type Notice,
  type Report,
  type Send,
  type StepRecord,
  type WireReport,
} from '../actor/step-report.ts'
import { isMessage, isObject, type Message, type Plain } from '../core/data.ts'
import type { Codec } from '../memory/codec.ts'
import { CLASS_REPORT, CLASS_TRACE } from '../memory/envelope.ts'
import type { Log } from '../memory/log.ts'
import type { Envelope, Outbox } from '../memory/outbox.ts'

/** A trace that is kept in the thread of the actors themselves, that is inline. */
export interface LocalLog extends Pick<Log, 'words' | 'chunk' | 'claim'> {
  /** Whether records go into the log; while a listener hears of every step at once, they are mailed instead. */
  readonly isOpen: boolean
}

/** The outcome of a send: the arrival time, or the fields of `Send` that say why the message will not arrive. */
export type SendOutcome = number | Omit<Send, 'id' | 'to' | 'message'>

export class StepLog {
  readonly #codec: Codec
  readonly #outbox: Outbox
  readonly #envelopeOf: (kind: number) => Envelope
  readonly #local: LocalLog | undefined
  #hasSends = false
  #lost: number[] = []
  #isNew = false

  /** `envelopeOf` makes the envelope of a record to the system; `kind` is a CLASS_* code. */
  constructor(codec: Codec, outbox: Outbox, envelopeOf: (kind: number) => Envelope, local?: LocalLog) {
    this.#codec = codec
    this.#outbox = outbox
    this.#envelopeOf = envelopeOf
    this.#local = local
  }

  /** How many words of the local log are written. */
  get words(): number {
    return this.#local?.words ?? 0
  }

  /** Begins the record of a step. */
  begin(): void {
    this.#hasSends = false
    if (this.#lost.length > 0) this.#lost = []
    this.#codec.beginList()
  }

  /** Notes that the codec has encoded another message, which the next `addSend` is about. */
  noteEncoded(): void {
    this.#isNew = true
  }

  /** Adds one recipient of the message that was encoded last: its slot, or an address that no actor has. */
  addSend(id: EnvelopeId, to: number | string, outcome: SendOutcome): void {
    this.#hasSends = true
    if (this.#isNew) this.#codec.addEncoded()
    this.#isNew = false
    this.#codec.addToList(to)
    this.#codec.addToList(id[2])
    this.#codec.addToList(outcome)
    const lost = lossIn(outcome)
    if (lost !== undefined) this.#lost.push(lost)
  }

  /** Ends the record of a step and writes it. Nothing of the step may fail after it. */
  end(record: StepRecord): void {
    const whole = this.#lost.length > 0 ? { ...record, lost: this.#lost } : record
    const { on, unhandled, state } = record
    const isForTrace = isForTraceOnly(whole)
    if (isForTrace && !this.#hasSends && (on ?? unhandled ?? state) === undefined) return
    this.#outbox.endList(whole)
    this.#write(isForTrace)
  }

  /** Writes a report on something other than a step. */
  add(report: WireReport | NewsReport | DeadReport | Notice): void {
    this.#outbox.encode(report)
    this.#write(isForTraceOnly(report))
  }

  #write(isForTrace: boolean): void {
    const envelope = this.#envelopeOf(isForTrace ? CLASS_TRACE : CLASS_REPORT)
    if (isForTrace && this.#local?.isOpen) this.#outbox.keep(this.#local, envelope)
    else this.#outbox.post(envelope)
  }
}

/** The LOST_* code of a message that was lost before it left. */
export const lossIn = (outcome: SendOutcome): number | undefined =>
  typeof outcome === 'number' ? undefined : outcome.lost

/** Completes the report `first` by the messages of its step; `id` is the name of its envelope. */
export function withSends(
  first: Report,
  items: readonly Plain[],
  [slot, incarnation]: EnvelopeId,
  nameOf: (slot: number) => string,
): Report {
  if (first.type !== 'step' || items.length === 0) return first
  const sends: Send[] = []
  let message: Message | undefined
  for (let i = 0; i < items.length; i++) {
    const to = items[i] ?? null
    if (isMessage(to)) message = to
    else if (typeof to === 'number' || typeof to === 'string') {
      const [seq, outcome] = [items[++i], items[++i]]
      if (typeof seq !== 'number' || !isSendOutcome(outcome) || !message) continue
      const id = [slot, incarnation, seq] as const
      const way = typeof outcome === 'number' ? { due: outcome } : outcome
      sends.push({ id, to: typeof to === 'number' ? nameOf(to) : to, message, ...way })
    }
  }
  return { ...first, sends }
}

const isSendOutcome = (value: Plain | undefined): value is SendOutcome => typeof value === 'number' || isObject(value)
