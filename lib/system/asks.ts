/** The mail of the system: its messages and orders, and the questions that wait for an answer. */

import type { Control, EnvelopeId } from '../actor/step-report.ts'
import { SYSTEM } from '../core/address.ts'
import { type Message, requirePlain, requireSendable } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import type { Codec } from '../memory/codec.ts'
import { CLASS_CONTROL, CLASS_MAIL, CLASS_NEWS } from '../memory/envelope.ts'
import type { Board } from '../memory/layout.ts'
import { Outbox } from '../memory/outbox.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** Thrown when no answer came in time. The request may have been carried out all the same. */
export class AskTimeout extends BourseError {
  override readonly name = 'AskTimeout'

  constructor(message: string) {
    super('BOURSE_ASK_TIMEOUT', message)
  }
}

type OnMail = (id: EnvelopeId, slot: number, message: Message, at: Time, due: Time) => void

interface Question {
  readonly answer: (message: Message) => void
  readonly reject: (error: Error) => void
}

export class PendingAsks {
  readonly #board: Board
  readonly #runtime: Runtime
  readonly #outbox: Outbox
  readonly #onMail: OnMail
  readonly #questions = new Map<string, Question>()

  /** `onMail` is called for each message that is posted. */
  constructor(board: Board, codec: Codec, runtime: Runtime, onMail: OnMail) {
    this.#board = board
    this.#runtime = runtime
    this.#onMail = onMail
    this.#outbox = new Outbox(board, codec, SYSTEM, 0)
  }

  /**
   * Posts a message to an actor's machine, which comes now or when it is `due`.
   *
   * @throws NotPlainError with the path of what would be lost, TypeError for a message without a type
   */
  post(slot: number, message: Message, due = 0): EnvelopeId {
    requirePlain('message', message)
    requireSendable(message)
    const at = this.#runtime.now // in real time it moves on
    const id = this.#post(slot, CLASS_MAIL, message, at, Math.max(due, at))
    this.#onMail(id, slot, message, at, Math.max(due, at))
    return id
  }

  /** Posts news of an incarnation to an actor's machine; `id` is its name, and `due` not before now. */
  news(slot: number, message: Message, id: EnvelopeId, due: Time): void {
    const { now: sentAt, subround } = this.#runtime
    this.#outbox.encode(message)
    this.#outbox.post({ to: slot, class: CLASS_NEWS, due: Math.max(due, sentAt), sentAt, subround, cause: id })
    this.#onMail(id, slot, message, sentAt, Math.max(due, sentAt))
  }

  /** Posts an order to a cell. */
  order(slot: number, order: Control): EnvelopeId {
    const { now } = this.#runtime
    return this.#post(slot, CLASS_CONTROL, order, now, now)
  }

  /** Publishes, at the end of a turn, the chain of posted records for the thread that links it. */
  publish(): void {
    this.#board.i32[this.#board.first + SYSTEM] = this.#outbox.take()
  }

  #post(to: number, kind: number, message: Message, at: Time, due: Time): EnvelopeId {
    this.#outbox.encode(message)
    const { subround } = this.#runtime
    return this.#outbox.post({ to, class: kind, due, sentAt: at, subround, cause: null })
  }

  /** Posts a message and waits for its first answer; `question` is settled once. */
  ask(slot: number, message: Message, question: Question): EnvelopeId {
    const id = this.post(slot, message)
    this.#questions.set(id.join('.'), question)
    return id
  }

  /** Settles the question that a message answers: the message was sent while that question was handled. */
  answer(cause: EnvelopeId | null, message: Message): boolean {
    const question = cause && this.#take(cause)
    question?.answer(message)
    return question !== undefined && question !== null
  }

  /** Rejects a question if it is open. */
  fail(id: EnvelopeId, error: Error): void {
    this.#take(id)?.reject(error)
  }

  failAll(errorOf: () => Error): void {
    for (const { reject } of this.#questions.values()) reject(errorOf())
    this.#questions.clear()
  }

  #take(id: EnvelopeId): Question | undefined {
    const question = this.#questions.get(id.join('.'))
    this.#questions.delete(id.join('.'))
    return question
  }
}
