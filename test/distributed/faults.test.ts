/** One plan for each kind of failure between hosts; `npx tsx test/distributed/soak.ts` runs any number. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { KINDS, type Kind, runPlan } from './plans.ts'
import { NO_SERVER, serverPath } from './server.ts'

const NAMES: { readonly [K in Kind]: string } = {
  kill: 'a host is killed',
  server: 'the NATS server is stopped and started again',
  cut: 'a host is cut off',
  slow: 'a host does not read',
  limit: 'the server takes short messages only',
}

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testFaults(program)

function testFaults(program: string): void {
  const test = suite('faults between hosts')
  for (const kind of KINDS) {
    test(`${NAMES[kind]}: no task of a living client is lost, none is finished twice, and the run ends`, async () => {
      const { broken, run } = await runPlan(program, kind, 2)
      assert.equal(broken, [])
      assert.is(run.oracle.ledger.endings.size, 16)
    })
  }
  test.run()
}
