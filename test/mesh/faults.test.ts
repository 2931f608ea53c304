/** Some of the fault plans; `lab/faults mesh/run --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { meshRun } from '../../scenarios/mesh/run.ts'
import { BROKE_ONCE } from './broke-once.ts'

async function broken(runtime: 'threads' | 'inline', plans: number): Promise<string[]> {
  const { kinds, broken } = meshRun.faultPlans()
  const violations: string[] = []
  for (const kind of kinds) {
    for (let n = 0; n < plans; n++) {
      const found = await broken(kind, { seed: 1, n }, runtime)
      violations.push(...found.violations.map((text) => `${kind}, plan ${n}: ${text}`))
    }
  }
  return violations
}

test('under deaths and late or doubled mail a cell has one owner, and each job ends or its user hears that it failed', async () => {
  assert.equal(await broken('inline', 6), [])
})

test('regression: a job kept two cells in one half of the ring after a job in the other half had died', async () => {
  for (const plan of BROKE_ONCE) assert.equal(await meshRun.faultPlans().violationsOf(plan), [])
})

test('fault plans on threads violate no invariant either', async () => {
  assert.equal(await broken('threads', 1), [])
})

test.run()
