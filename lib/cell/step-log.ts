/**
 * The log of the steps of one cell. The report of a step is written while the step goes on, as one list:
 *
 *   the record | for each message: the message, then for each recipient: slot or address, sequence number, outcome
 *
 * A report that says nothing goes nowhere. The system acts on some reports; the others are only for a trace.
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
import { CLASS_REPORT, CLASS_TRACE } from '../memory/envelope.ts'
import type { Endpoint } from '../memory/mail.ts'

/** The outcome of a send: the arrival time, or the fields of `Send` that say why the message will not arrive. */
export type SendOutcome = number | Omit<Send, 'id' | 'to' | 'message'>

export class StepLog {
  readonly #endpoint: Endpoint
  #hasSends = false
  #lost: number[] = []
  #isNew = false

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  /** Begins the report of a step. */
  begin(): void {
    this.#hasSends = false
    if (this.#lost.length > 0) this.#lost = []
    this.#endpoint.beginReport()
  }

  /** Whether the report of the step under way has no sends. */
  get isEmpty(): boolean {
    return !this.#hasSends
  }

  /** Notes that the endpoint has packed another message, which the next `addSend` is about. */
  notePacked(): void {
    this.#isNew = true
  }

  /** Adds one recipient of the message that was packed last: its slot, or an address that no actor has. */
  addSend(id: EnvelopeId, to: number | string, outcome: SendOutcome): void {
    this.#hasSends = true
    if (this.#isNew) this.#endpoint.addPacked()
    this.#isNew = false
    this.#endpoint.addToReport(to)
    this.#endpoint.addToReport(id[2])
    this.#endpoint.addToReport(outcome)
    const lost = lossIn(outcome)
    if (lost !== undefined) this.#lost.push(lost)
  }

  /** Ends the report of a step and sends it. Nothing of the step may fail after it. */
  end(record: StepRecord): void {
    const whole = this.#lost.length > 0 ? { ...record, lost: this.#lost } : record
    const { on, unhandled, state } = record
    const isForTrace = isForTraceOnly(whole)
    if (isForTrace && !this.#hasSends && (on ?? unhandled ?? state) === undefined) return
    this.#endpoint.postReport(isForTrace ? CLASS_TRACE : CLASS_REPORT, whole)
  }

  /** Sends a report on something other than a step. */
  add(report: WireReport | NewsReport | DeadReport | Notice): void {
    this.#endpoint.pack(report)
    this.#endpoint.postPacked(isForTraceOnly(report) ? CLASS_TRACE : CLASS_REPORT)
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
