/** Some of the fault plans; `lab/faults contracts/run --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { brokenBy } from '../broken-plans.ts'

test('under deaths, pauses and partitions no task has two contracts or is paid twice, and each contract is settled or claimed', async () => {
  assert.equal(await brokenBy(contractsRun.faultPlans(), 'inline', 6), [])
})

test('fault plans on threads violate no invariant either', async () => {
  assert.equal(await brokenBy(contractsRun.faultPlans(), 'threads', 1), [])
})

test.run()
