/** What hosts were asked to do and have not yet: whoever asked hears of it, whatever becomes of the host. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PendingCommands } from '../../lib/distributed/coordinator/pending-commands.ts'

/** What has become of each by now. */
async function outcomes(all: readonly Promise<unknown>[]): Promise<unknown[]> {
  const waits = Promise.resolve('waits')
  return Promise.all(all.map((one) => Promise.race([one, waits]).catch((error: unknown) => String(error))))
}

test('an incarnation has begun, or could not, when the host that was asked says so', async () => {
  const errands = new PendingCommands()
  const lives = [errands.start(1, 7), errands.start(2, 7), errands.start(3, 8)]
  errands.started(1, 7, 'compiled')
  errands.failed(2, 7, new Error('no machine'))
  errands.started(3, 7, 'compiled')
  assert.equal(await outcomes(lives), ['compiled', 'Error: no machine', 'waits'])
  assert.equal(
    [1, 2, 3].map((slot) => errands.isStarting(slot)),
    [false, false, true],
  )
  errands.started(3, 8, 'xstate')
  assert.equal(await outcomes(lives.slice(2)), ['xstate'])
})

test('an incarnation that two want to end is over for each when its host has said so once for each', async () => {
  const errands = new PendingCommands()
  const kills = [errands.kill(1, 7), errands.kill(1, 7), errands.kill(2, 7)]
  errands.killed(1, 8)
  errands.killed(1, 7)
  assert.equal(await outcomes(kills), [undefined, 'waits', 'waits'])
  errands.killed(1, 7)
  assert.equal(await outcomes(kills), [undefined, undefined, 'waits'])
})

test('with a host that is gone no incarnation begins and every one is over; those elsewhere are waited for', async () => {
  const errands = new PendingCommands()
  const all = [errands.start(1, 7), errands.kill(2, 7), errands.start(3, 8), errands.kill(4, 8)]
  errands.lose(7, new Error('host h2 is silent'))
  assert.equal(await outcomes(all), ['Error: host h2 is silent', undefined, 'waits', 'waits'])
  errands.end(new Error('the system has stopped'))
  assert.equal(await outcomes(all.slice(2)), ['Error: the system has stopped', undefined])
})

test.run()
