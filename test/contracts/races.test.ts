/** Deaths after every message of a round, and the money of contracts whose site is given up. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SiteTerms } from '../../actors/contracts/terms.ts'
import { type Time, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { ContractsMarket } from '../../scenarios/contracts/model.ts'
import type { TaskRecord } from '../../scenarios/contracts/oracle/ledger.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { sampled } from '../repeats.ts'
import { type Row, tasksOf } from './tasks.ts'

const ROWS: readonly Row[] = [
  [0, 4, 40, 1, null],
  [0, 9, 90, 2, 20],
  [1, 3, 10, 3, 0],
  [2, 6, 50, 0.5, null],
]

const TERMS: SiteTerms = {
  heuristic: { name: 'FirstReward', alpha: 0.3, discount: 0.01 },
  preempt: 1,
  threshold: null,
  stale: 'honour',
  expiry: null,
  allowance: 0,
}

function marketOf(
  rows: readonly Row[],
  sites: number,
  terms: Partial<SiteTerms> = {},
  processors = 1,
): ContractsMarket {
  return {
    sites: Array.from({ length: sites }, () => ({ ...TERMS, ...terms, processors })),
    broker: { preference: 'earliest', rounds: 'one by one', wait: null, rebids: 10 },
    tasks: tasksOf(rows),
    patience: units(5),
    claimCap: 100,
  }
}

async function after(market: ContractsMarket, options: SystemInit = {}, ...faults: readonly string[]) {
  const counts = new Map<string, number>()
  const billed: Time[] = []
  const plan = faults.map((fault) => parseFault(fault))
  const run = await contractsRun.run(market, { runtime: 'inline', rounds: 20_000, memoryMB: 4, ...options }, plan, {
    onSystem: (system) =>
      system.onDelivery(({ who, type }) => {
        counts.set(`${who} ${type}`, (counts.get(`${who} ${type}`) ?? 0) + 1)
        if (type === 'settled') billed.push(system.now)
      }),
  })
  return { ...run, counts, billed }
}

/** The problems of a run, which should be none: violations, crashes, and an end that is not idle. */
const wrongIn = ({ broken, crashes, end }: Awaited<ReturnType<typeof after>>) => [
  ...broken.map(({ property, text }) => `${property}: ${text}`),
  ...crashes,
  ...(end.ended === 'idle' ? [] : [end.ended]),
]

/** Without and with delays. With delays old mail meets new incarnations. */
const SETTINGS: readonly (readonly [terms: Partial<SiteTerms>, options: SystemInit])[] = [
  [{}, {}],
  [{ stale: 'renege', allowance: units(1.4) }, { network: { latency: units(0.5), jitter: units(0.2) } }],
]

for (const [name, victim, fates] of [
  ['the broker', 'broker@b', ['restart']],
  ['a site', 'site@s1', ['restart', 'kill']],
  ['a processor', 'processor@s1p1', ['restart', 'kill']],
  ['the client', 'client@c1', ['restart', 'kill']],
] as const) {
  test(`${name} may die after any message that it has handled`, async () => {
    let points = 0
    for (const [terms, options] of SETTINGS) {
      const market = marketOf(ROWS, 2, terms)
      const calm = await after(market, options)
      assert.equal(wrongIn(calm), [])
      for (const [key, count] of calm.counts) {
        const [who = '', type = ''] = key.split(' ')
        if (who !== victim) continue
        for (const n of sampled(Array.from({ length: count }, (_, i) => i + 1))) {
          for (const fate of fates) {
            const fault = `${fate} ${victim} after ${n} ${type}`
            assert.equal(wrongIn(await after(market, options, fault)), [], fault)
            points++
          }
        }
      }
    }
    assert.ok(points > sampled(Array(10)).length, String(points))
  })
}

const storyOf = ({ oracle }: Awaited<ReturnType<typeof after>>, task = 0): Partial<TaskRecord> =>
  oracle.ledger.tasks.get(task) ?? {}

const FCFS: Partial<SiteTerms> = { heuristic: { name: 'FCFS', alpha: 0, discount: 0 }, preempt: 0 }
const ONE: readonly Row[] = [[0, 10, 100, 2, null]]

test('the progress of a task is lost with its processor; it waits again, and the real finish determines the payment', async () => {
  const run = await after(marketOf(ONE, 1, FCFS), {}, 'kill processor@s1p1 at 6', 'restart processor@s1p1 at 20')
  assert.equal(wrongIn(run), [])
  const { failures, finish, promised, paid, site } = storyOf(run)
  // the processor is probed at 5 and 10, taken for dead at 15, and back at 20
  assert.equal([failures, finish, promised, paid, site], [1, units(30), units(10), 60, 's1'])
})

test('a preempted task continues although the confirmations of its processor are lost', async () => {
  const rows: readonly Row[] = [
    [0, 10, 100, 2, null],
    [6, 2, 100, 2, null],
  ]
  const market = marketOf(rows, 1, { heuristic: { name: 'SRPT', alpha: 0, discount: 0 }, allowance: units(2) })
  const slow: SystemInit = { network: { latency: units(1) } }
  // the answers to the abort at 10 and to the probe at 14 are lost, when nothing else is left to do
  const run = await after(
    market,
    slow,
    'partition s1 | s1p1 at 10.5 until 11.5',
    'partition s1 | s1p1 at 14.5 until 15.5',
  )
  assert.equal(wrongIn(run), [])
  const { preempted, failures, finish } = storyOf(run)
  assert.equal([preempted, failures, finish !== null], [1, 1, true])
})

test('promises do without a dead processor', async () => {
  const rows: readonly Row[] = [...ONE, [20, 10, 100, 2, null], [20, 10, 100, 2, null]]
  const calm = await after(marketOf(rows, 1, FCFS, 2))
  assert.equal(
    [1, 2].map((task) => storyOf(calm, task).promised),
    [units(30), units(30)],
  )
  const run = await after(marketOf(rows, 1, FCFS, 2), {}, 'kill processor@s1p1 at 3')
  assert.equal(wrongIn(run), [])
  assert.equal(
    [1, 2].map((task) => storyOf(run, task).promised),
    [units(30), units(40)],
  )
})

test('another site does the task of a dead site, and the client claims the difference', async () => {
  const run = await after(marketOf(ONE, 2, FCFS), {}, 'kill site@s1 at 6')
  assert.equal(wrongIn(run), [])
  const { site, finish, paid, deals = [] } = storyOf(run)
  // the site is queried at 5 and 10, and given up at 15
  assert.equal([site, finish, paid], ['s2', units(25), 70])
  assert.equal(
    deals.map(({ site, state, claim }) => [site, state, claim]),
    [
      ['s1', 'open', 30],
      ['s2', 'received', null],
    ],
  )
})

test('a claim is limited by the bound, or by the cap if there is no bound', async () => {
  for (const [bound, claim] of [
    [15, 115],
    [null, 200],
  ] as const) {
    const run = await after(marketOf([[0, 10, 100, 20, bound]], 2, FCFS), {}, 'kill site@s1 at 6')
    assert.equal(wrongIn(run), [])
    assert.is(storyOf(run).deals?.[0]?.claim, claim)
  }
})

test('a site that comes back too late stops its task and is not paid', async () => {
  const run = await after(
    marketOf(ONE, 2, FCFS),
    {},
    'kill site@s1 at 6',
    'kill processor@s1p1 at 6',
    'restart site@s1 at 23',
    'restart processor@s1p1 at 23',
  )
  assert.equal(wrongIn(run), [])
  const { site, paid, deals = [] } = storyOf(run)
  assert.equal([site, paid], ['s2', 70])
  assert.equal(
    deals.map(({ site, state, finish, claim }) => [site, state, finish, claim]),
    [
      ['s1', 'voided', null, 30],
      ['s2', 'received', units(25), null],
    ],
  )
})

test('a site that comes back and finishes first is paid, and the other site is not', async () => {
  const run = await after(marketOf(ONE, 2, FCFS), {}, 'kill site@s1 at 6', 'restart site@s1 at 22')
  assert.equal(wrongIn(run), [])
  const { site, finish, paid, deals = [] } = storyOf(run)
  // the processor of the first site had finished at 10
  assert.equal([site, finish, paid], ['s1', units(22), 76])
  assert.equal(
    deals.map(({ state, claim }) => [state, claim]),
    [
      ['received', null],
      ['voided', null],
    ],
  )
})

test('the highest claim for a task that no other site takes is dropped if the site finishes it after all', async () => {
  const gone = await after(marketOf(ONE, 1, FCFS), {}, 'kill site@s1 at 6')
  assert.equal(wrongIn(gone), [])
  assert.equal([storyOf(gone).paid, storyOf(gone).deals?.[0]?.claim], [null, 200])
  const back = await after(marketOf(ONE, 1, FCFS), {}, 'kill site@s1 at 6', 'restart site@s1 at 200')
  assert.equal(wrongIn(back), [])
  assert.equal([storyOf(back).paid, storyOf(back).deals?.[0]?.claim], [100 - 2 * 190, 0])
})

test('the tasks of a dead client are run, and their bills are kept until it is back', async () => {
  const run = await after(marketOf(ONE, 1, FCFS), {}, 'kill client@c1 at 6', 'restart client@c1 at 500')
  assert.equal(wrongIn(run), [])
  assert.equal([storyOf(run).finish, storyOf(run).paid], [units(10), 100])
})

test('a client that is back is billed at once, and then after short pauses again', async () => {
  const deaths = ['kill client@c1 at 6', 'restart client@c1 at 500']
  const atOnce = await after(marketOf(ONE, 1, FCFS), {}, ...deaths)
  assert.equal(atOnce.billed, [units(500)])
  // the pauses have grown: after the bill that is repeated at 645 the next would come at 1285
  const lost = ['partition c1 | s1 at 499 until 501', 'partition c1 | s1 at 644 until 646']
  const later = await after(marketOf(ONE, 1, FCFS), {}, ...deaths, ...lost)
  assert.equal([...wrongIn(later), later.billed], [[units(650)]])
})

test('a task begins again as soon as its processor is back', async () => {
  const run = await after(marketOf(ONE, 1, FCFS), {}, 'kill processor@s1p1 at 6', 'restart processor@s1p1 at 7')
  assert.equal([wrongIn(run), storyOf(run).finish], [[], units(17)])
})

test('with delays a task without competitors is done at the promised time', async () => {
  const market = marketOf(ONE, 1, { ...FCFS, allowance: units(2), stale: 'renege' })
  const run = await after(market, { network: { latency: units(1) } })
  assert.equal(wrongIn(run), [])
  // the bid comes at 2, the award at 4, and the messages to and from the processor take 2 more
  assert.equal([storyOf(run).promised, storyOf(run).finish, run.oracle.ledger.reneged], [units(16), units(16), 0])
})

test('if a promise fails while its award is on the way, the task is late (honour) or the site reneges', async () => {
  const rows: readonly Row[] = [
    [0, 10, 100, 2, null],
    [0, 10, 100, 2, null],
  ]
  const told = async (stale: SiteTerms['stale'], rebids: number) => {
    const { broker, ...market } = marketOf(rows, 1, { ...FCFS, allowance: units(2), stale })
    const parallel: ContractsMarket = { ...market, broker: { ...broker, rounds: 'all at once', rebids } }
    const run = await after(parallel, { network: { latency: units(1) } })
    assert.equal(wrongIn(run), [])
    return [run.oracle.ledger.reneged, storyOf(run, 1).promised, storyOf(run, 1).finish, storyOf(run, 1).paid]
  }
  assert.equal(await told('honour', 0), [0, units(16), units(28), 64])
  assert.equal(await told('renege', 0), [1, null, null, null])
  assert.equal(await told('renege', 1), [1, units(28), units(28), 64])
})

test('a site that has restarted reneges on its old offer, and the broker asks again', async () => {
  const slow: SystemInit = { network: { latency: units(1) } }
  const run = await after(marketOf(ONE, 1, { ...FCFS, allowance: units(2) }), slow, 'restart site@s1 after 1 bid')
  assert.equal(wrongIn(run), [])
  assert.equal([run.oracle.ledger.reneged, storyOf(run).paid !== null], [1, true])
})

test('a lost award is repeated, and the task is accepted once', async () => {
  const slow: SystemInit = { network: { latency: units(1) } }
  const fault = 'partition b | s1 at 2.5 until 3.5'
  const market = marketOf(ONE, 1, { ...FCFS, allowance: units(2) })
  const run = await after(market, slow, fault)
  assert.equal(wrongIn(run), [])
  assert.equal([run.counts.get('site@s1 award'), storyOf(run).deals?.length], [1, 1])
  const answer = await after(market, slow, 'partition b | s1 at 3.5 until 4.5')
  assert.equal(wrongIn(answer), [])
  assert.equal([answer.counts.get('site@s1 award'), storyOf(answer).deals?.length], [2, 1])
})

test.run()
