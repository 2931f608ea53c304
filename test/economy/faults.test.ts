/** Some of the fault plans; `lab/faults economy/run --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { economyRun } from '../../scenarios/economy/run.ts'

async function broken(runtime: 'threads' | 'inline', plans: number): Promise<string[]> {
  const { kinds, broken } = economyRun.faultPlans()
  const violations: string[] = []
  for (const kind of kinds) {
    for (let n = 0; n < plans; n++) {
      const found = await broken(kind, { seed: 1, n }, runtime)
      violations.push(...found.violations.map((text) => `${kind}, plan ${n}: ${text}`))
    }
  }
  return violations
}

test('under deaths, pauses and partitions every job of a living user ends once, and no money is made or lost', async () => {
  assert.equal(await broken('inline', 25), [])
})

test('fault plans on threads violate no invariant either', async () => {
  assert.equal(await broken('threads', 1), [])
})

test.run()
