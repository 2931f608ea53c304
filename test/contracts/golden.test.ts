/** The specification's small markets, task by task, on threads and inline. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toUnits } from '../../lib/actor.ts'
import type { ContractsMarket } from '../../scenarios/contracts/model.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { sampled } from '../repeats.ts'
import { type Case, type Expected, VECTORS, type Vector } from './golden/vectors.ts'
import { tasksOf } from './tasks.ts'

const marketOf = (vector: Vector, { sites, preference }: Case): ContractsMarket => ({
  sites: sites.map(({ processors, name, alpha, discount, threshold, preempt }) => ({
    processors,
    preempt,
    stale: 'honour',
    expiry: null,
    allowance: 0,
    heuristic: { name, alpha, discount },
    threshold: threshold ?? null,
  })),
  broker: { preference, rounds: 'one by one', wait: null, rebids: 0 },
  tasks: tasksOf(vector.tasks),
  patience: null,
  claimCap: 0,
})

const CASES = VECTORS.flatMap((vector) =>
  vector.cases.map((one, i) => ({ vector, one, name: `${vector.name} ${i + 1}` })),
)

/** All inline, on both engines together; on threads all in the full run. */
const WAYS = [
  ['inline', 'shadow', CASES],
  ['threads', 'compiled', sampled(CASES)],
] as const

const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-12 * Math.max(1, Math.abs(other))

const inUnits = (time: number | null | undefined) => (typeof time === 'number' ? toUnits(time) : Number.NaN)

for (const [runtime, engine, cases] of WAYS) {
  for (const { vector, one, name } of cases) {
    test(`${name} ${runtime}: each task is promised, run and paid as it should be`, async () => {
      const {
        crashes,
        oracle: { ledger },
      } = await contractsRun.run(marketOf(vector, one), { runtime, engine })
      assert.equal(crashes, [])
      assert.equal(ledger.broken, [])
      assert.is(ledger.tasks.size, vector.tasks.length)
      for (const [task, expected] of Object.entries(one.expect)) {
        const story = ledger.tasks.get(Number(task))
        const ours: Record<keyof Expected, number> = {
          start: inUnits(story?.start),
          finish: inUnits(story?.finish),
          value: story?.yield ?? Number.NaN,
          paid: story?.paid ?? Number.NaN,
          promised: inUnits(story?.promised),
          price: story?.price ?? Number.NaN,
          slack: story?.slack ?? Number.NaN,
          site: story?.site ? Number(story.site.slice(1)) - 1 : -1,
          preempted: story?.preempted ?? Number.NaN,
        }
        for (const [key, value] of Object.entries(expected)) {
          const got = Object.entries(ours).find(([name]) => name === key)?.[1] ?? Number.NaN
          assert.ok(isNear(got, value), `task ${task}: ${key} ${got}, expected ${value}`)
        }
      }
      const sum = (of: 'yield' | 'paid') => [...ledger.tasks.values()].reduce((all, story) => all + (story[of] ?? 0), 0)
      assert.ok(isNear(sum('yield'), one.value), `value ${sum('yield')}, expected ${one.value}`)
      if (one.paid !== undefined) assert.ok(isNear(sum('paid'), one.paid), `paid ${sum('paid')}, expected ${one.paid}`)
    })
  }
}

test.run()
