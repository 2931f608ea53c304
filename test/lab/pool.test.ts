/** Every scenario has one trace: in a pool of threads the same as inline. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { System, type SystemInit } from '../../lib/system.ts'
import { repeats } from '../repeats.ts'
import { EXAMPLES, specificationOf } from './examples.ts'

/** The hash of the trace of a scenario, with a random kill now and then. */
async function hashOf(name: string, line: string, how: SystemInit): Promise<string> {
  const { options, until, open } = specificationOf(name, line)
  const system = new System({ ...options, ...how, trace: true })
  try {
    system.onDeath(() => {})
    await open(system)
    planFaults(system, [parseFault('kill random every 50')])
    await system.run(until === undefined ? {} : { until })
  } finally {
    await system.stop()
  }
  return system.traceHash
}

for (const [name, line] of Object.entries(EXAMPLES)) {
  test(`${name} has the same trace in a pool as inline`, async () => {
    const inline = await hashOf(name, line, { runtime: 'inline' })
    for (const poolThreads of [2, 1, 3].slice(0, repeats(3))) {
      assert.is(await hashOf(name, line, { runtime: 'pool', poolThreads }), inline, `${poolThreads} threads`)
    }
  })
}

test.run()
