/**
 * Sealed messages on a connection: what is said here is sealed, and what is heard was sealed by somebody with the secret. A
 * stranger costs the check of a seal and a line of notes once a minute, and nothing else.
 */
import { nanoid } from 'nanoid'
import { UsageError } from '../core/usage-error.ts'
import type { NatsConnection, Subscription } from './connect.ts'
import { SEAL_BYTES, Seal } from './seal.ts'
import type { Secret } from './secret.ts'

export interface Answer {
  /** The sender that sealed it. */
  readonly from: string
  readonly body: Uint8Array
}

export interface Heard extends Answer {
  /** The last part of the subject. */
  readonly what: string
  /** Answers it, if it was asked. */
  answer(body: Uint8Array): void
}

export interface ChannelOptions {
  readonly connection: NatsConnection
  readonly secret: Secret
  /** What is sealed for one purpose does not open for another. */
  readonly purpose: string
  /** Names this end; the name is unique among all holders of the secret, past ones too. */
  readonly self: string
  /** The flag that asked for the connection (default `--nats`). */
  readonly where?: string
  /** Told, once a minute at most, of frames that did not open. */
  readonly note?: ((text: string) => void) | undefined
}

const NOTE_MS = 60_000

/** An answer is sealed for the one request that it answers. */
const answerOf = (from: string, n: number): string => `answer ${from} ${n}`

export class Channel {
  readonly connection: NatsConnection
  readonly self: string
  readonly #seal: Seal
  readonly #where: string
  readonly #note: (text: string) => void
  #strange = 0
  #noted = Number.NEGATIVE_INFINITY

  constructor({ connection, secret, purpose, self, where = '--nats', note = () => {} }: ChannelOptions) {
    this.connection = connection
    this.self = self
    this.#seal = new Seal(secret, purpose, self)
    this.#where = where
    this.#note = note
  }

  /** Why the present server does not take a body; undefined if it does. */
  tooLong(what: string, body: Uint8Array): string | undefined {
    const limit = this.connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    const bytes = body.length + SEAL_BYTES
    return bytes > limit
      ? `${what} is ${bytes} bytes long, more than the server takes (max_payload ${limit})`
      : undefined
  }

  publish(subject: string, body: Uint8Array): void {
    if (!this.connection.isClosed()) this.connection.publish(subject, this.#seal.seal(subject, body).frame)
  }

  /** Calls `hear` with what is said on a subject; what that throws is for `fail`, as is that the server refuses. */
  listen(subject: string, hear: (heard: Heard) => void, fail: (error: unknown) => void): Subscription {
    return this.connection.subscribe(subject, {
      callback: (refused, message) => {
        try {
          if (refused) throw UsageError.cannot(`subscribe at the server of ${this.#where}`, refused.message)
          const opened = this.#seal.open(message.subject, message.data)
          if (!opened) return this.#refuse()
          const { from, n, body } = opened
          const answer = (said: Uint8Array): void => {
            if (!this.connection.isClosed()) message.respond(this.#seal.seal(answerOf(from, n), said).frame)
          }
          hear({ what: message.subject.slice(message.subject.lastIndexOf('.') + 1), from, body, answer })
        } catch (error) {
          fail(error)
        }
      },
    })
  }

  /**
   * Asks who listens on a subject; undefined without an answer in time. The server's own answer, that nobody listens, is not
   * sealed: anybody can give it, so it says nothing.
   */
  ask(subject: string, body: Uint8Array, ms: number): Promise<Answer | undefined> {
    if (this.connection.isClosed()) return Promise.resolve(undefined)
    const { frame, n } = this.#seal.seal(subject, body)
    const inbox = `_INBOX.${nanoid()}`
    return new Promise((resolve) => {
      const end = (answer?: Answer): void => {
        clearTimeout(late)
        subscription.unsubscribe()
        resolve(answer)
      }
      const late = setTimeout(end, ms)
      const subscription = this.connection.subscribe(inbox, {
        callback: (refused, message) => {
          if (refused) return end()
          const opened = this.#seal.read(answerOf(this.self, n), message.data)
          if (opened) end(opened)
          else if (message.data.length > 0) this.#refuse()
        },
      })
      // as when the connection closes
      subscription.closed.then(() => end())
      this.connection.publish(subject, frame, { reply: inbox })
    })
  }

  #refuse(): void {
    this.#strange++
    const now = performance.now()
    if (now - this.#noted < NOTE_MS) return
    this.#noted = now
    this.#note(`dropped what was not sealed with this secret, or was sent before (${this.#strange} so far)`)
  }
}
