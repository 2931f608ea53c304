/** How long a host takes itself for one: its lease counts from when its renewal was sent, whenever the answer came. */
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

/** A tenure whose lease was asked for at 0; what renews it answers with the next of `answers`. */
async function begun(...answers: readonly Promise<number | undefined>[]): Promise<LeaseKeeper> {
  const waiting = [...answers]
  const leases = Object.assign(Object.create(null), { take: async () => 7, renew: () => waiting.shift() })
  return await LeaseKeeper.begin(leases, 'run', 'h1', 'one')
}

/** What the test has answered when it says so. */
function answer<T>(): { readonly promise: Promise<T>; readonly give: (value: T) => void } {
  let give = (_: T): void => {}
  const promise = new Promise<T>((resolve) => {
    give = resolve
  })
  return { promise, give }
}

test('a lease that was given late is over as early as if it had been given at once', async () => {
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

test('a renewal that is answered late counts from when it was sent', async () => {
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

test('a renewal that is answered when the lease has run out is too late', async () => {
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

test('who is told that the lease is gone has it no more, at once', async () => {
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
