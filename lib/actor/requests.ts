/**
 * Requests between actors. A request, its answer and its refusal travel as letters: ordinary messages of the runtime around
 * the author's message, so that the network, reliable delivery and hosts treat them as any other mail. The deadline of an
 * ask is a timer of the asker, and the ask is open as long as this timer is set.
 */
import type { Address } from '../core/address.ts'
import { isMessage, isObject, isOfRuntime, type Message } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import type { AskOutcome, Effect, Request } from './effect.ts'
import { answer, refuse } from './effect.ts'
import type { Incoming } from './step-context.ts'

/** The name of a request among those of its asker. */
export type RequestKey = {
  /** The incarnation of the asker. */
  readonly incarnation: number
  /** The id that the asker chose. */
  readonly id: string
  /** The number of timers that this incarnation had set before the deadline. */
  readonly n: number
}

/** A request, an answer or a refusal on its way. */
export type Letter =
  | { readonly type: typeof ASK; readonly request: RequestKey; readonly message: Message }
  | { readonly type: typeof ANSWER; readonly request: RequestKey; readonly message: Message }
  | { readonly type: typeof REFUSAL; readonly request: RequestKey; readonly reason: string }

const ASK = 'bourse.ask'
const ANSWER = 'bourse.answer'
const REFUSAL = 'bourse.refusal'

const isKey = (value: unknown): value is RequestKey => {
  if (!isObject(value)) return false
  const { incarnation, id, n } = value
  return Number.isSafeInteger(incarnation) && typeof id === 'string' && Number.isSafeInteger(n)
}

/** Says whether a message is a letter. Authors cannot send messages of such types. */
export function isLetter(message: Message): message is Letter {
  if (!isOfRuntime(message.type) || !isKey(message['request'])) return false
  if (message.type === REFUSAL) return typeof message['reason'] === 'string'
  return (message.type === ASK || message.type === ANSWER) && isMessage(message['message'])
}

/** The message in a letter, as traces and counts tell it; any other message as it is. A refusal has the type `refusal`. */
export function contentsOf(message: Message): Message {
  if (!isLetter(message)) return message
  return message.type === REFUSAL ? { type: 'refusal', reason: message.reason } : message.message
}

/** What the machine is handed for mail: the message with the request that it may answer, or `answered`. */
export function opened(message: Message, from: Address): Incoming<Message> {
  if (!isLetter(message)) return { event: message, from }
  const { request } = message
  if (message.type === ASK) return { event: message.message, from, request: { from, ...request } }
  const outcome: AskOutcome = message.type === ANSWER ? { reply: message.message } : { refusal: message.reason }
  return { event: answeredEvent(request.id, outcome), from, answers: request }
}

/** The event that brings the outcome of an ask. */
export const answeredEvent = (id: string, outcome: AskOutcome) => ({ type: 'answered', id, outcome }) as const

/** The letter of a request, before it is `numbered`; `n` counts the timers that its step has set before its deadline. */
export const requestLetter = (id: string, n: number, message: Message): Letter => {
  return { type: ASK, request: { incarnation: 0, id, n }, message }
}

/** The letter of an answer or a refusal. */
export function replyLetter({ incarnation, id, n }: Request<never>, reply: Message | string): Letter {
  const request = { incarnation, id, n }
  if (typeof reply === 'string') return { type: REFUSAL, request, reason: reply }
  return { type: ANSWER, request, message: reply }
}

/**
 * Completes a request that a step made: the step numbers its deadline among the timers that it sets, and only the one who
 * carries the step out knows how many were set before.
 */
export function numbered(message: Message, incarnation: number, timersSet: number): Message {
  if (message.type !== ASK || !isLetter(message)) return message
  const { id, n } = message.request
  return { ...message, request: { incarnation, id, n: timersSet + n } }
}

/**
 * Checks that an actor has no more asks open than it may.
 *
 * @throws BourseError that names the limit
 */
export function requireFewAsks(open: number, most: number): void {
  if (open <= most) return
  throw new BourseError('BOURSE_LIMIT', `${open} asks of one actor are open, and option asks allows ${most}`)
}

/** The reason of a refusal that stands for an answer that did not come in time. */
export const NO_ANSWER_IN_TIME = 'no answer came in time'

/**
 * Passes the outcome of an ask on as the answer to another request: a reply as the reply, and a refusal or a timeout as a
 * refusal.
 */
export function pipe<Reply extends Message>(request: Request<Reply>, outcome: AskOutcome<Reply>): Effect {
  if ('reply' in outcome) return answer<Reply>(request, outcome.reply)
  return refuse(request, 'refusal' in outcome ? outcome.refusal : NO_ANSWER_IN_TIME)
}
