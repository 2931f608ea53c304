/** Some of the plans of faults; `economy/faults --full` has 300 of each. */
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

test('whoever dies, stalls or is cut off: every job of a user that lives ends once, and no money is made or lost', async () => {
  assert.equal(await broken('inline', 25), [])
})

test('on threads, too', async () => {
  assert.equal(await broken('threads', 1), [])
})

test.run()
