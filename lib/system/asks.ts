/** The mail of the system: its messages and orders, and the questions that wait for an answer. */

import { contentsOf, isLetter, opened, requestLetter } from '../actor/requests.ts'
import type { Control, EnvelopeId } from '../actor/step-report.ts'
import { type Message, requirePlain, requireSendable } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import { CLASS_CONTROL, CLASS_MAIL } from '../memory/envelope.ts'
import type { Endpoint } from '../memory/mail.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** Thrown when no answer came in time. The request may have been carried out all the same. */
export class AskTimeout extends BourseError {
  override readonly name = 'AskTimeout'

  constructor(message: string) {
    super('BOURSE_ASK_TIMEOUT', message)
  }
}

/** Thrown when the recipient refused the request. The message ends with its reason. */
export class AskRefused extends BourseError {
  override readonly name = 'AskRefused'

  constructor(message: string) {
    super('BOURSE_ASK_REFUSED', message)
  }
}

type OnMail = (id: EnvelopeId, slot: number, message: Message, at: Time, due: Time) => void

interface Question {
  readonly answer: (message: Message) => void
  readonly refuse: (reason: string) => void
  readonly reject: (error: Error) => void
}

export class PendingAsks {
  readonly #runtime: Runtime
  /** The end of the system. */
  readonly #endpoint: Endpoint
  readonly #onMail: OnMail
  /** The open questions, by the envelope of the request. */
  readonly #questions = new Map<string, Question & { readonly n: number }>()
  /** The envelopes of open questions, by the number that their requests have. */
  readonly #numbers = new Map<number, string>()
  #asked = 0

  /** `onMail` is called for each message that is posted. */
  constructor(endpoint: Endpoint, runtime: Runtime, onMail: OnMail) {
    this.#endpoint = endpoint
    this.#runtime = runtime
    this.#onMail = onMail
  }

  /**
   * Posts a message to an actor's machine, which comes now or when it is `due`.
   *
   * @throws NotPlainError with the path of what would be lost, TypeError for a message without a type
   */
  post(slot: number, message: Message, due = 0): EnvelopeId {
    requireMail(message)
    return this.#mail(slot, message, due)
  }

  #mail(slot: number, message: Message, due = 0): EnvelopeId {
    const at = this.#runtime.now // in real time it moves on
    const id = this.#post(slot, CLASS_MAIL, message, at, Math.max(due, at))
    this.#onMail(id, slot, message, at, Math.max(due, at))
    return id
  }

  /** Posts news of an incarnation to an actor's machine; `id` is its name, and `due` not before now. */
  news(slot: number, message: Message, id: EnvelopeId, due: Time): void {
    const { now, subround } = this.#runtime
    this.#endpoint.moveTo(now, subround)
    this.#endpoint.pack(message)
    this.#endpoint.postNews(slot, Math.max(due, now), id)
    this.#onMail(id, slot, message, now, Math.max(due, now))
  }

  /** Posts an order to a cell. */
  order(slot: number, order: Control): EnvelopeId {
    const { now } = this.#runtime
    return this.#post(slot, CLASS_CONTROL, order, now, now)
  }

  /** Hands, at the end of a turn, what was posted over to the thread that links it. */
  publish(): void {
    this.#endpoint.publish()
  }

  #post(to: number, kind: number, message: Message, at: Time, due: Time): EnvelopeId {
    this.#endpoint.moveTo(at, this.#runtime.subround)
    this.#endpoint.pack(message)
    return this.#endpoint.post(to, kind, due)
  }

  /** Posts a request and waits for its first answer; `question` is settled once. */
  ask(slot: number, message: Message, question: Question): EnvelopeId {
    requireMail(message)
    const n = this.#asked++
    const id = this.#mail(slot, requestLetter('ask', n, message))
    this.#questions.set(id.join('.'), { ...question, n })
    this.#numbers.set(n, id.join('.'))
    return id
  }

  /**
   * Settles the question that a message answers: it names the question, or it was sent because of it, such as by a timer that
   * was set while the question was handled. False if no open question is meant.
   */
  answer(cause: EnvelopeId | null, message: Message): boolean {
    const { answers } = opened(message, '')
    const name = answers ? this.#numbers.get(answers.n) : cause?.join('.')
    const question = name === undefined ? undefined : this.#take(name)
    if (isLetter(message) && 'reason' in message) question?.refuse(message.reason)
    else question?.answer(contentsOf(message))
    return question !== undefined
  }

  /** Rejects a question if it is open. */
  fail(id: EnvelopeId, error: Error): void {
    this.#take(id.join('.'))?.reject(error)
  }

  failAll(errorOf: () => Error): void {
    for (const { reject } of this.#questions.values()) reject(errorOf())
    this.#questions.clear()
    this.#numbers.clear()
  }

  #take(name: string): Question | undefined {
    const question = this.#questions.get(name)
    this.#questions.delete(name)
    if (question) this.#numbers.delete(question.n)
    return question
  }
}

/** Checks what a program sends. */
function requireMail(message: Message): void {
  requirePlain('message', message)
  requireSendable(message)
}
