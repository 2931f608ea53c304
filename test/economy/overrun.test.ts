/** Jobs that need more time than declared buy it while savings last, at the price of equation 2. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { open, post } from '../../actors/economy/accounts.ts'
import { bankBookOf, bookingsOf } from '../../actors/economy/bank-book.ts'
import { EQUAL } from '../../actors/economy/coefficients.ts'
import { books, type Entry } from '../../actors/economy/scheduler-book.ts'
import { policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { Economy } from '../../scenarios/economy/model.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import type { EconomyJob } from '../../scenarios/economy/workload/job.ts'

const job = (id: number, user: string, arrival: number, processors: number, service: number): EconomyJob => ({
  id,
  user,
  class: 1,
  arrival: units(arrival),
  processors,
  service: units(service),
  deposit: 0,
})

const LONG: EconomyJob = { ...job(0, 'u1', 0, 2, 10), actual: units(25), deposit: 40 }
const OTHER: EconomyJob = { ...job(1, 'u2', 4, 3, 10), deposit: 90 }

interface Given {
  /** The savings of u1 at time 0. */
  readonly savings: number
  readonly jobs?: readonly EconomyJob[]
  readonly grace?: number
}

const economyOf = ({ savings, jobs = [LONG, OTHER], grace = 0 }: Given): Economy => ({
  processors: 3,
  policy: policyOf('ECON'),
  market: { sharing: STANDARD_SHARING, statistics: null },
  users: {
    u1: { income: 2, savings, cap: 1000, coefficients: EQUAL, targets: null },
    u2: { income: 0, savings: 90, cap: 1000, coefficients: EQUAL, targets: null },
  },
  jobs,
  patience: null,
  durable: false,
  overrun: { lasts: units(5), alpha: 0.1, grace: units(grace) },
})

/**
 * Job 0 starts at once with its deposit of 40 for 2 * 10 processor-minutes: the mean price so far is 2. Job 1 comes at 4 and
 * would make one idle processor wait for 6 minutes: it offers 90 / (3 * 10 + 6) = 2.5, the best offer. So five minutes
 * cost 2 + (2.5 - 2) * exp(-0.1 * 5) per processor-minute, times 2 * 5. From then on job 1 would make it wait for 5.
 */
const PIECE = 10 * (2 + 0.5 * 0.6065306597126334)
const LATER = 10 * (2 + (90 / 35 - 2) * 0.6065306597126334)

const isNear = (one: number, other: number) =>
  assert.ok(Math.abs(one - other) < 1e-9, `${one}, expected about ${other}`)

for (const runtime of ['inline', 'threads'] as const) {
  test(`a job that can pay continues, and pays for every piece (${runtime})`, async () => {
    const run = await economyRun.run(economyOf({ savings: 70 }), { runtime })
    const { ledger, money } = run.oracle
    assert.equal(ledger.broken, [])
    const story = ledger.jobs.get(0)
    assert.equal(story?.end, { at: units(25), why: 'finished' })
    isNear(money.paidBy(0), 40 + PIECE + 2 * LATER)
    // until 25 u1 has received 2 a minute and saved all of it, because its only job ran
    isNear(money.users.get('u1')?.savings ?? 0, 70 - 40 + 2 * 25 - PIECE - 2 * LATER)
    const other = ledger.jobs.get(1)
    assert.is(other?.started?.at, units(25))
    // job 1 is chosen again then, when no processor waits for it
    assert.is(other?.started?.wasted, 0)
    assert.is(other?.started?.price, 3)
  })

  test(`a job that cannot pay for the next piece is stopped after the last one, and its user keeps the savings (${runtime})`, async () => {
    const run = await economyRun.run(economyOf({ savings: 50 }), { runtime })
    const { ledger, money } = run.oracle
    assert.equal(ledger.broken, [])
    // the savings at 10 are 50 - 40 + 20; at 15, after the first piece and 10 more, they are less than another piece costs
    assert.equal(ledger.jobs.get(0)?.end, { at: units(15), why: 'overrun' })
    isNear(money.paidBy(0), 40 + PIECE)
    isNear(money.users.get('u1')?.savings ?? 0, 10 + 2 * 15 - PIECE)
    assert.is(ledger.jobs.get(1)?.started?.at, units(15))
    assert.ok([...ledger.jobs.values()].every(({ isHeard }) => isHeard))
  })
}

test('a job without savings is stopped at the end of the declared time', async () => {
  const {
    oracle: { ledger, money },
  } = await economyRun.run(economyOf({ savings: 40, jobs: [LONG, OTHER] }), { runtime: 'inline' })
  // 20 came in since: less than a piece costs
  assert.equal(ledger.jobs.get(0)?.end, { at: units(10), why: 'overrun' })
  assert.is(money.paidBy(0), 40)
})

const THIRD: EconomyJob = { ...job(2, 'u2', 8, 3, 20), deposit: 0 }

test('the best offer is that of all waiting jobs, also of those that the pass did not consider', async () => {
  // job 2 comes at 8 and does not fit, job 1 has its reservation: 90 / (3 * 10 + 2)
  const piece = 10 * (2 + (90 / 32 - 2) * Math.exp(-0.5))
  const jobs = [{ ...LONG, actual: units(15) }, OTHER, THIRD]
  const {
    oracle: { money },
  } = await economyRun.run(economyOf({ savings: 70, jobs }), { runtime: 'inline' })
  isNear(money.paidBy(0), 40 + piece)
})

test('waiting jobs make offers on a full machine, too', async () => {
  const wide: EconomyJob = { ...job(0, 'u1', 0, 3, 10), actual: units(15), deposit: 60 }
  const {
    oracle: { money },
  } = await economyRun.run(economyOf({ savings: 200, jobs: [wide, OTHER] }), { runtime: 'inline' })
  isNear(money.paidBy(0), 60 + 15 * (2 + (90 / 30 - 2) * Math.exp(-0.5)))
})

test('without waiting jobs there is no offer', async () => {
  // p2 and p3 die at 5: the job on them, and job 1, which waits for all three, are refused
  const narrow: EconomyJob = { ...job(0, 'u1', 0, 1, 10), actual: units(15), deposit: 20 }
  const doomed: EconomyJob = { ...job(2, 'u2', 0, 2, 30), deposit: 10 }
  const given = economyOf({ savings: 70, jobs: [narrow, doomed, { ...OTHER, deposit: 80 }] })
  const economy = { ...given, patience: units(2), durable: true }
  const deaths = ['kill processor@p2 at 5', 'kill processor@p3 at 5'].map((text) => parseFault(text))
  const {
    oracle: { ledger, money },
  } = await economyRun.run(economy, { runtime: 'inline' }, deaths)
  assert.equal(
    [1, 2].map((id) => ledger.jobs.get(id)?.end?.why),
    ['refused', 'refused'],
  )
  isNear(money.paidBy(0), 20 + 5 * (2 + (0 - 2) * 0.6065306597126334))
})

test('a job without an account gets no time beyond the declared', async () => {
  // the bank is dead when the job comes, and hears of its charge before it hears of its submission
  const given = economyOf({ savings: 0, jobs: [{ ...job(0, 'u1', 10, 1, 5), actual: units(50) }], grace: 2 })
  const economy = { ...given, policy: policyOf('RES'), patience: units(6), durable: true }
  const deaths = ['kill bank@hub at 8', 'restart bank@hub at 30'].map((text) => parseFault(text))
  const far = { runtime: 'inline', network: { latency: units(1) } } as const
  const {
    broken,
    oracle: { ledger, money },
  } = await economyRun.run(economy, far, deaths)
  assert.equal(broken, [])
  assert.is(ledger.jobs.get(0)?.end?.why, 'overrun')
  assert.is(money.paidBy(0), 0)
})

test('extra time is declined for a job without an account, and for an unknown user', () => {
  const account = open({ income: 0, savings: 30, cap: 100, coefficients: EQUAL })
  assert.equal(post(account, { type: 'extend', job: 0, cost: 1 }, STANDARD_SHARING), [account, null])
  const act = { type: 'extend', job: 0, user: 'u9', cost: 1 } as const
  const entry = { type: 'instructed', at: 0, instruct: { n: 1, since: 1, act } } as const
  const bookings = bookingsOf(bankBookOf({}, STANDARD_SHARING), entry)
  assert.equal(bookings, [{ user: 'u9', posting: act, amount: null, account: null }])
})

test('extra time may cost all savings, and not a cent more', () => {
  const account = open({ income: 0, savings: 30, cap: 100, coefficients: EQUAL })
  const [held] = post(account, { type: 'opened', job: 0, class: 1, work: 20, deposit: 0 }, STANDARD_SHARING)
  const extended = (cost: number) => post(held, { type: 'extend', job: 0, cost }, STANDARD_SHARING)
  const [spent, moved] = extended(30)
  assert.equal([moved, spent.savings, spent.paid], [30, 0, 30])
  assert.equal(extended(30.01), [held, null])
})

test('refunded time does not count as sold', () => {
  const request = { job: 0, class: 1, processors: 2, service: units(10), work: units(10), deposit: 0 } as const
  const start = { job: 0, kind: 'direct', decided: 0, wasted: 0, price: 2, paid: 40 } as const
  const entries: readonly Entry[] = [
    { type: 'submitted', job: { ...request, user: 'u1', arrival: 0, attempt: 1 } },
    { type: 'started', start, on: [0, 1], at: 0 },
    { type: 'failed', job: 0 },
  ]
  assert.equal(books.recover(entries.slice(0, 2)).sold, { money: 40, work: 20 })
  assert.equal(books.recover(entries).sold, { money: 0, work: 0 })
})

test('when a reservation slips, a job that now fits before it starts', async () => {
  // at 8 they would have lasted until 13, and the reservation was for 10
  const short = job(2, 'u2', 8, 1, 5)
  const jobs = [LONG, OTHER, short]
  for (const policy of ['ECON', 'RES'] as const) {
    const market = policy === 'ECON' ? economyOf({ savings: 70 }).market : null
    const economy = { ...economyOf({ savings: 70, jobs }), policy: policyOf(policy), market }
    const {
      oracle: { ledger },
    } = await economyRun.run(economy, { runtime: 'inline' })
    assert.equal(ledger.broken, [])
    assert.is(ledger.jobs.get(2)?.started?.at, units(10), policy)
  }
})

test('a job that takes what it declares, or less, pays nothing more', async () => {
  for (const actual of [10, 7]) {
    const jobs = [{ ...LONG, actual: units(actual) }, OTHER]
    const {
      oracle: { ledger, money },
    } = await economyRun.run(economyOf({ savings: 70, jobs }), { runtime: 'inline' })
    assert.equal(ledger.jobs.get(0)?.end, { at: units(actual), why: 'finished' })
    assert.is(money.paidBy(0), 40)
  }
})

test('with delays no user pays for the time until the end of a job is known', async () => {
  const network = { latency: units(2) }
  const jobs = [{ ...LONG, actual: units(10) }]
  const paidWith = async (grace: number) => {
    const {
      oracle: { ledger, money },
    } = await economyRun.run(economyOf({ savings: 70, jobs, grace }), { runtime: 'inline', network })
    assert.is(ledger.jobs.get(0)?.end?.why, 'finished')
    return money.paidBy(0)
  }
  assert.is(await paidWith(4), 40)
  assert.ok((await paidWith(0)) > 40)
})

test('under FCFS extra time is free', async () => {
  const economy = { ...economyOf({ savings: 50 }), policy: policyOf('FCFS'), market: null }
  const {
    oracle: { ledger },
  } = await economyRun.run(economy, { runtime: 'inline' })
  assert.equal(ledger.broken, [])
  assert.equal(ledger.jobs.get(0)?.end, { at: units(25), why: 'finished' })
  assert.is(ledger.jobs.get(1)?.started?.at, units(25))
})

test.run()
