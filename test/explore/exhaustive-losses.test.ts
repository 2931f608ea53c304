import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { outcomeOf } from '../../lib/scenario/outcome.ts'
import type { Specification } from '../../lib/scenario/specification.ts'

const MODULE = new URL('../fixtures/actors/tipster.ts', import.meta.url)

const specification: Specification = {
  options: { seed: 1, network: { latency: 0, jitter: 0, loss: 0.999, duplicate: 0 } },
  faults: [],
  addresses: ['teller@m', 'yes@m', 'no@m', 'hearer@n'],
  tasks: 1,
  only: () => specification,
  open: async (system) => {
    await system.spawn('teller@m', MODULE, { says: null, to: 'hearer@n' })
    for (const says of ['yes', 'no']) await system.spawn(`${says}@m`, MODULE, { says, to: 'teller@m' })
    await system.spawn('hearer@n', MODULE, { says: null, to: 'teller@m' })
    return { outcome: () => `${outcomeOf(system).lost} lost`, violations: () => [] }
  },
}

test('runs each of two orders with the same reports, if mail is lost in one only', async () => {
  const found = await exhaust({ specification, reduce: true, depth: Number.POSITIVE_INFINITY, schedules: 9 })
  assert.equal([...found.outcomes.keys()].sort(), ['0 lost', '1 lost'])
})

test.run()
