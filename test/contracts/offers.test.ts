/** Offers that are out of date, rejected or missing; and contracts that are void. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Deviations, NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { type Time, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { ContractsMarket } from '../../scenarios/contracts/model.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { type Row, SITE_TERMS, tasksOf } from './tasks.ts'

const ONE: Row = [0, 10, 100, 2, null]

const marketOf = (rows: readonly Row[], sites: number, expiry: Time | null = null): ContractsMarket => ({
  sites: Array.from({ length: sites }, () => ({ ...SITE_TERMS, expiry, processors: 1 })),
  broker: { preference: 'earliest', rounds: 'one by one', wait: null, rebids: 2 },
  tasks: tasksOf(rows),
  patience: units(5),
  claimCap: 100,
})

const after = (market: ContractsMarket, latency: Time, ...faults: readonly string[]) =>
  ran(market, { network: { latency } }, faults)

async function ran(market: ContractsMarket, options: SystemInit, faults: readonly string[]) {
  const withdrawn: string[] = []
  const refused: unknown[] = []
  const plan = faults.map((fault) => parseFault(fault))
  const {
    broken,
    oracle: { ledger },
  } = await contractsRun.run(market, { runtime: 'inline', ...options }, plan, {
    onSystem: (system) => {
      system.onDelivery(({ who, type }) => {
        if (type === 'withdraw') withdrawn.push(String(who))
      })
      system.onFact(({ type, slack }) => {
        if (type === 'refused') refused.push(slack)
      })
    },
  })
  assert.equal(broken, [])
  return { ledger, withdrawn, refused, task: (number: number) => ledger.tasks.get(number) }
}

test('an expired offer makes no contract: the broker ignores it, or the site reneges on the award', async () => {
  const cameOf = async (expiry: number) => {
    const { ledger, task } = await after(marketOf([ONE], 1, units(expiry)), units(1))
    return [ledger.reneged, task(0)?.site]
  }
  // an award is there two delays after its offer; asked three times
  assert.equal(await cameOf(0.5), [0, null])
  assert.equal(await cameOf(1.5), [3, null])
  assert.equal(await cameOf(2), [0, 's1'])
})

test('the sites that do not get a task, and no others, hear withdraw', async () => {
  assert.equal((await after(marketOf([ONE], 3), 0)).withdrawn, ['site@s2', 'site@s3'])
})

test('a late copy of a withdrawal does not take back the offer of another round', async () => {
  // the client gives s1 up, s2 offers again at 18 and gets the award at 20; the copy of the withdrawal comes in between
  const schedule: Deviations = { ...NO_DEVIATIONS, late: [{ passage: '5.0>4.1', by: units(13.5) }] }
  const options = { network: { latency: units(1) }, schedule }
  const { ledger, withdrawn, task } = await ran(marketOf([ONE], 2), options, ['kill site@s1 at 6.5'])
  assert.equal([withdrawn, ledger.reneged, task(0)?.site], [['site@s2', 'site@s2'], 0, 's2'])
})

test('a late copy of an award does not begin a task again that is over, though a site without patience has forgotten it', async () => {
  const schedule: Deviations = { ...NO_DEVIATIONS, late: [{ passage: '3.0>2.1', by: units(60) }] }
  const options = { network: { latency: units(1) }, schedule }
  const { ledger } = await ran({ ...marketOf([ONE], 1), patience: null }, options, [])
  assert.equal([ledger.tasks.get(0)?.deals.length, ledger.reneged], [1, 1])
})

test('the broker does not wait for a silent site again until it answers', async () => {
  const rows: readonly Row[] = [ONE, [25, 10, 100, 2, null], [60, 10, 100, 2, null]]
  const starts = async (...faults: readonly string[]) => {
    const { task } = await after(marketOf(rows, 2), 0, ...faults)
    return [0, 1, 2].map((number) => task(number)?.start)
  }
  assert.equal(await starts('kill site@s2 at 0'), [units(5), units(25), units(60)])
  // the silent site is still asked, and answers at 40, so at 60 the broker waits for it
  assert.equal(await starts('pause site@s2 for 40 at 0', 'kill site@s2 at 50'), [units(5), units(25), units(65)])
  // the site makes an offer and dies; its award is sent at 0, 5 and 10
  assert.equal(await starts('kill site@s1 after 1 bid'), [units(15), units(25), units(60)])
})

test('a site that is asked for a task that it has already refuses it without a slack', async () => {
  const { refused, ledger } = await after(marketOf([ONE], 1), units(1), 'partition b | s1 at 3.5 until 17.5')
  // the site takes the task at 4; its answer is lost, and so are the next awards, until it is asked again at 19
  assert.equal([refused, ledger.tasks.get(0)?.deals.length], [[null], 1])
})

test('a site that comes back after another has done its task does not run the task', async () => {
  const back = ['restart site@s1 at 100', 'restart processor@s1p1 at 100']
  const { task } = await after(marketOf([ONE], 2), 0, 'kill site@s1 at 6', 'kill processor@s1p1 at 6', ...back)
  assert.equal(
    task(0)?.deals.map(({ site, state, finish }) => [site, state, finish]),
    [
      ['s1', 'voided', null],
      ['s2', 'received', units(25)],
    ],
  )
})

test.run()
