/** Deaths at every point of a round, one after the other; and what becomes of money when a site is given up. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TaskRecord } from '../../actors/contracts/ledger.ts'
import type { SiteTerms } from '../../actors/contracts/terms.ts'
import { units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { Market } from '../../scenarios/contracts/model.ts'
import { runMarket } from '../../scenarios/contracts/one-run.ts'
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

function marketOf(rows: readonly Row[], sites: number, terms: Partial<SiteTerms> = {}, processors = 1): Market {
  return {
    sites: Array.from({ length: sites }, () => ({ ...TERMS, ...terms, processors })),
    broker: { preference: 'earliest', rounds: 'one by one', wait: null, rebids: 10 },
    tasks: tasksOf(rows),
    patience: units(5),
    claimCap: 100,
  }
}

async function after(market: Market, options: SystemInit = {}, ...faults: readonly string[]) {
  const counts = new Map<string, number>()
  const plan = faults.map((fault) => parseFault(fault))
  const run = await runMarket(market, { runtime: 'inline', rounds: 20_000, memoryMB: 4, ...options }, plan, {
    onSystem: (system) =>
      system.onDelivery(({ who, type }) => counts.set(`${who} ${type}`, (counts.get(`${who} ${type}`) ?? 0) + 1)),
  })
  return { ...run, counts }
}

/** What of a run is to be nothing. */
const wrongIn = ({ broken, crashes, end }: Awaited<ReturnType<typeof after>>) => [
  ...broken.map(({ property, text }) => `${property}: ${text}`),
  ...crashes,
  ...(end.ended === 'idle' ? [] : [end.ended]),
]

/** With delays, old mail meets new lives. */
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
        for (let n = 1; n <= count; n++) {
          for (const fate of fates) {
            const fault = `${fate} ${victim} after ${n} ${type}`
            assert.equal(wrongIn(await after(market, options, fault)), [], fault)
            points++
          }
        }
      }
    }
    assert.ok(points > 10, String(points))
  })
}

const storyOf = ({ ledger }: Awaited<ReturnType<typeof after>>, task = 0): Partial<TaskRecord> =>
  ledger.tasks.get(task) ?? {}

const FCFS: Partial<SiteTerms> = { heuristic: { name: 'FCFS', alpha: 0, discount: 0 }, preempt: 0 }
const ONE: readonly Row[] = [[0, 10, 100, 2, null]]

test('what a processor had run is lost with it; the task waits again, and is paid for what it is worth then', async () => {
  const run = await after(marketOf(ONE, 1, FCFS), {}, 'kill processor@s1p1 at 6', 'restart processor@s1p1 at 20')
  assert.equal(wrongIn(run), [])
  const { failures, finish, promised, paid, site } = storyOf(run)
  // asked at 5 and 10, given up at 15; back at 20
  assert.equal([failures, finish, promised, paid, site], [1, units(30), units(10), 60, 's1'])
})

test('a preempted task goes on, however often its processor is not heard to give it back', async () => {
  const rows: readonly Row[] = [
    [0, 10, 100, 2, null],
    [6, 2, 100, 2, null],
  ]
  const market = marketOf(rows, 1, { heuristic: { name: 'SRPT', alpha: 0, discount: 0 }, allowance: units(2) })
  const slow: SystemInit = { network: { latency: units(1) } }
  // the answer to the abort at 10 is lost, and that to the question at 14, when nothing else is left to do
  const run = await after(market, slow, 'cut s1 | s1p1 at 10.5 until 11.5', 'cut s1 | s1p1 at 14.5 until 15.5')
  assert.equal(wrongIn(run), [])
  const { preempted, failures, finish } = storyOf(run)
  assert.equal([preempted, failures, finish !== null], [1, 1, true])
})

test('while a processor is dead, what is promised has to do without it', async () => {
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

test('a site that does not come back: another does it, for what it is worth then, and the rest is claimed', async () => {
  const run = await after(marketOf(ONE, 2, FCFS), {}, 'kill site@s1 at 6')
  assert.equal(wrongIn(run), [])
  const { site, finish, paid, deals = [] } = storyOf(run)
  // asked at 5 and 10, given up at 15
  assert.equal([site, finish, paid], ['s2', units(25), 70])
  assert.equal(
    deals.map(({ site, state, claim }) => [site, state, claim]),
    [
      ['s1', 'open', 30],
      ['s2', 'received', null],
    ],
  )
})

test('no claim is beyond the bound, or the cap where there is none', async () => {
  for (const [bound, claim] of [
    [15, 115],
    [null, 200],
  ] as const) {
    const run = await after(marketOf([[0, 10, 100, 20, bound]], 2, FCFS), {}, 'kill site@s1 at 6')
    assert.equal(wrongIn(run), [])
    assert.is(storyOf(run).deals?.[0]?.claim, claim)
  }
})

test('a site that comes back too late is not paid, and stops what it was at', async () => {
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

test('if it is the first to be done after all, it is paid, and the other is not', async () => {
  const run = await after(marketOf(ONE, 2, FCFS), {}, 'kill site@s1 at 6', 'restart site@s1 at 22')
  assert.equal(wrongIn(run), [])
  const { site, finish, paid, deals = [] } = storyOf(run)
  // its processor was done at 10
  assert.equal([site, finish, paid], ['s1', units(22), 76])
  assert.equal(
    deals.map(({ state, claim }) => [state, claim]),
    [
      ['received', null],
      ['voided', null],
    ],
  )
})

test('if nobody else takes it all is claimed, until the site does it after all', async () => {
  const gone = await after(marketOf(ONE, 1, FCFS), {}, 'kill site@s1 at 6')
  assert.equal(wrongIn(gone), [])
  assert.equal([storyOf(gone).paid, storyOf(gone).deals?.[0]?.claim], [null, 200])
  const back = await after(marketOf(ONE, 1, FCFS), {}, 'kill site@s1 at 6', 'restart site@s1 at 200')
  assert.equal(wrongIn(back), [])
  assert.equal([storyOf(back).paid, storyOf(back).deals?.[0]?.claim], [100 - 2 * 190, 0])
})

test('the tasks of a client that is gone are run, and their settlement is kept until he is back', async () => {
  const run = await after(marketOf(ONE, 1, FCFS), {}, 'kill client@c1 at 6', 'restart client@c1 at 500')
  assert.equal(wrongIn(run), [])
  assert.equal([storyOf(run).finish, storyOf(run).paid], [units(10), 100])
})

test('with delays a task that nobody competes with is done when it was promised', async () => {
  const market = marketOf(ONE, 1, { ...FCFS, allowance: units(2), stale: 'renege' })
  const run = await after(market, { network: { latency: units(1) } })
  assert.equal(wrongIn(run), [])
  // asked after 2, awarded at 4; 2 more to the processor and back
  assert.equal([storyOf(run).promised, storyOf(run).finish, run.ledger.reneged], [units(16), units(16), 0])
})

test('a promise that came to nothing while its award was on the way is kept late, or the task goes elsewhere', async () => {
  const rows: readonly Row[] = [
    [0, 10, 100, 2, null],
    [0, 10, 100, 2, null],
  ]
  const told = async (stale: SiteTerms['stale'], rebids: number) => {
    const { broker, ...market } = marketOf(rows, 1, { ...FCFS, allowance: units(2), stale })
    const parallel: Market = { ...market, broker: { ...broker, rounds: 'all at once', rebids } }
    const run = await after(parallel, { network: { latency: units(1) } })
    assert.equal(wrongIn(run), [])
    return [run.ledger.reneged, storyOf(run, 1).promised, storyOf(run, 1).finish, storyOf(run, 1).paid]
  }
  assert.equal(await told('honour', 0), [0, units(16), units(28), 64])
  assert.equal(await told('renege', 0), [1, null, null, null])
  assert.equal(await told('renege', 1), [1, units(28), units(28), 64])
})

test('an offer is nothing any more to a site that has restarted; the broker asks anew', async () => {
  const slow: SystemInit = { network: { latency: units(1) } }
  const run = await after(marketOf(ONE, 1, { ...FCFS, allowance: units(2) }), slow, 'restart site@s1 after 1 bid')
  assert.equal(wrongIn(run), [])
  assert.equal([run.ledger.reneged, storyOf(run).paid !== null], [1, true])
})

test('an award that is lost is said again, and taken once', async () => {
  const slow: SystemInit = { network: { latency: units(1) } }
  const fault = 'cut b | s1 at 2.5 until 3.5'
  const market = marketOf(ONE, 1, { ...FCFS, allowance: units(2) })
  const run = await after(market, slow, fault)
  assert.equal(wrongIn(run), [])
  assert.equal([run.counts.get('site@s1 award'), storyOf(run).deals?.length], [1, 1])
  const answer = await after(market, slow, 'cut b | s1 at 3.5 until 4.5')
  assert.equal(wrongIn(answer), [])
  assert.equal([answer.counts.get('site@s1 award'), storyOf(answer).deals?.length], [2, 1])
})

test.run()
