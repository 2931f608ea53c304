/**
 * Sealed messages on a connection. A channel seals all that it sends, and hears only frames that a holder of the secret
 * has sealed. A stranger's frame costs the check of a seal, and one note a minute.
 */
import { nanoid } from 'nanoid'
import { UsageError } from '../core/usage-error.ts'
import type { NatsConnection, Subscription } from './connect.ts'
import { SEAL_BYTES, Seal } from './seal.ts'
import type { Secret } from './secret.ts'

export interface Answer {
  /** The sender that sealed the message. */
  readonly from: string
  readonly body: Uint8Array
}

export interface Heard extends Answer {
  /** The kind of message: the last part of the subject. */
  readonly what: string
  /** Answers the message, if it is a request. */
  answer(body: Uint8Array): void
}

/** The options of a channel. */
export interface ChannelOptions {
  readonly connection: NatsConnection
  readonly secret: Secret
  /** The purpose of the seals: a frame that is sealed for one purpose does not open for another. */
  readonly purpose: string
  /** Names this end; the name is unique among all holders of the secret, past ones too. */
  readonly self: string
  /** The flag that asked for the connection (default `--nats`); errors name it. */
  readonly where?: string
  /** Called at most once a minute about frames that did not open. */
  readonly note?: ((text: string) => void) | undefined
}

const NOTE_MS = 60_000

/** The subject that an answer is sealed for: it names the one request that it answers. */
const answerOf = (from: string, n: number): string => `answer ${from} ${n}`

/** A sealed channel between the processes that share a secret, over one connection to a NATS server. */
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

  /** The reason why a body is too long for the present server; undefined if it is not. */
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

  /** Calls `hear` with each message on a subject, and `fail` with what `hear` throws or with the server's refusal. */
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
   * Sends a request to a subject; undefined without an answer in time. The server's own answer, that no listener exists, is
   * not sealed and could be forged, so it is ignored.
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
      // the subscription also ends when the connection closes
      subscription.closed.then(() => end())
      this.connection.publish(subject, frame, { reply: inbox })
    })
  }

  #refuse(): void {
    this.#strange++
    const now = performance.now()
    if (now - this.#noted < NOTE_MS) return
    this.#noted = now
    this.#note(`dropped frames that are not sealed with this secret, or that came twice (${this.#strange} so far)`)
  }
}
