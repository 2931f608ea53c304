/**
 * What a step tells of itself for the trace, encoded while the step goes on. On its way it is one list:
 *
 *   what was handled | for each message: to whom, its seq, its way, the message | what else there is to tell
 */
import type { Codec } from './memory/codec.ts'
import { isMessage, isObject, type Plain } from './plain.ts'
import type { EnvelopeId, Handled, Send, StepReport } from './report.ts'

type Timer = Extract<Handled, { readonly timer: string }>

/** Of mail only the type: the record names its cause. Null if it is not told. */
type Opening = string | Timer | true | null

/** When it will arrive; or that it will not, or came out otherwise. */
export type Way = number | Omit<Send, 'id' | 'to' | 'message'>

type Remark = Pick<StepReport, 'unhandled' | 'state'>

export class Account {
  readonly #codec: Codec
  #isEmpty = true
  #isLossy = false

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
    if (on) this.#open(openingOf(on))
  }

  /** The message that was encoded last was sent, or lost on its way out. */
  sent(id: EnvelopeId, to: string, way: Way): void {
    if (this.#isEmpty) this.#open(null)
    this.#codec.addToList(to)
    this.#codec.addToList(id[2])
    this.#codec.addToList(way)
    this.#codec.addEncoded()
    if (isLoss(way)) this.#isLossy = true
  }

  remark(remark: Remark): void {
    if (this.#isEmpty) this.#open(null)
    this.#codec.addToList(remark)
  }

  #open(opening: Opening): void {
    this.#isEmpty = false
    this.#codec.beginList()
    this.#codec.addToList(opening)
  }
}

export const isLoss = (way: Way): boolean => typeof way !== 'number' && way.lost !== undefined

/** The report that an account comes to; `id` and `cause` are those of its record. */
export function reportOf(account: readonly Plain[], id: EnvelopeId, cause: EnvelopeId | null): StepReport {
  const [opening = null, ...rest] = account
  const on = handledOf(opening, cause)
  const sends: Send[] = []
  const remarks: Remark[] = []
  for (let i = 0; i < rest.length; ) {
    const [to = null, seq, way, message = null] = rest.slice(i, i + 4)
    if (typeof to === 'string' && typeof seq === 'number' && isWay(way) && isMessage(message)) {
      sends.push({ id: [id[0], id[1], seq], to, message, ...(typeof way === 'number' ? { due: way } : way) })
      i += 4
    } else {
      if (isRemark(to)) remarks.push(to)
      i++
    }
  }
  return { type: 'step', ...(on && { on }), ...(sends.length > 0 && { sends }), ...Object.assign({}, ...remarks) }
}

function openingOf(on: Handled): Opening {
  if ('mail' in on) return on.type
  return 'timer' in on ? on : true
}

function handledOf(opening: Plain, cause: EnvelopeId | null): Handled | undefined {
  if (typeof opening === 'string') return cause ? { mail: cause, type: opening } : undefined
  if (isTimer(opening)) return opening
  return opening === null ? undefined : { start: true }
}

const isTimer = (value: Plain): value is Timer => isObject(value)
const isWay = (value: Plain | undefined): value is Way => typeof value === 'number' || isObject(value)
const isRemark = (value: Plain): value is Remark => isObject(value)
