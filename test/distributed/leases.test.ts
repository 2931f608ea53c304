/** Leases over a bucket in memory: the holder of an entry, and its age when it is revoked. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Entries, Leases } from '../../lib/distributed/leases.ts'
import { errorOf } from '../system/harness.ts'

type Entry = NonNullable<Awaited<ReturnType<Entries['get']>>>

/** A bucket of one entry, as a server keeps it. */
class Bucket implements Entries {
  /** The server's clock, in milliseconds. */
  now = 0
  isSilent = false
  /** Called after each read of an entry, so that a test can act before the reader continues. */
  onRead = (): void => {}
  #revision = 0
  #entry: Entry | null = null

  async create(_: string, holder: string): Promise<number> {
    return this.#put('PUT', holder, this.#entry?.operation === 'PUT' ? 0 : this.#last)
  }

  async update(_: string, holder: string, revision: number): Promise<number> {
    return this.#put('PUT', holder, revision)
  }

  async purge(_: string, { previousSeq = this.#last }: { readonly previousSeq?: number } = {}): Promise<void> {
    this.#put('PURGE', '', previousSeq)
  }

  async get(): Promise<Entry | null> {
    if (this.isSilent) throw new Error('timeout')
    const read = this.#entry
    this.onRead()
    return read
  }

  get #last(): number {
    return this.#entry?.revision ?? 0
  }

  #put(operation: Entry['operation'], holder: string, previous: number): number {
    if (this.isSilent) throw new Error('timeout')
    if (previous !== this.#last) throw new Error(`wrong last sequence: ${this.#last}`)
    this.#revision++
    const created = new Date(this.now)
    this.#entry = { operation, revision: this.#revision, created, string: () => holder }
    return this.#revision
  }
}

const KEY = Leases.keyOf('run', 'h1')

function opened(): { readonly bucket: Bucket; readonly leases: Leases } {
  const bucket = new Bucket()
  return { bucket, leases: new Leases(bucket) }
}

test('a lease has one holder at a time, and another one after its return', async () => {
  const { leases } = opened()
  assert.is(await leases.take(KEY, 'one'), 1)
  assert.match((await errorOf(leases.take(KEY, 'another'))).message, /wrong last sequence/)
  await leases.end(KEY)
  assert.is(await leases.take(KEY, 'another'), 3)
})

test('a lease is renewed by its holder, also if the answer to an earlier renewal was lost', async () => {
  const { leases } = opened()
  const taken = await leases.take(KEY, 'one')
  const renewed = await leases.renew(KEY, 'one', taken)
  assert.is(renewed, 2)
  assert.is(await leases.renew(KEY, 'one', taken), 2, 'as if the answer to the renewal had been lost')
  assert.is(await leases.renew(KEY, 'one', 2), 3)
})

test('a lease that was revoked, or that another holds, is not renewed', async () => {
  const { leases } = opened()
  const taken = await leases.take(KEY, 'one')
  await leases.revoke(KEY)
  assert.is(await leases.renew(KEY, 'one', taken), undefined)
  await leases.take(KEY, 'another')
  assert.is(await leases.renew(KEY, 'one', taken), undefined)
})

test('without an answer of the server a renewal and a revocation fail', async () => {
  const { bucket, leases } = opened()
  const taken = await leases.take(KEY, 'one')
  bucket.isSilent = true
  assert.is((await errorOf(leases.renew(KEY, 'one', taken))).message, 'timeout')
  assert.is((await errorOf(leases.revoke(KEY))).message, 'timeout')
})

test('a revocation returns the time since the last renewal', async () => {
  const { bucket, leases } = opened()
  assert.is(await leases.revoke(KEY), 0, 'the lease had no holder')
  bucket.now = 1000
  const taken = await leases.take(KEY, 'one')
  bucket.now = 2000
  await leases.renew(KEY, 'one', taken)
  bucket.now = 2700
  assert.is(await leases.revoke(KEY), 700)
  bucket.now = 3000
  assert.is(await leases.revoke(KEY), 0, 'the lease has no holder any more')
})

test('a lease that is renewed during its revocation is still revoked', async () => {
  const { bucket, leases } = opened()
  const taken = await leases.take(KEY, 'one')
  bucket.now = 900
  bucket.onRead = () => {
    bucket.onRead = () => {}
    void bucket.update(KEY, 'one', taken)
    bucket.now = 1000
  }
  assert.is(await leases.revoke(KEY), 100)
  assert.is(await leases.renew(KEY, 'one', taken + 1), undefined)
})

test.run()
