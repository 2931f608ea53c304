/** Some of the fault plans; `lab/faults economy/run --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { economyRun } from '../../scenarios/economy/run.ts'
import { brokenBy } from '../broken-plans.ts'

test('under deaths, pauses and partitions every job of a living user ends once, and no money is made or lost', async () => {
  assert.equal(await brokenBy(economyRun.faultPlans(), 'inline', 25), [])
})

test('fault plans on threads violate no invariant either', async () => {
  assert.equal(await brokenBy(economyRun.faultPlans(), 'threads', 1), [])
})

test.run()
