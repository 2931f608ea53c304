/** Results of small runs, computed by hand. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { parseFlags } from '../../lib/cli/index.ts'
import { textOf } from '../../lib/core/table.ts'
import { checksOf } from '../../lib/scenario/verdict.ts'
import { flags } from '../../scenarios/economy/flags.ts'
import type { Economy } from '../../scenarios/economy/model.ts'
import { Money } from '../../scenarios/economy/oracle.ts'
import { type EconomyResults, jobsCsv, resultsOf } from '../../scenarios/economy/results.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { setUp } from '../../scenarios/economy/setup.ts'
import { resultTables } from '../../scenarios/economy/tables.ts'
import { type EconomyJob, inOrder } from '../../scenarios/economy/workload/job.ts'

/** The economy that the flags describe, with the given jobs. */
function economyOf(args: readonly string[], rows: readonly Omit<EconomyJob, 'id' | 'deposit'>[]): Economy {
  const { model: economy } = setUp(parseFlags(flags, ['--processors', '4', '--users', '2', ...args]).options)
  return { ...economy, jobs: inOrder(rows.map((row) => ({ deposit: 0, ...row }))) }
}

/** The tables of results, as they are printed. */
const printed = (economy: Economy, results: EconomyResults): string =>
  resultTables(economy, results).map(textOf).join('\n')

const job = (user: string, l: 1 | 2 | 3, arrival: number, processors: number, service: number) => ({
  user,
  class: l,
  arrival: units(arrival),
  processors,
  service: units(service),
})

/**
 * On four processors: job 0 has all from 0 to 10; job 1 comes at 2 and waits, 2 dollars a minute coming to its account;
 * job 2 comes at 4 and waits behind it. At 10 job 1 offers 16 / 40, job 2 30 / 20, which starts first under ECON.
 */
const ROWS = [job('u1', 1, 0, 4, 10), job('u1', 2, 2, 4, 10), job('u2', 3, 4, 4, 5)]
const MONEY = ['--incomes', '2,5']

const isNear = (one: number | undefined, other: number) =>
  assert.ok(Math.abs((one ?? Number.NaN) - other) < 1e-9, `${one}, expected about ${other}`)

test('the results have responses, slowdowns and waits by class and user, utilisation and money', async () => {
  const economy = economyOf(MONEY, ROWS)
  const run = await economyRun.run(economy, { runtime: 'inline' })
  const results = resultsOf(economy, run)
  assert.ok(checksOf(run).every(({ ok }) => ok))
  // ends: 10, 25, 15
  assert.equal(results.all, {
    jobs: 3,
    response: (10 + 23 + 11) / 3,
    slowdown: (1 + 2.3 + 2.2) / 3,
    wait: (0 + 13 + 6) / 3,
  })
  assert.equal(results.classes[2], { jobs: 1, response: 23, slowdown: 2.3, wait: 13 })
  assert.is(results.users['u1']?.wait, 6.5)
  assert.is(results.users['u1']?.paid, 26)
  isNear(results.users['u2']?.paid, 30)
  isNear(results.income, 56)
  assert.is(results.forfeited, 0)
  assert.is(results.utilisation, 1)
  // 100 processor-minutes in the 4 minutes between the first arrival and the last
  assert.is(results.offeredLoad, 100 / 16)
  const lines = jobsCsv(economy, run.oracle).split('\n')
  assert.equal(lines.slice(1, 3), ['0,u1,1,4,0,0,10,0,0,direct', '1,u1,2,4,2,15,25,26,0,direct'])
  assert.match(lines[3] ?? '', /^2,u2,3,4,4,10,15,30(\.0+\d)?,0,direct$/)
  const text = printed(economy, results)
  assert.match(text, /all +3 +14\.67 +1\.83 +6\.33/)
  assert.match(text, /income of the system +56\.00/)
  assert.match(text, /offered load +625\.0 %/)
})

test('without a bank the results have no money', async () => {
  const economy = economyOf(['--policy', 'FCFS'], ROWS)
  const run = await economyRun.run(economy, { runtime: 'inline' })
  const results = resultsOf(economy, run)
  assert.is(results.all.wait, (0 + 8 + 16) / 3)
  assert.is(results.income, 0)
  assert.not.match(printed(economy, results), /income|paid/)
})

test('a job waits from its arrival on, also before the scheduler hears of it', async () => {
  const late = async (args: readonly string[]) => {
    const { fault: faults } = parseFlags(flags, ['--processors', '4', '--users', '2', ...args]).options
    const economy = economyOf(args, [job('u1', 1, 2, 4, 10)])
    const latency = args.includes('--latency') ? units(3) : 0
    const network = { latency, jitter: 0, loss: 0, duplicate: 0 }
    const run = await economyRun.run(economy, { runtime: 'inline', network }, faults)
    assert.ok(checksOf(run).every(({ ok }) => ok))
    return { all: resultsOf(economy, run).all, row: jobsCsv(economy, run.oracle).split('\n')[1] }
  }
  const far = await late(['--latency', '3'])
  assert.equal(far.all, { jobs: 1, response: 16 + 3, slowdown: 1.9, wait: 3 })
  assert.is(far.row, '0,u1,1,4,2,5,21,0,0,direct')
  const paused = await late(['--fault', 'pause scheduler@hub for 5 at 1'])
  assert.equal(paused.all, { jobs: 1, response: 14, slowdown: 1.4, wait: 4 })
  assert.is(paused.row, '0,u1,1,4,2,6,16,400,0,direct')
})

test('means over no jobs are null', async () => {
  const economy = economyOf([], [job('u1', 1, 0, 5, 10)])
  const run = await economyRun.run(economy, { runtime: 'inline' })
  const results = resultsOf(economy, run)
  assert.equal(results.all, { jobs: 0, response: null, slowdown: null, wait: null })
  assert.is(results.refused, 1)
  assert.is(results.utilisation, 0)
  assert.is(results.offeredLoad, null)
  assert.match(printed(economy, results), /offered load +-\n/)
})

test('refunds are subtracted from the payments of a job', () => {
  const money = new Money()
  const book = (what: string, job: number, amount: number, totals: object = {}) =>
    money.fold(
      {
        type: 'booked',
        user: 'u1',
        what,
        job,
        amount,
        received: 0,
        savings: 0,
        expenses: 0,
        paid: 0,
        forfeited: 0,
        ...totals,
      },
      'bank@hub',
    )
  book('opened', 1, 5)
  book('charge', 1, 40)
  book('refund', 1, 40)
  assert.is(money.paidBy(1), 0)
  book('charge', 1, 60)
  book('extend', 1, 7)
  book('declined', 1, 0)
  book('close', 1, 3, { paid: 70, savings: 12 })
  assert.is(money.paidBy(1), 70)
  assert.is(money.paidBy(2), 0)
  assert.is(money.sum('paid'), 70)
  money.fold({ type: 'booked', user: 'u1', what: 'charge', job: 2, amount: 9 }, 'user@u1')
  assert.is(money.paidBy(2), 0)
})

test.run()
