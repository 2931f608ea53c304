/** Where hosts hold leases on the runs that they take part in: a bucket of JetStream, an entry per run and host. */
import type { KV, KvEntry } from '@nats-io/kv'
import { UsageError } from '../core/usage-error.ts'
import type { NatsConnection } from './connect.ts'

const BUCKET = 'bourse-leases'
/** Entries end by themselves after this time, for the case that all processes crash. */
const FORGOTTEN_MS = 3_600_000
const ANSWER_MS = 500
/** An entry that is renewed this often between reading and deleting has a living holder. */
const TRIES_MAX = 100

/** What leases need of a bucket. */
export interface Entries extends Pick<KV, 'create' | 'update' | 'purge'> {
  get(key: string): Promise<Pick<KvEntry, 'operation' | 'revision' | 'created' | 'string'> | null>
}

export class Leases {
  readonly #entries: Entries

  constructor(entries: Entries) {
    this.#entries = entries
  }

  /** @throws UsageError if the server has no JetStream, or its client is not installed */
  static async open(connection: NatsConnection, where: string): Promise<Leases> {
    const client = await import('@nats-io/kv').catch(() => undefined)
    if (!client) throw UsageError.requires(where, 'the package @nats-io/kv (npm install)')
    try {
      return new Leases(await new client.Kvm(connection).create(BUCKET, { ttl: FORGOTTEN_MS }))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw UsageError.requires(where, `a NATS server with JetStream (nats-server --jetstream): ${why}`)
    }
  }

  static keyOf(run: string, host: string): string {
    return `${run}.${host}`
  }

  /** The revision of a new entry of `holder`, a unique name. @throws if there is an entry */
  take(key: string, holder: string): Promise<number> {
    return this.#entries.create(key, holder)
  }

  /**
   * The next revision; undefined if the entry is another's, or gone.
   *
   * @throws without an answer
   */
  async renew(key: string, holder: string, revision: number): Promise<number | undefined> {
    try {
      return await this.#entries.update(key, holder, revision, ANSWER_MS)
    } catch (error) {
      if (!isOutdated(error)) throw error
      // an earlier renewal may have succeeded, and its answer been lost
      const entry = await this.#entries.get(key)
      return entry?.operation === 'PUT' && entry.string() === holder ? entry.revision : undefined
    }
  }

  /** Gives an entry back. */
  async end(key: string): Promise<void> {
    await this.#entries.purge(key)
  }

  /**
   * Takes an entry away, whoever has it: its next renewal fails. How many milliseconds before that it was renewed last,
   * or fewer, by the server's clock.
   *
   * @throws without an answer
   */
  async revoke(key: string): Promise<number> {
    for (let tries = 0; ; tries++) {
      const last = await this.#entries.get(key)
      if (last?.operation !== 'PUT') return 0
      try {
        await this.#entries.purge(key, { previousSeq: last.revision })
      } catch (error) {
        if (!isOutdated(error) || tries === TRIES_MAX) throw error
        continue // it was renewed meanwhile
      }
      const end = await this.#entries.get(key)
      return end ? end.created.getTime() - last.created.getTime() : 0
    }
  }
}

/** The entry has another revision. */
const isOutdated = (error: unknown): boolean => error instanceof Error && /wrong last sequence/.test(error.message)
