/** Some of the fault plans; `npx tsx scenarios/lab/faults.ts shares/cluster --full` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planSeed } from '../../lib/scenario/fault-plans.ts'
import { type Fault, parseFault } from '../../lib/scenario/faults.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { Observations } from '../../scenarios/shares/faults/observations.ts'
import { KINDS, planOf } from '../../scenarios/shares/faults/plans.ts'
import { isOnTheDead, Promises } from '../../scenarios/shares/faults/promises.ts'
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

test('a fault that did not happen breaks a promise, unless its plan has killed the actors that it names', async () => {
  const addresses = ['processor@m1', 'ticket-server@m1', 'processor@m2']
  const isExcused = (text: string, ...others: readonly string[]) => {
    const fault = parseFault(text)
    return isOnTheDead(fault, [fault, ...others.map((other): Fault => parseFault(other))], addresses)
  }
  const late = 'kill ticket-server@m1 at 9'
  assert.ok(isExcused(late, 'kill @m1 at 5'))
  assert.ok(isExcused('pause @m1 for 3 at 9', 'kill processor@m1 at 5', 'kill ticket-server@m1 at 6'))
  assert.not(isExcused(late))
  assert.not(isExcused(late, 'kill @m1 at 10'))
  assert.not(isExcused(late, 'kill processor@m1 at 5'))
  assert.not(isExcused('kill @m1 at 9', 'kill processor@m1 at 5'), 'a part of the machine lives')
  assert.not(isExcused(late, 'kill @m1 at 5', 'restart ticket-server@m1 at 7'))
  assert.not(isExcused('kill ticket-server@m7 at 9', 'kill @m7 at 5'), 'there is no such actor')
  assert.not(isExcused('partition m1 | m2 at 9 until 10', 'kill @m1 at 5'))
  // this plan kills the ticket servers of machines that it has killed before
  const { violations } = await sharesCluster.faultPlans().broken('everything', { seed: 1, n: 6 }, 'inline')
  assert.equal(violations, [])
})

test('a process of a job that was given up is withdrawn as soon as it can be reached, though no withdrawal has reached it yet', async () => {
  const plan = planOf('partitions', planSeed({ seed: 1, n: 0 }))
  const seen: Observations[] = []
  const { model, options, faults } = plan
  const run = await sharesCluster.run(model, { ...options, runtime: 'inline' }, faults, {
    onSystem: (system) => seen.push(new Observations(system)),
  })
  const [observations] = seen
  const [end] = observations?.givenUp ?? []
  const last = observations?.ticks.at(-1)
  assert.ok(observations && end && last)
  assert.equal(new Promises(plan, observations, run).violations, [])
  observations.sent.length = 0
  observations.ticks.push({ ...last, tickets: new Map([...last.tickets, [end.job, 1]]) })
  assert.match(String(new Promises(plan, observations, run).violations), `${end.job} is still on ${last.machine}`)
})

test('on threads the run is the same, and no thread is left', async () => {
  const before = openHandles()
  for (const kind of ['machines', 'everything'] as const) {
    assert.equal(await violationsOf(kind, 1, 'threads'), [])
    assert.is(openHandles(), before)
  }
})

test.run()
