/** Some of the fault plans; `mesh/faults --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { KINDS } from '../../scenarios/mesh/faults/plans.ts'
import { brokenBy, violationsOf } from '../../scenarios/mesh/faults/study.ts'
import { BROKE_ONCE } from './broke-once.ts'

async function broken(runtime: 'threads' | 'inline', plans: number): Promise<string[]> {
  const violations: string[] = []
  for (const kind of KINDS) {
    for (let n = 0; n < plans; n++) violations.push(...(await violationsOf(kind, { seed: 1, n }, runtime)))
  }
  return violations
}

test('under deaths and late or doubled mail a cell has one owner, and each job ends or its user hears that it failed', async () => {
  assert.equal(await broken('inline', 6), [])
})

test('regression: a job kept two cells in one half of the ring after a job in the other half had died', async () => {
  for (const plan of BROKE_ONCE) assert.equal(await brokenBy(plan), [])
})

test('fault plans on threads violate no invariant either', async () => {
  assert.equal(await broken('threads', 1), [])
})

test.run()
