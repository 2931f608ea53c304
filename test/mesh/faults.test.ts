/** Some of the fault plans; `lab/faults mesh/run --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { meshRun } from '../../scenarios/mesh/run.ts'
import { brokenBy } from '../broken-plans.ts'
import { BROKE_ONCE } from './broke-once.ts'

test('under deaths and late or doubled mail a cell has one owner, and each job ends or its user hears that it failed', async () => {
  assert.equal(await brokenBy(meshRun.faultPlans(), 'inline', 6), [])
})

test('regression: a job kept two cells in one half of the ring after a job in the other half had died', async () => {
  for (const plan of BROKE_ONCE) assert.equal(await meshRun.faultPlans().violationsOf(plan), [])
})

test('fault plans on threads violate no invariant either', async () => {
  assert.equal(await brokenBy(meshRun.faultPlans(), 'threads', 1), [])
})

test.run()
