/**
 * What a step tells of itself for the trace, encoded while the step goes on. On its way it is one list:
 *
 *   what was handled | for each message: the message, and for each recipient to whom, its seq, its way | what else there is
 */

import type { EnvelopeId, Handled, Send, StepReport } from '../actor/step-report.ts'
import { isMessage, isObject, type Message, type Plain } from '../core/data.ts'
import type { Codec } from '../memory/codec.ts'

type Timer = Extract<Handled, { readonly timer: string }>

/** Of mail only the type: the record names its cause. Null if it is not told. */
type Heading = string | Timer | true | null

/** When it will arrive; or that it will not, or came out otherwise. */
export type SendOutcome = number | Omit<Send, 'id' | 'to' | 'message'>

type StepDetail = Pick<StepReport, 'unhandled' | 'state'>

export class StepRecord {
  readonly #codec: Codec
  #isEmpty = true
  #isLossy = false
  #isNew = false

  constructor(codec: Codec) {
    this.#codec = codec
  }

  /** Does it tell nothing? */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Does it tell of a message that did not leave? */
  get isLossy(): boolean {
    return this.#isLossy
  }

  /** A step begins; what it handles need not be told. */
  begin(on?: Handled): void {
    this.#isEmpty = true
    this.#isLossy = false
    if (on) this.#open(headingOf(on))
  }

  /** Another message was encoded, of which `sent` may tell. */
  noteEncoded(): void {
    this.#isNew = true
  }

  /** The message that was encoded last was sent to a slot, or was lost on its way out, then maybe to nobody's address. */
  addSend(id: EnvelopeId, to: number | string, way: SendOutcome): void {
    if (this.#isEmpty) this.#open(null)
    if (this.#isNew) this.#codec.addEncoded()
    this.#isNew = false
    this.#codec.addToList(to)
    this.#codec.addToList(id[2])
    this.#codec.addToList(way)
    if (isLoss(way)) this.#isLossy = true
  }

  addDetail(remark: StepDetail): void {
    if (this.#isEmpty) this.#open(null)
    this.#codec.addToList(remark)
  }

  #open(opening: Heading): void {
    this.#isEmpty = false
    this.#codec.beginList()
    this.#codec.addToList(opening)
  }
}

export const isLoss = (way: SendOutcome): boolean => typeof way !== 'number' && way.lost !== undefined

/** The report that an account comes to; `id` and `cause` are those of its record or entry. */
export function reportOf(
  [opening = null, ...rest]: readonly Plain[],
  id: EnvelopeId,
  cause: EnvelopeId | null,
  nameOf: (slot: number) => string,
): StepReport {
  const on = handledOf(opening, cause)
  const sends: Send[] = []
  const remarks: StepDetail[] = []
  let message: Message | undefined
  for (let i = 0; i < rest.length; i++) {
    const to = rest[i] ?? null
    if (isMessage(to)) message = to
    else if (isStepDetail(to)) remarks.push(to)
    else if (typeof to === 'number' || typeof to === 'string') {
      const [seq, way] = [rest[++i], rest[++i]]
      if (typeof seq !== 'number' || !isSendOutcome(way) || !message) continue
      const name = typeof to === 'number' ? nameOf(to) : to
      sends.push({ id: [id[0], id[1], seq], to: name, message, ...(typeof way === 'number' ? { due: way } : way) })
    }
  }
  return { type: 'step', ...(on && { on }), ...(sends.length > 0 && { sends }), ...Object.assign({}, ...remarks) }
}

function headingOf(on: Handled): Heading {
  if ('mail' in on) return on.type
  return 'timer' in on ? on : true
}

function handledOf(opening: Plain, cause: EnvelopeId | null): Handled | undefined {
  if (typeof opening === 'string') return cause ? { mail: cause, type: opening } : undefined
  if (isTimer(opening)) return opening
  return opening === null ? undefined : { start: true }
}

const isTimer = (value: Plain): value is Timer => isObject(value)
const isSendOutcome = (value: Plain | undefined): value is SendOutcome => typeof value === 'number' || isObject(value)
const isStepDetail = (value: Plain): value is StepDetail => isObject(value)
