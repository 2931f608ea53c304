/** Pending commands of hosts: each ends with an outcome, even if its host is lost. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PendingCommands } from '../../lib/distributed/coordinator/pending-commands.ts'

/** The outcome of each command so far; 'waits' for a pending one. */
async function outcomes(all: readonly Promise<unknown>[]): Promise<unknown[]> {
  const waits = Promise.resolve('waits')
  return Promise.all(all.map((one) => Promise.race([one, waits]).catch((error: unknown) => String(error))))
}

test('a start has succeeded or failed when its host says so', async () => {
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

test('two kills of one incarnation end one after the other, each with a reply of the host', async () => {
  const errands = new PendingCommands()
  const kills = [errands.kill(1, 7), errands.kill(1, 7), errands.kill(2, 7)]
  errands.killed(1, 8)
  errands.killed(1, 7)
  assert.equal(await outcomes(kills), [undefined, 'waits', 'waits'])
  errands.killed(1, 7)
  assert.equal(await outcomes(kills), [undefined, undefined, 'waits'])
})

test('when a host is gone its starts fail and its kills end, and commands of other hosts still wait', async () => {
  const errands = new PendingCommands()
  const all = [errands.start(1, 7), errands.kill(2, 7), errands.start(3, 8), errands.kill(4, 8)]
  errands.lose(7, new Error('host h2 is silent'))
  assert.equal(await outcomes(all), ['Error: host h2 is silent', undefined, 'waits', 'waits'])
  errands.end(new Error('the system has stopped'))
  assert.equal(await outcomes(all.slice(2)), ['Error: the system has stopped', undefined])
})

test.run()
