/** One run of a figure: its measures, and rules that show in whole runs. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { HEURISTICS } from '../../actors/contracts/ranks.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import {
  FIRST_PRICE,
  firstReward,
  gainOfOffered,
  improvement,
  marketOf,
  type Point,
  ranOf,
  runPoint,
} from '../../scenarios/contracts/study/point.ts'
import { FIGURES_6_AND_7, figure3 } from '../../scenarios/contracts/workload/mixes.ts'

const POINT: Point = {
  seed: 1,
  tasks: 120,
  processors: 2,
  load: 1.2,
  mix: FIGURES_6_AND_7,
  preempt: 0,
  threshold: null,
  heuristic: firstReward(0.3),
}

/** The start, the end and the yield of each task. */
async function schedule(point: Point, times = 1) {
  const market = marketOf(point)
  const tasks = market.tasks.map((task) => {
    const { value, decay, bound } = task.worth
    const worth = {
      ...task.worth,
      value: times * value,
      decay: times * decay,
      bound: bound === null ? null : times * bound,
    }
    return { ...task, worth }
  })
  const {
    oracle: { ledger },
  } = await contractsRun.run({ ...market, tasks }, { runtime: 'inline' })
  assert.equal(ledger.broken, [])
  return [...ledger.tasks.values()].map(({ task, start, finish }) => ({ task, start, finish }))
}

test('a run has the same measures on threads and inline, and they survive coding and decoding', async () => {
  const ran = await runPoint(POINT)
  assert.equal(await runPoint(POINT, 'threads'), ran)
  assert.equal(ranOf(JSON.parse(JSON.stringify(ran))), ran)
  assert.is(ran.accepted, 1)
})

test('a threshold of 100 refuses some tasks, and an unreachable one refuses all', async () => {
  const none = await runPoint({ ...POINT, threshold: 1e9 })
  assert.equal([none.accepted, none.yield, none.rate], [0, 0, 0])
  const some = await runPoint({ ...POINT, threshold: 100 })
  assert.ok(some.accepted > 0 && some.accepted < 1, `${some.accepted}`)
})

test('FirstReward with alpha 1 is PV, and PV without discount FirstPrice, task by task', async () => {
  const discount = 0.01
  const reward = await schedule({ ...POINT, heuristic: { name: 'FirstReward', alpha: 1, discount } })
  const value = await schedule({ ...POINT, heuristic: { name: 'PV', alpha: 0, discount } })
  assert.equal(reward, value)
  const price = await schedule({ ...POINT, heuristic: FIRST_PRICE })
  assert.equal(await schedule({ ...POINT, heuristic: { name: 'PV', alpha: 0, discount: 0 } }), price)
  assert.not.equal(price, value)
})

test('without preemption FCFS starts in the order of arrival', async () => {
  const fcfs = await schedule({ ...POINT, heuristic: { name: 'FCFS', alpha: 0, discount: 0 } })
  const starts = fcfs.map(({ start }) => start ?? Number.NaN)
  assert.ok(starts.every((start, i) => i === 0 || start >= (starts[i - 1] ?? 0)))
})

test('multiplying values, decays and bounds by a constant changes no schedule', async () => {
  for (const name of HEURISTICS) {
    const point: Point = { ...POINT, tasks: 60, heuristic: { ...firstReward(0.3), name }, preempt: 1 }
    assert.equal(await schedule(point, 8), await schedule(point), name)
  }
})

test('figure 3: PV is ahead of FirstPrice at a small discount rate, on the same tasks', async () => {
  const point: Point = { ...POINT, tasks: 400, processors: 1, load: 1, mix: figure3(9), preempt: 1 }
  const price = await runPoint({ ...point, heuristic: FIRST_PRICE })
  const value = await runPoint({ ...point, heuristic: { name: 'PV', alpha: 0, discount: 0.001 } })
  assert.is(value.offered, price.offered)
  const ahead = improvement(value, price)
  assert.ok(ahead > 0 && ahead < 10, `${ahead} %`)
  assert.ok(gainOfOffered(value, price) < ahead)
})

test.run()
