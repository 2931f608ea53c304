/** Some of the fault plans; `npx tsx scenarios/lab/faults.ts shares/cluster --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { Observations } from '../../scenarios/shares/faults/observations.ts'
import { KINDS, planOf } from '../../scenarios/shares/faults/plans.ts'
import { Promises } from '../../scenarios/shares/faults/promises.ts'
import { openHandles } from '../system/harness.ts'

const violationsOf = async (kind: string, n: number, runtime: 'inline' | 'threads') =>
  (await sharesCluster.faultPlans().broken(kind, { seed: 1, n }, runtime)).violations

for (const kind of KINDS) {
  test(`${kind}: shares become right again, jobs that lost a member are given up, and no machine waits`, async () => {
    for (let n = 0; n < 2; n++) assert.equal(await violationsOf(kind, n, 'inline'), [])
  })
}

test('if mail is lost, a job of living members is given up only if all questions to one, or their answers, were lost', async () => {
  for (let seed = 0; ; seed++) {
    const plan = planOf('losses', seed)
    const seen: Observations[] = []
    const { model, options, faults } = plan
    const run = await sharesCluster.run(model, { ...options, runtime: 'inline' }, faults, {
      onSystem: (system) => seen.push(new Observations(system)),
    })
    const [observations] = seen
    assert.ok(observations)
    const promises = new Promises(plan, observations, run)
    assert.equal(promises.violations, [])
    if (promises.wronged === 0) continue
    observations.lost.length = 0
    assert.match(String(new Promises(plan, observations, run).violations), 'who lived and could be reached')
    return
  }
})

test('on threads the run is the same, and no thread is left', async () => {
  const before = openHandles()
  for (const kind of ['machines', 'everything'] as const) {
    assert.equal(await violationsOf(kind, 1, 'threads'), [])
    assert.is(openHandles(), before)
  }
})

test.run()
