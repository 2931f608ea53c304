/** When users get statistics, and which jobs count in them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EQUAL } from '../../actors/economy/coefficients.ts'
import { policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { type Time, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { Economy } from '../../scenarios/economy/model.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { type EconomyJob, inOrder } from '../../scenarios/economy/workload/job.ts'

type Row = readonly [size: EconomyJob['class'], arrival: number, processors: number, service: number]

/** Three processors, statistics every ten minutes until 20. */
const economyOf = (rows: readonly Row[], durable: boolean): Economy => ({
  processors: 3,
  policy: policyOf('ECON'),
  market: { sharing: STANDARD_SHARING, statistics: { every: units(10), until: units(20) } },
  users: { u1: { income: 1, savings: 0, cap: 1000, coefficients: EQUAL, targets: [1, 1, 1] } },
  jobs: inOrder(
    rows.map(([size, arrival, processors, service]) => ({
      user: 'u1',
      class: size,
      arrival: units(arrival),
      processors,
      service: units(service),
      deposit: 0,
    })),
  ),
  patience: null,
  durable,
  overrun: null,
})

/** The messages to the bank, and when they came. */
async function steered(
  rows: readonly Row[],
  ...faults: readonly string[]
): Promise<{ readonly at: Time; readonly coefficients: unknown }[]> {
  const seen: { at: Time; coefficients: unknown }[] = []
  const plan = faults.map((fault) => parseFault(fault))
  const { broken, end } = await economyRun.run(economyOf(rows, faults.length > 0), { runtime: 'inline' }, plan, {
    onSystem: (system) => {
      system.onFact((fact, { at }) => {
        if (fact['what'] === 'steered') seen.push({ at, coefficients: fact['coefficients'] })
      })
    },
  })
  assert.equal([...broken, end.ended], ['idle'])
  return seen
}

test('jobs that end at the instant of the statistics count in them', async () => {
  // class 3 waits for 5 minutes and runs for 5: its slowdown is 2
  const [first] = await steered([
    [1, 0, 1, 5],
    [2, 0, 2, 5],
    [3, 0, 3, 5],
  ])
  assert.equal(first, { at: units(10), coefficients: [0.25, 0.25, 0.5] })
})

test('weights and statistics survive the death of any actor between two reports', async () => {
  const rows: readonly Row[] = [
    [1, 0, 1, 5],
    [2, 0, 2, 5],
    [3, 0, 3, 5],
  ]
  const calmly = await steered(rows)
  // every report corrects the weights of the one before
  assert.equal(
    calmly.map(({ coefficients }) => coefficients),
    [
      [1 / 4, 1 / 4, 1 / 2],
      [1 / 6, 1 / 6, 2 / 3],
    ],
  )
  for (const who of ['user@u1', 'bank@hub', 'scheduler@hub'])
    assert.equal(await steered(rows, `restart ${who} at 15`), calmly, who)
})

// the last job is over at 71
test('statistics are sent while jobs wait for a running one, however long that takes', async () => {
  const told = await steered([
    [1, 0, 1, 5],
    [2, 0, 1, 5],
    [3, 0, 1, 5],
    [1, 6, 3, 60],
    [2, 20, 3, 5],
  ])
  assert.equal(
    told.map(({ at }) => at),
    [10, 20, 30, 40, 50, 60, 70, 80].map(units),
  )
})

test.run()
