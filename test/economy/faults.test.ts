/** Some of the fault plans; `economy/faults --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { KINDS } from '../../scenarios/economy/faults/plans.ts'
import { violationsOf } from '../../scenarios/economy/faults/study.ts'

async function broken(runtime: 'threads' | 'inline', plans: number): Promise<string[]> {
  const violations: string[] = []
  for (const kind of KINDS) {
    for (let n = 0; n < plans; n++) violations.push(...(await violationsOf(kind, { seed: 1, n }, runtime)))
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
