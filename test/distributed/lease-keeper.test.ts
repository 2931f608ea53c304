/** The lease of a host: it counts from the sending of its renewal, whenever the answer arrives. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { HEARTBEAT_MS, LEASE_MS } from '../../lib/distributed/failure-detector.ts'
import { LeaseKeeper } from '../../lib/distributed/host/lease-keeper.ts'
import { Clock } from '../clock/milliseconds.ts'

let clock: Clock
test.before.each(() => {
  clock = new Clock('setTimeout')
})
test.after.each(() => clock.release())

/** Begins a lease at time 0; each renewal gets the next of `answers`. */
async function begun(...answers: readonly Promise<number | undefined>[]): Promise<LeaseKeeper> {
  const waiting = [...answers]
  const leases = Object.assign(Object.create(null), { take: async () => 7, renew: () => waiting.shift() })
  return await LeaseKeeper.begin(leases, 'run', 'h1', 'one')
}

/** A promise that the test resolves with `give`. */
function answer<T>(): { readonly promise: Promise<T>; readonly give: (value: T) => void } {
  let give = (_: T): void => {}
  const promise = new Promise<T>((resolve) => {
    give = resolve
  })
  return { promise, give }
}

test('a lease that was granted late ends as early as if it had been granted at once', async () => {
  const taken = answer<number>()
  const leases = Object.assign(Object.create(null), { take: () => taken.promise })
  const begins = LeaseKeeper.begin(leases, 'run', 'h1', 'one')
  await clock.pass(3 * HEARTBEAT_MS)
  taken.give(7)
  const tenure = await begins
  assert.is(tenure.epoch, 7)
  await clock.pass(LEASE_MS - 3 * HEARTBEAT_MS - 1)
  assert.ok(tenure.isHeld)
  await clock.pass(1)
  assert.not.ok(tenure.isHeld)
})

test('a renewal that is answered late counts from its sending', async () => {
  const renewed = answer<number | undefined>()
  const tenure = await begun(renewed.promise)
  const over: string[] = []
  tenure.watch((why) => over.push(why))
  await clock.pass(HEARTBEAT_MS)
  const renewal = tenure.renew()
  await clock.pass(2 * HEARTBEAT_MS)
  renewed.give(8)
  await renewal
  await clock.pass(LEASE_MS - 2 * HEARTBEAT_MS - 1)
  assert.ok(tenure.isHeld)
  assert.equal(over, [])
  await clock.pass(1)
  assert.not.ok(tenure.isHeld)
  assert.equal(over, ['its lease could not be renewed'])
})

test('an answer to a renewal after the end of the lease is too late', async () => {
  const renewed = answer<number | undefined>()
  const tenure = await begun(renewed.promise)
  const over: string[] = []
  tenure.watch((why) => over.push(why))
  const renewal = tenure.renew()
  await clock.pass(LEASE_MS)
  renewed.give(8)
  await renewal
  assert.not.ok(tenure.isHeld)
  assert.equal(over, ['its lease could not be renewed'])
})

test('a lease that expires while its keeper looks at the clock was not taken away', async () => {
  const tenure = await begun()
  const over: string[] = []
  await clock.pass(LEASE_MS - 0.5)
  clock.slow(0.75)
  tenure.watch((why) => over.push(why))
  await clock.pass(1)
  assert.equal(over, ['its lease could not be renewed'])
})

test('a lease ends at once when its keeper is told that it was taken away', async () => {
  const tenure = await begun(Promise.resolve(undefined))
  const over: string[] = []
  tenure.watch((why) => over.push(why))
  await clock.pass(HEARTBEAT_MS)
  await tenure.renew()
  assert.not.ok(tenure.isHeld)
  assert.equal(over, ['its lease was taken away'])
})

test('a lease that is being renewed is not renewed a second time', async () => {
  const renewed = answer<number | undefined>()
  const tenure = await begun(renewed.promise, Promise.resolve(undefined))
  const renewal = tenure.renew()
  await tenure.renew()
  renewed.give(8)
  await renewal
  assert.ok(tenure.isHeld)
})

test.run()
