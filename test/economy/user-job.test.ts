/** The statechart of a user's job: what the trace tells of it, and faults that wait for its states. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EQUAL } from '../../actors/economy/coefficients.ts'
import { policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { units } from '../../lib/actor.ts'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { System } from '../../lib/system.ts'
import { type Economy, open } from '../../scenarios/economy/model.ts'
import { inOrder } from '../../scenarios/economy/workload/job.ts'

const job = { user: 'u1', class: 1, processors: 1, service: units(5), deposit: 0 } as const

const ECONOMY: Economy = {
  processors: 2,
  patience: units(6),
  durable: true,
  overrun: null,
  policy: policyOf('ECON'),
  market: { sharing: STANDARD_SHARING, statistics: null },
  users: { u1: { income: 1, savings: 0, cap: 100, coefficients: EQUAL, targets: null } },
  jobs: inOrder([
    { ...job, arrival: 0 },
    { ...job, processors: 3, arrival: units(1) },
  ]),
}

/** The states that the jobs enter, by job. */
async function statesOf(economy: Economy, ...faults: readonly string[]): Promise<readonly (readonly string[])[]> {
  const system = new System({ runtime: 'inline', record: true })
  try {
    await open(system, economy)
    const missed = planFaults(
      system,
      faults.map((text) => parseFault(text)),
    )
    await system.run()
    assert.equal(missed(), [])
    const entered = [...system.recorded()].filter(({ t, chart }) => t === 'entered' && chart === 'job')
    return economy.jobs.map(({ id }) => entered.flatMap(({ key, state }) => (key === id ? [String(state)] : [])))
  } finally {
    await system.stop()
  }
}

test('a job is submitted, funded by the bank, and ended or refused', async () => {
  assert.equal(await statesOf(ECONOMY), [
    ['submitted', 'funded', 'ended'],
    ['submitted', 'funded', 'refused'],
  ])
})

test('without a bank a job is not funded', async () => {
  const economy = { ...ECONOMY, policy: policyOf('FCFS'), market: null }
  assert.equal((await statesOf(economy))[0], ['submitted', 'ended'])
})

test('a job is submitted again when the bank is back, which may have forgotten it', async () => {
  const deaths = ['kill bank@hub when user@u1 job 0 enters funded', 'restart bank@hub at 3']
  assert.equal((await statesOf(ECONOMY, ...deaths))[0], ['submitted', 'funded', 'submitted', 'funded', 'ended'])
})

test.run()
