/** One node of a run on the wire: it says something to other nodes, and hears what is said to it. */
import { UsageError } from '../../usage.ts'
import type { Msg, NatsConnection, Subscription } from '../connect.ts'
import { type Packing, SUBJECTS } from './wire.ts'

/** A server has to take this much: what nodes say to each other beside messages is not divided. */
const LEAST_BYTES = 1024

export class Line {
  readonly connection: NatsConnection
  readonly packing: Packing
  readonly run: string
  /** The node that it is of. */
  readonly self: number
  readonly #mayPublish: () => boolean
  #limit = Number.POSITIVE_INFINITY

  /** What is published while `mayPublish` says no is dropped. */
  constructor(
    connection: NatsConnection,
    packing: Packing,
    run: string,
    self: number,
    mayPublish: () => boolean = () => true,
  ) {
    this.#mayPublish = mayPublish
    this.connection = connection
    this.packing = packing
    this.run = run
    this.self = self
  }

  /** Calls `hear` with the word that was said, and how; what it throws is for `fail`, as is that the server refuses. */
  listen(hear: (what: string, message: Msg) => void, fail: (error: unknown) => void): Subscription {
    return this.connection.subscribe(SUBJECTS.at(this.run, this.self, '*'), {
      callback: (refused, message) => {
        try {
          if (refused) throw new UsageError('--nats', 'a server that lets a run subscribe', refused.message)
          hear(message.subject.slice(message.subject.lastIndexOf('.') + 1), message)
        } catch (error) {
          fail(error)
        }
      },
    })
  }

  /** To node `to`; the server says `none` to this one if nobody listens there. */
  publish(to: number, what: string | number, data: Uint8Array, none?: string): void {
    if (this.connection.isClosed() || !this.#mayPublish()) return
    const reply = none === undefined ? {} : { reply: SUBJECTS.at(this.run, this.self, none) }
    this.connection.publish(SUBJECTS.at(this.run, to, what), data, reply)
  }

  /** Tells node `to` how much was sent to it, and heard of it. */
  tally(to: number, sent: number, heard: number): void {
    this.publish(to, 'tally', this.packing.pack({ from: this.self, sent, heard }))
  }

  /** Tells nodes that the run is over, and hangs up. */
  async end(nodes: readonly number[]): Promise<void> {
    if (this.connection.isClosed()) return
    for (const node of nodes) this.tellOver(node)
    await this.connection.flush().catch(() => {})
    await this.connection.close()
  }

  /** Nobody waits for what node `to` does. */
  tellOver(to: number): void {
    this.publish(to, 'over', this.packing.pack(null))
  }

  /**
   * The longest message that the server takes, in bytes; while there is none, that the last one took.
   *
   * @throws UsageError if that is too little for a run
   */
  get limit(): number {
    this.#limit = this.connection.info?.max_payload ?? this.#limit
    if (this.#limit >= LEAST_BYTES) return this.#limit
    throw new UsageError('--nats', `a server that takes ${LEAST_BYTES} bytes or more (max_payload)`, `${this.#limit}`)
  }
}
