/** The channel of one node of a run: sends messages to other nodes, and receives messages for this one. */
import { UsageError } from '../../core/usage-error.ts'
import { type Answer, Channel, type ChannelOptions, type Heard } from '../channel.ts'
import type { NatsConnection, Subscription } from '../connect.ts'
import { SEAL_BYTES } from '../seal.ts'
import { type Packing, SUBJECTS } from './protocol.ts'

/** The least message size of a usable server: messages between nodes other than notes are not divided. */
const LEAST_BYTES = 1024

/** A message from one node of a run to another. */
export interface NodeMessage extends Omit<Heard, 'from'> {
  /** The node that sent it. */
  readonly from: number
}

export interface NodeChannelOptions extends Pick<ChannelOptions, 'connection' | 'secret' | 'note'> {
  readonly packing: Packing
  readonly run: string
  /** The node whose channel this is. */
  readonly self: number
  /** Messages are dropped while this function returns false. */
  readonly mayPublish?: () => boolean
}

export class NodeChannel {
  readonly packing: Packing
  readonly run: string
  readonly self: number
  readonly #connection: NatsConnection
  readonly #channel: Channel
  readonly #mayPublish: () => boolean
  #limit = Number.POSITIVE_INFINITY

  constructor({ connection, secret, note, packing, run, self, mayPublish = () => true }: NodeChannelOptions) {
    this.#connection = connection
    this.#channel = new Channel({ connection, secret, purpose: `run ${run}`, self: String(self), note })
    this.#mayPublish = mayPublish
    this.packing = packing
    this.run = run
    this.self = self
  }

  /** Calls `hear` with each message, and `fail` with what `hear` throws or with the server's refusal. */
  listen(hear: (said: NodeMessage) => void, fail: (error: unknown) => void): Subscription {
    return this.#channel.listen(
      SUBJECTS.at(this.run, this.self, '*'),
      (heard) => hear({ ...heard, from: Number(heard.from) }),
      fail,
    )
  }

  /** Sends a message to node `to`. */
  publish(to: number, what: string | number, data: Uint8Array): void {
    if (this.#mayPublish()) this.#channel.publish(SUBJECTS.at(this.run, to, what), data)
  }

  /** Sends a request to node `to`. */
  ask(to: number, what: string, ms: number): Promise<Answer | undefined> {
    return this.#channel.ask(SUBJECTS.at(this.run, to, what), this.packing.pack(null), ms)
  }

  /** Tells node `to` how much was sent to it and received from it. */
  tally(to: number, sent: number, heard: number): void {
    this.publish(to, 'tally', this.packing.pack({ sent, heard }))
  }

  /** Tells nodes that the run is over, and closes the connection. */
  async end(nodes: readonly number[]): Promise<void> {
    if (this.#connection.isClosed()) return
    for (const node of nodes) this.tellOver(node)
    await this.#connection.flush().catch(() => {})
    await this.#connection.close()
  }

  /** Tells node `to` that the run is over, without waiting for an answer. */
  tellOver(to: number): void {
    this.publish(to, 'over', this.packing.pack(null))
  }

  /**
   * The longest message that the present or last server takes, in bytes.
   *
   * @throws UsageError if that is too little for a run
   */
  get limit(): number {
    this.#limit = this.#connection.info?.max_payload ?? this.#limit
    if (this.#limit >= LEAST_BYTES) return this.#limit - SEAL_BYTES
    throw UsageError.requires(
      '--nats',
      `a server with a max_payload of ${LEAST_BYTES} bytes or more, not ${this.#limit}`,
    )
  }
}
