/**
 * An attacker on the NATS server: it reads all traffic of runs and hosts. It answers, repeats, changes and forges frames as
 * far as this is possible without the secret.
 */

import { headers } from '@nats-io/transport-node'
import { Seal } from '../../lib/distributed/seal.ts'
import { Secret } from '../../lib/distributed/secret.ts'
import { connect } from '../../lib/distributed/transport.ts'
import { packing } from '../../lib/distributed/wire/protocol.ts'
import { Dice } from '../../lib/scenario/dice.ts'

interface Overheard {
  readonly subject: string
  readonly data: Uint8Array
}

/** The number of overheard frames that are kept for forging. */
const KEPT = 500

export class Attacker {
  readonly #connection: Awaited<ReturnType<typeof connect>>
  readonly #overheard: Overheard[] = []
  readonly #forgeries: readonly (() => Overheard)[]
  readonly #dice = new Dice(1, 'attack')
  #isHitting = true
  sent = 0

  private constructor(connection: Awaited<ReturnType<typeof connect>>, bodies: readonly Uint8Array[]) {
    this.#connection = connection
    this.#forgeries = this.#kinds(bodies)
    connection.subscribe('bourse.>', {
      callback: (_, { subject, data, reply }) => {
        if (this.#overheard.length < KEPT) this.#overheard.push({ subject, data: Uint8Array.from(data) })
        if (!this.#isHitting) return
        // answers before the recipient can, and first as the server does when a subject has no listener
        if (reply) connection.publish(reply, new Uint8Array(), { headers: headers(503, 'No Responders') })
        if (reply) for (const one of this.#some(2)) this.#send({ ...one, subject: reply })
        this.#send({ subject, data })
      },
    })
  }

  /** `bodies` are contents that it sends unsealed, or sealed with another secret. */
  static async at(url: URL, bodies: readonly Uint8Array[] = []): Promise<Attacker> {
    const pack = await packing('--nats')
    const known = [
      { type: 'over' },
      null,
      { sent: 9, heard: 1e9 },
      {
        at: 0,
        isLast: true,
        bytes: pack.pack({ type: 'broken', cause: { name: 'Error', message: 'forged', stack: '' } }),
      },
      { node: undefined, refused: 'forged' },
    ].map((value) => pack.pack(value))
    const connection = await connect({ servers: url.host, name: 'attacker', noEcho: true })
    const attacker = new Attacker(connection, [...known, ...bodies])
    await connection.flush()
    return attacker
  }

  #kinds(bodies: readonly Uint8Array[]): (() => Overheard)[] {
    const stolen = (): Overheard => this.#pick(this.#overheard) ?? { subject: 'bourse.call', data: new Uint8Array() }
    const changed = (change: (data: Buffer) => Uint8Array) => (): Overheard => {
      const { subject, data } = stolen()
      return { subject, data: change(Buffer.from(data)) }
    }
    const other = new Secret('the secret of a different group of hosts')
    const sealed = (purpose: string) => (): Overheard => {
      const { subject } = stolen()
      const seal = new Seal(other, purpose, this.#pick(['0', 'h2', '1']) ?? '')
      return { subject, data: seal.seal(subject, this.#pick(bodies) ?? new Uint8Array()).frame }
    }
    return [
      stolen,
      changed((data) => {
        const at = this.#dice.below(Math.max(1, data.length))
        data[at] = (data[at] ?? 0) ^ (1 << this.#dice.below(8))
        return data
      }),
      changed((data) => data.subarray(0, this.#dice.below(data.length + 1))),
      changed((data) => Buffer.concat([data, data])),
      () => ({ subject: stolen().subject, data: stolen().data }),
      () => ({ subject: stolen().subject, data: this.#pick(bodies) ?? new Uint8Array() }),
      () => ({ subject: stolen().subject, data: new Uint8Array(this.#dice.below(2000)) }),
      sealed('meeting'),
      sealed('run stolen'),
    ]
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#dice.below(Math.max(1, from.length))]
  }

  #some(count: number): Overheard[] {
    return Array.from(
      { length: count },
      () => this.#pick(this.#forgeries)?.() ?? { subject: 'bourse', data: new Uint8Array() },
    )
  }

  #send({ subject, data }: Overheard): void {
    this.sent++
    this.#connection.publish(subject, data)
  }

  /** Sends `count` frames of random kinds. */
  async volley(count: number): Promise<void> {
    for (const one of this.#some(count)) this.#send(one)
    await this.#connection.flush()
  }

  async end(): Promise<void> {
    this.#isHitting = false
    await this.#connection.close()
  }
}
