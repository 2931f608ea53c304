/** The charts of orders, searches and contracts: their states, and that they survive restarts on every engine. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { ENGINES } from '../../lib/engine/engine.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { System } from '../../lib/system.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { SITE_TERMS, tasksOf } from './tasks.ts'

const SITE = {
  ...SITE_TERMS,
  processors: 1,
} as const

/** The states that the conversations about task 0 enter, by chart. */
async function statesOf(engine: (typeof ENGINES)[number], ...faults: readonly string[]) {
  const systems: System[] = []
  const { broken } = await contractsRun.run(
    {
      sites: [SITE],
      broker: { preference: 'earliest', rounds: 'one by one', wait: null, rebids: 2 },
      tasks: tasksOf([[0, 10, 100, 2, null]]),
      patience: units(5),
      claimCap: 100,
    },
    { runtime: 'inline', engine, record: true, network: { latency: units(1) } },
    faults.map((fault) => parseFault(fault)),
    { onSystem: (system) => void systems.push(system) },
  )
  assert.equal(broken, [])
  const entered = systems.flatMap((system) =>
    [...system.recorded()].flatMap(({ t, chart, state }) => (t === 'entered' ? [`${chart} ${state}`] : [])),
  )
  const of = (chart: string) =>
    entered.flatMap((text) => (text.startsWith(`${chart} `) ? [text.slice(chart.length + 1)] : []))
  return { order: of('order'), search: of('search'), contract: of('contract') }
}

const PLAIN = {
  order: ['searching', 'placed', 'paid'],
  search: ['queued', 'soliciting', 'awarded', 'placed'],
  contract: ['waiting', 'running', 'billed', 'paid'],
}

for (const engine of ENGINES) {
  test(`a task goes through the states of its order, search and contract (${engine})`, async () => {
    assert.equal(await statesOf(engine), PLAIN)
  })

  test(`a later incarnation goes on in the states that its records lead to (${engine})`, async () => {
    const restarts = [
      'restart client@c1 when client@c1 order 0 enters placed',
      'restart broker@b when broker@b search 0 enters awarded',
      'restart site@s1 when site@s1 contract 0 enters running',
    ]
    assert.equal(await statesOf(engine, ...restarts), PLAIN)
  })
}

test.run()
