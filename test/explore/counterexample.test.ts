import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { caseOf } from '../../lib/explore/counterexample.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import { parseSchedule } from '../../lib/scenario/schedule-string.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'

const test = suite('a failing run of a scenario whose tasks cannot be left out by a flag')

/** A cluster with a promise that it cannot keep: m1 is the first to have a job. */
const promising = (specification: Specification): Specification => ({
  ...specification,
  only: (tasks) => promising(specification.only(tasks)),
  async open(system) {
    const joined: string[] = []
    system.onFact((fact, { who }) => {
      if (fact.type === 'joined') joined.push(who)
    })
    const sight = await specification.open(system)
    const broken = [{ property: 'm1 is first', text: 'another was' }]
    return { outcome: () => sight.outcome?.() ?? '', violations: () => (joined[0] === 'processor@m1' ? [] : broken) }
  },
})

const cluster = scenarioNamed('shares/cluster')
const scenario: Scenario = {
  ...cluster,
  onlyFlag: undefined,
  specification: (given, actors) => promising(cluster.specification(given, actors)),
}

test('keeps them all, so that its command breaks the promise', async () => {
  const given = [
    ['machines', ['2']],
    ['period', ['100']],
    ['until', ['500']],
    ['latency', ['1']],
  ] as const
  const deviations = { holds: [{ thing: '5.0.0', until: 2 }], lost: [], doubled: [] }
  const failure = { run: 0, violations: [{ property: 'm1 is first', text: '' }], deviations, faults: [] }
  const found = { name: 'shares/cluster', scenario }
  const { tasks, schedule, sentences } = await caseOf(found, { given, limits: { livelock: 1000 } }, failure)
  assert.is(tasks, 4)
  assert.equal(parseSchedule(schedule, '--schedule').deviations, deviations)
  assert.equal(sentences, ["processor@m1 handles submit 5.0.0 of user@m1 at 0, after its timer 'tick'"])
})

test.run()
