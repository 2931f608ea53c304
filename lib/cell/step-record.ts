/**
 * The record of one step for the trace, encoded while the step goes on. It travels as one list:
 *
 *   heading | for each message: the message, then for each recipient: slot or address, sequence number, outcome | details
 */

import type { EnvelopeId, Handled, Send, StepReport } from '../actor/step-report.ts'
import { isMessage, isObject, type Message, type Plain } from '../core/data.ts'
import type { Codec } from '../memory/codec.ts'

type Timer = Extract<Handled, { readonly timer: string }>

/** What was handled: the type of mail (the envelope names its cause), a timer, true for the start, or null if it is not recorded. */
type Heading = string | Timer | true | null

/** The outcome of a send: the arrival time, or the fields of `Send` that say why the message will not arrive. */
export type SendOutcome = number | Omit<Send, 'id' | 'to' | 'message'>

type StepDetail = Pick<StepReport, 'unhandled' | 'state' | 'entered'>

export class StepRecord {
  readonly #codec: Codec
  #isEmpty = true
  #isLossy = false
  #isNew = false

  constructor(codec: Codec) {
    this.#codec = codec
  }

  /** Says whether nothing has been recorded. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Says whether a message was lost before it left. */
  get isLossy(): boolean {
    return this.#isLossy
  }

  /** Begins the record of a step; without `on` it has no heading. */
  begin(on?: Handled): void {
    this.#isEmpty = true
    this.#isLossy = false
    if (on) this.#open(headingOf(on))
  }

  /** Notes that the codec has encoded another message, which the next `addSend` is about. */
  noteEncoded(): void {
    this.#isNew = true
  }

  /** Adds one recipient of the message that was encoded last: its slot, or an address that no actor has. */
  addSend(id: EnvelopeId, to: number | string, outcome: SendOutcome): void {
    if (this.#isEmpty) this.#open(null)
    if (this.#isNew) this.#codec.addEncoded()
    this.#isNew = false
    this.#codec.addToList(to)
    this.#codec.addToList(id[2])
    this.#codec.addToList(outcome)
    if (isLoss(outcome)) this.#isLossy = true
  }

  /** Adds an event that no transition took, a new configuration, or the states that child charts entered. */
  addDetail(detail: StepDetail): void {
    if (this.#isEmpty) this.#open(null)
    this.#codec.addToList(detail)
  }

  #open(heading: Heading): void {
    this.#isEmpty = false
    this.#codec.beginList()
    this.#codec.addToList(heading)
  }
}

export const isLoss = (outcome: SendOutcome): boolean => typeof outcome !== 'number' && outcome.lost !== undefined

/** Decodes a step record to a report; `id` and `cause` are those of its envelope or log entry. */
export function reportOf(
  [heading = null, ...rest]: readonly Plain[],
  id: EnvelopeId,
  cause: EnvelopeId | null,
  nameOf: (slot: number) => string,
): StepReport {
  const on = handledOf(heading, cause)
  const sends: Send[] = []
  const details: StepDetail[] = []
  let message: Message | undefined
  for (let i = 0; i < rest.length; i++) {
    const to = rest[i] ?? null
    if (isMessage(to)) message = to
    else if (isStepDetail(to)) details.push(to)
    else if (typeof to === 'number' || typeof to === 'string') {
      const [seq, outcome] = [rest[++i], rest[++i]]
      if (typeof seq !== 'number' || !isSendOutcome(outcome) || !message) continue
      const name = typeof to === 'number' ? nameOf(to) : to
      sends.push({
        id: [id[0], id[1], seq],
        to: name,
        message,
        ...(typeof outcome === 'number' ? { due: outcome } : outcome),
      })
    }
  }
  return { type: 'step', ...(on && { on }), ...(sends.length > 0 && { sends }), ...Object.assign({}, ...details) }
}

function headingOf(on: Handled): Heading {
  if ('mail' in on) return on.type
  return 'timer' in on ? on : true
}

function handledOf(heading: Plain, cause: EnvelopeId | null): Handled | undefined {
  if (typeof heading === 'string') return cause ? { mail: cause, type: heading } : undefined
  if (isTimer(heading)) return heading
  return heading === null ? undefined : { start: true }
}

const isTimer = (value: Plain): value is Timer => isObject(value)
const isSendOutcome = (value: Plain | undefined): value is SendOutcome => typeof value === 'number' || isObject(value)
const isStepDetail = (value: Plain): value is StepDetail => isObject(value)
