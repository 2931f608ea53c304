/** Without later arrivals promises are kept exactly where the order is static, and SRPT has the least delay. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { HEURISTICS, type HeuristicName } from '../../actors/contracts/ranks.ts'
import { delayOf, type Task } from '../../actors/contracts/values.ts'
import { type Time, units } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import type { ContractsMarket } from '../../scenarios/contracts/model.ts'
import type { TaskRecord } from '../../scenarios/contracts/oracle/ledger.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { generateTasks } from '../../scenarios/contracts/workload/generate.ts'
import { repeats } from '../repeats.ts'

const anyTasks = fc.array(fc.record({ runtime: fc.integer({ min: 1, max: 30 }), decay: fc.nat(5) }), {
  minLength: 1,
  maxLength: 12,
})

type Row = { readonly runtime: number; readonly decay: number }

const terms = (name: HeuristicName, delay: Time, processors: number) => ({
  heuristic: { name, alpha: 0, discount: 0 },
  preempt: 0 as const,
  threshold: null,
  stale: 'honour' as const,
  expiry: null,
  allowance: 2 * delay,
  processors,
})

const MIX = {
  batch: 1,
  gaps: { law: 'exponential' },
  runtimes: { law: 'exponential' },
  bound: null,
  value: { skew: 3, mean: { of: 'all', is: 1 }, cv: 0.2 },
  decay: { skew: 5, mean: { of: 'all', is: 0.1 }, cv: 0.2 },
} as const

/** One site; all tasks come together. */
const marketOf = (rows: readonly Row[], name: HeuristicName, delay: Time, processors: number): ContractsMarket => ({
  sites: [terms(name, delay, processors)],
  broker: { preference: 'earliest', rounds: 'one by one', wait: null, rebids: 0 },
  tasks: rows.map(({ runtime, decay }, task): Task => {
    return { task, arrival: 0, runtime: units(runtime), worth: { shape: 'linear', value: 100, decay, bound: null } }
  }),
  patience: null,
  claimCap: 0,
})

/** The records of all tasks, with their promises and their outcomes. */
async function keptIn(market: ContractsMarket, latency: Time = 0): Promise<readonly TaskRecord[]> {
  const {
    broken,
    oracle: { ledger },
  } = await contractsRun.run(market, { runtime: 'inline', network: { latency } })
  assert.equal(broken, [])
  return [...ledger.tasks.values()]
}

async function areExact(market: ContractsMarket): Promise<void> {
  for (const { promised, finish, price, paid } of await keptIn(market)) {
    assert.equal([finish, paid], [promised, price])
  }
}

const RUNS = { numRuns: repeats(25) }

test('under FCFS every promise is kept to the instant', async () => {
  const anyProcessors = fc.integer({ min: 1, max: 3 })
  const property = fc.asyncProperty(anyTasks, anyProcessors, (rows, processors) =>
    areExact(marketOf(rows, 'FCFS', 0, processors)),
  )
  await fc.assert(property, RUNS)
})

test('under SRPT every promise is kept to the instant if the tasks come in that order', async () => {
  const property = fc.asyncProperty(anyTasks, (rows) =>
    areExact(
      marketOf(
        rows.toSorted((one, other) => one.runtime - other.runtime),
        'SRPT',
        0,
        2,
      ),
    ),
  )
  await fc.assert(property, RUNS)
})

test('on one processor SRPT has the least mean delay of all heuristics for tasks that arrive together', async () => {
  const property = fc.asyncProperty(anyTasks, async (rows) => {
    const delays = new Map<HeuristicName, number>()
    for (const name of HEURISTICS) {
      const stories = await keptIn(marketOf(rows, name, 0, 1))
      const all = stories.map(({ of, finish }) => delayOf(of, finish ?? Number.NaN))
      delays.set(
        name,
        all.reduce((sum, delay) => sum + delay, 0),
      )
    }
    assert.is(delays.get('SRPT'), Math.min(...delays.values()), JSON.stringify([...delays]))
  })
  await fc.assert(property, RUNS)
})

test('with delays every promise that allows for them is kept, in serial rounds', async () => {
  const delay = units(2)
  const property = fc.asyncProperty(anyTasks, async (rows) => {
    for (const { task, promised, finish } of await keptIn(marketOf(rows, 'FCFS', delay, 1), delay)) {
      assert.ok((finish ?? Number.POSITIVE_INFINITY) <= (promised ?? 0), `task ${task}: ${finish}, not ${promised}`)
    }
  })
  await fc.assert(property, RUNS)
})

for (const batch of [1, 8]) {
  test(`a newcomer that preempts a running task at once begins when its promise says (batches of ${batch})`, async () => {
    for (const name of ['SRPT', 'FirstPrice', 'PV', 'FirstReward'] as const) {
      const tasks = generateTasks({ seed: 3, tasks: 150, processors: 2, load: 1.5, mix: { ...MIX, batch } })
      const site = { ...terms(name, 0, 2), preempt: 1 as const }
      const market: ContractsMarket = { ...marketOf([], name, 0, 2), sites: [site], tasks }
      const taken = new Map<number, Time>()
      const preempted = new Set<Time>()
      let [begun, wrong] = [0, 0]
      const onSystem = (system: System): void => {
        system.onFact(({ type, task, completion }, { who, at }) => {
          if (!who.startsWith('site@')) return
          if (type === 'preempted') preempted.add(at)
          if (type === 'taken') taken.set(Number(task), Number(completion))
          const of = tasks.find((one) => one.task === task)
          // a task that begins at its arrival while another is preempted is the one that took its place
          if (type !== 'began' || !preempted.has(at) || of?.arrival !== at) return
          begun++
          if (taken.get(of.task) !== at + of.runtime) wrong++
        })
      }
      await contractsRun.run(market, { runtime: 'inline' }, [], { onSystem })
      assert.ok(begun > 10, `${name}: ${begun} newcomers preempted a task`)
      assert.is(wrong, 0, `${name}: ${wrong} of ${begun}`)
    }
  })
}

test.run()
