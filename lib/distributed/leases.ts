/** The leases of hosts on their runs: a bucket of JetStream with an entry for each run and host. */
import type { KV, KvEntry } from '@nats-io/kv'
import { UsageError } from '../core/usage-error.ts'
import type { NatsConnection } from './connect.ts'

const BUCKET = 'bourse-leases'
/** Entries expire after this time, for the case that all processes crash. */
const FORGOTTEN_MS = 3_600_000
const ANSWER_MS = 500
/** An entry that is renewed this often between reading and deleting has a living holder. */
const TRIES_MAX = 100

/** The operations of a bucket that leases need. */
export interface Entries extends Pick<KV, 'create' | 'update' | 'purge'> {
  get(key: string): Promise<Pick<KvEntry, 'operation' | 'revision' | 'created' | 'string'> | null>
}

export class Leases {
  readonly #entries: Entries

  constructor(entries: Entries) {
    this.#entries = entries
  }

  /**
   * Opens the leases at a NATS server, and creates their bucket if there is none.
   *
   * @throws UsageError if the server has no JetStream, or its client is not installed
   */
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
   * Renews an entry and returns its next revision; undefined if the entry is another holder's, or gone.
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
   * Removes an entry, so that its next renewal fails. Returns a lower bound of the time since its last renewal, in
   * milliseconds of the server's clock.
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

/** Says whether an operation failed since the entry has another revision. */
const isOutdated = (error: unknown): boolean => error instanceof Error && /wrong last sequence/.test(error.message)
