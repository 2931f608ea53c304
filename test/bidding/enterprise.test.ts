/** Enterprise's additions to the market, and the priority policies: small markets, task by task. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isPaid, POLICY_NAMES } from '../../actors/bidding/priority.ts'
import type { Terms } from '../../actors/bidding/terms.ts'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import { type Message, toUnits, units } from '../../lib/actor.ts'
import { isObject } from '../../lib/core/data.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { System } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import type { OwnedJob } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Protocol, termsOf } from '../../scenarios/bidding/model.ts'
import { checksOf, type MarketRun } from '../../scenarios/bidding/oracle.ts'
import { twiceIn } from '../mutants/trace-promises.ts'

type Given = Partial<Omit<OwnedJob, 'arrival' | 'work' | 'estimate'>> & { readonly estimate?: number }

/** Makes a task in units; its client is c1 by default. */
const task = (arrival: number, work: number, { estimate = work, ...more }: Given = {}): OwnedJob => ({
  id: `${arrival}`,
  arrival: units(arrival),
  work: units(work),
  estimate: units(estimate),
  client: 'c1',
  ...more,
})

interface Setting {
  readonly jobs: readonly OwnedJob[]
  readonly speeds?: readonly number[]
  readonly delay?: number
  readonly terms?: Partial<Terms>
  readonly faults?: readonly string[]
  readonly protocol?: Protocol
}

type Outcome = MarketRun & { readonly facts: readonly Message[]; readonly lines: readonly Line[] }

async function run(setting: Setting): Promise<Outcome> {
  const { jobs, speeds = [1], delay = 0, terms, faults = [], protocol = 'dsp' } = setting
  const clients = [...new Set(jobs.map(({ client }) => client))]
  const market = {
    protocol,
    speeds,
    jobs,
    clients,
    terms: termsOf(protocol, units(delay), { ties: 'index', ...terms }),
  }
  const facts: Message[] = []
  const lines: Line[] = []
  const onSystem = (system: System) => {
    system.onFact((fact) => facts.push(fact))
    system.onLine((line) => lines.push(line))
  }
  const done = await biddingMarket.run(
    market,
    { runtime: 'inline', network: { ...PERFECT_NETWORK, latency: units(delay) }, memoryMB: 16, trace: true },
    faults.map((fault) => parseFault(fault)),
    { onSystem },
  )
  assert.equal(twiceIn(lines), [])
  for (const { name, ok, measured } of checksOf(market, done, false)) assert.ok(ok, `${name}: ${measured}`)
  return { ...done, facts, lines }
}

/** The execution of every task with a result, as `machine start-finish`. */
const placesOf = ({ oracle: { ledger } }: MarketRun): string[] =>
  [...ledger.endings.values()]
    .sort((one, other) => one.task - other.task)
    .map(({ machine, start, finish }) => `${machine} ${toUnits(start)}-${toUnits(finish)}`)

/** The tasks in the order of their executions. */
const orderOf = ({ oracle: { ledger } }: Pick<MarketRun, 'oracle'>): number[] =>
  [...ledger.endings.values()].sort((one, other) => one.start - other.start).map(({ task: number }) => number)

const first = suite('the first bid')

first('wins at once, and a later bid that is enough better moves the task', async () => {
  const market = { speeds: [1, 4], delay: 5, jobs: [task(0, 40)] }
  assert.equal(placesOf(await run({ ...market, terms: { wait: 0 } })), ['m1 15-55'])
  assert.equal(placesOf(await run({ ...market, terms: { wait: 0, i0: 0.5 } })), ['m2 15-25'])
  assert.equal(placesOf(await run(market)), ['m2 15-25'], 'a client that waits for all bids needs no late ones')
})

first('is given up if its client does not answer, and the contractor tells of it', async () => {
  const terms = { clash: 'commit', timeout: units(3) } as const
  const { facts } = await run({ delay: 1, jobs: [task(0, 4)], terms, faults: ['kill client@c1 at 1.5'] })
  assert.equal(
    facts.filter(({ type }) => type === 'lapsed'),
    [{ type: 'lapsed', task: 0, attempt: 1, client: 'client@c1' }],
  )
})

first.run()

const local = suite('a client on a machine')
const home = { client: 'm1' }

local('gets the bid of its own machine first', async () => {
  const market = { speeds: [1, 1], delay: 5, jobs: [task(0, 40, home)], terms: { wait: 0 } }
  assert.equal(placesOf(await run(market)), ['m1 0-40'])
})

local('may delay the bid of its own machine until other bids have arrived', async () => {
  const market = { speeds: [1, 1], delay: 5, jobs: [task(0, 40, home)] }
  assert.equal(placesOf(await run({ ...market, terms: { wait: 0, localDelay: units(11) } })), ['m2 15-55'])
  assert.equal(placesOf(await run({ ...market, terms: { wait: 0, localDelay: units(9) } })), ['m1 9-49'])
})

local('may lengthen the time that its own machine promises, by a factor that grows with its tasks there', async () => {
  const jobs = [task(0, 40, home)]
  const market = { speeds: [1, 1], delay: 5, jobs }
  assert.equal(placesOf(await run(market)), ['m1 10-50'], 'a tie, by index')
  assert.equal(placesOf(await run({ ...market, terms: { localInflation: 1.2 } })), ['m2 15-55'])
  // alone, m1 looks like 16 against 20; with one task there already like 24
  const busy = { ...market, delay: 0, speeds: [4, 1], terms: { localInflation: 1.6, priority: 'fcfs' as const } }
  const eager = { ...busy, protocol: 'eager' as const, jobs: [task(0, 40, home), task(0, 20, home)] }
  assert.equal(placesOf(await run(eager)), ['m1 0-10', 'm2 0-20'])
})

local.run()

const cutoff = suite('a task that takes longer than estimated')

cutoff('is cut off and not restarted, and its machine continues', async () => {
  const jobs = [task(0, 40, { estimate: 8 }), task(1, 10)]
  const outcome = await run({ jobs, terms: { cutoff: 0.5 } })
  assert.equal(placesOf(outcome), ['m1 12-22'])
  assert.equal([...outcome.oracle.ledger.ended], [[0, 'cut off']])
  assert.is(toUnits(outcome.oracle.ledger.wasted.get('m1') ?? 0), 12)
})

cutoff('within the tolerance is not cut off', async () => {
  assert.equal(placesOf(await run({ jobs: [task(0, 12, { estimate: 8 })], terms: { cutoff: 0.5 } })), ['m1 0-12'])
})

cutoff('is cut off under every protocol', async () => {
  for (const protocol of ['eager', 'random'] as const) {
    const {
      oracle: { ledger },
    } = await run({ protocol, jobs: [task(0, 40, { estimate: 8 })], delay: 2, terms: { cutoff: 1 } })
    assert.equal([...ledger.ended.values()], ['cut off'], protocol)
  }
})

cutoff.run()

const files = suite('files')

files('make a machine that has loaded them the better one', async () => {
  const jobs = [task(0, 20, { files: ['a'] }), task(1, 5), task(40, 20, { files: ['a'] })]
  const outcome = await run({ speeds: [1, 1], jobs, terms: { loadTime: units(10) } })
  assert.equal(placesOf(outcome), ['m1 0-30', 'm2 1-6', 'm1 40-60'])
})

files('keep a task from a faster machine that lacks them', async () => {
  const jobs = [task(0, 20, { files: ['a', 'b'] }), task(1, 20), task(60, 20, { files: ['b', 'a'] })]
  // the first goes to m2, which is faster; m1 gets the second; the third stays where its files are
  const outcome = await run({ speeds: [1, 2], jobs, terms: { loadTime: units(6) } })
  assert.equal(placesOf(outcome), ['m2 0-22', 'm1 1-21', 'm2 60-70'])
})

files.run()

const eager = suite('eager assignment')

eager('keeps the order of equal tasks even if the first of them is bumped', async () => {
  const jobs = [task(0, 10, { estimate: 4 }), task(1, 6), task(2, 6)]
  const { oracle } = await run({ protocol: 'eager', jobs })
  assert.ok(oracle.ledger.bumps > 2)
  assert.equal(orderOf({ oracle }), [0, 1, 2])
})

eager('reports the next broken promise when a bumped task has started', async () => {
  const jobs = [task(0, 20, { estimate: 4 }), task(1, 8), task(2, 30)]
  const {
    oracle: { ledger },
    facts,
  } = await run({ protocol: 'eager', delay: 5, jobs })
  assert.is(ledger.endings.size, 3)
  const bumped = new Set(facts.flatMap(({ type, task: of }) => (type === 'bumped' ? [of] : [])))
  assert.equal([...bumped].sort(), [1, 2])
})

eager.run()

const once = suite('a task that may not be begun twice')
const fragile = { restartable: false }

once('ends without a result if its machine fails', async () => {
  const asking = { query: units(3), timeout: units(2) }
  const faults = ['kill @m1 at 4']
  const {
    oracle: { ledger },
  } = await run({ speeds: [4, 1], jobs: [task(0, 40, fragile), task(1, 5)], terms: asking, faults })
  assert.equal([...ledger.ended], [[0, 'not restartable']])
  assert.equal([...ledger.endings.keys()], [1])
})

once('is not moved to a late bidder', async () => {
  const jobs = [task(0, 40), task(1, 8), task(2, 20, fragile)]
  assert.equal(placesOf(await run({ speeds: [4, 1], jobs, terms: { i0: 0.5 } })).at(-1), 'm2 9-29')
})

once('stays where it is under eager, bumped or not, while another may move', async () => {
  const jobs = (more: Given) => [task(0, 40), task(1, 13, more), task(2, 11)]
  const market = { protocol: 'eager', speeds: [4, 1] } as const
  assert.is(placesOf(await run({ ...market, jobs: jobs({}) }))[1], 'm2 2-15')
  assert.is(placesOf(await run({ ...market, jobs: jobs(fragile) }))[1], 'm1 12.75-16')
})

once('is ended without a result by the next incarnation of its client', async () => {
  const faults = ['kill client@c1 at 4', 'restart client@c1 at 5']
  const {
    oracle: { ledger },
  } = await run({ jobs: [task(0, 40, fragile), task(1, 5)], faults })
  assert.equal([...ledger.ended], [[0, 'not restartable']])
  assert.equal([...ledger.endings.keys()], [1])
})

once('is ended once when its client dies again, and its machine stops it', async () => {
  const deaths = ['kill client@c1 at 4', 'restart client@c1 at 5', 'kill client@c1 at 8', 'restart client@c1 at 9']
  const { facts } = await run({ jobs: [task(0, 40, fragile), task(1, 5)], faults: deaths })
  const told = facts.flatMap(({ type, task }) => (task === 0 ? [type] : []))
  assert.is(told.filter((type) => type === 'ended').length, 1)
  assert.ok(told.includes('aborted'))
})

once.run()

const back = suite('a client that comes back')

back('announces a task again under a greater attempt, also at the instant of its arrival', async () => {
  const { facts } = await run({ jobs: [task(3, 10)], faults: ['restart client@c1 after 1 bid'] })
  const announced = facts.filter(({ type }) => type === 'announced')
  assert.equal(
    announced.map(({ attempt }) => attempt),
    [1, 2],
  )
})

back('its first announcement of a task needs no record, and a later one has one', async () => {
  const attempts = async (faults: readonly string[]) => {
    const { lines } = await run({ jobs: [task(0, 4)], terms: { query: units(1), timeout: units(1) }, faults })
    return lines.flatMap(({ t, record }) =>
      t === 'persist' && isObject(record) && record['type'] === 'announced' ? [record['attempt']] : [],
    )
  }
  assert.equal(await attempts([]), [])
  assert.equal(await attempts(['restart contractor@m1 at 2']), [2])
})

back.run()

const cancelled = suite('a machine whose cancelled task runs on')

cancelled('completes it, and the work is wasted', async () => {
  const jobs = [task(0, 40), task(1, 8), task(2, 20), task(11, 12)]
  const terms = { i0: 0.7 }
  const free = await run({ speeds: [4, 1], jobs, terms })
  assert.equal(placesOf(free), ['m1 0-10', 'm2 1-9', 'm1 10-15', 'm2 11-23'])
  const kept = await run({ speeds: [4, 1], jobs, terms: { ...terms, abort: false } })
  assert.equal(placesOf(kept), ['m1 0-10', 'm2 1-9', 'm1 10-15', 'm1 15-18'])
  assert.is(toUnits(kept.oracle.ledger.wasted.get('m2') ?? 0), 20)
})

cancelled.run()

const priorities = suite('the priority of a task')
/** One machine, busy until 50; the rest waits. */
const waiting = [
  task(0, 50),
  task(1, 30, { value: 7 }),
  task(2, 10, { value: 9 }),
  task(3, 20, { value: 8, client: 'c2' }),
]

priorities('is a policy of the client, under every protocol that ranks', async () => {
  const orders = { spt: [0, 2, 3, 1], lpt: [0, 1, 3, 2], fcfs: [0, 1, 2, 3], 'best-first': [0, 1, 3, 2] } as const
  for (const priority of ['spt', 'lpt', 'fcfs', 'best-first'] as const) {
    for (const protocol of ['dsp', 'eager'] as const) {
      const outcome = await run({ protocol, jobs: waiting, terms: { priority } })
      assert.equal(orderOf(outcome), orders[priority], `${priority} ${protocol}`)
    }
  }
})

priorities('costs points in no market but those of points', async () => {
  const income = { points: 10, period: units(1000) }
  for (const priority of POLICY_NAMES) {
    const { lines } = await run({ jobs: waiting, terms: { priority, income } })
    const spent = lines.some(({ record }) => isObject(record) && 'type' in record && record['type'] === 'spent')
    assert.is(spent, isPaid(priority), priority)
  }
})

priorities('may cost points, and a client without points comes last', async () => {
  const terms = { priority: 'points', income: { points: 10, period: units(1000) } } as const
  // c1 spends 7 and has 3 left for a task worth 9; c2 spends 8
  assert.equal(orderOf(await run({ jobs: waiting, terms })), [0, 3, 1, 2])
})

priorities('may earn points for the owner of a machine that works for others', async () => {
  const terms = { priority: 'incentive', income: { points: 10, period: units(1000) } } as const
  const jobs = [task(0, 10, { value: 6 }), task(20, 10, { value: 16, client: 'm1' }), task(21, 10, { value: 11 })]
  const { facts } = await run({ jobs: [...jobs, task(22, 10, { value: 15, client: 'm1' })], terms })
  const earned = facts.filter(({ type }) => type === 'earned')
  assert.equal(
    earned.map(({ task: number, points }) => [number, points]),
    [
      [0, 6],
      [2, 4],
    ],
  )
})

priorities('may cost points that were earned before', async () => {
  const terms = { priority: 'incentive', income: { points: 10, period: units(1000) } } as const
  const jobs = [task(0, 10, { value: 6 }), task(20, 10, { value: 6, client: 'm1' }), task(21, 10, { value: 11 })]
  // m1 has 10, earns 6 and spends 6, so it has 10 left for its last task; c1 has 4 left
  assert.equal(orderOf(await run({ jobs: [...jobs, task(22, 10, { value: 15, client: 'm1' })], terms })), [0, 1, 3, 2])
})

/** Another client pays 5, and c1 dies and comes back. */
const backAt11 = {
  terms: { priority: 'points', income: { points: 10, period: units(1000) } },
  faults: ['kill client@c1 at 10', 'restart client@c1 at 11'],
} as const
const theirs = (arrival: number) => [
  task(arrival, 50, { client: 'c2', value: 0 }),
  task(arrival + 2, 20, { client: 'c2', value: 5 }),
]

priorities('is paid for once, also if its client announces it again after a restart', async () => {
  assert.equal(orderOf(await run({ jobs: [...theirs(0), task(1, 30, { value: 6 })], ...backAt11 })), [0, 2, 1])
})

priorities('stays paid for if the task may not be begun again after a restart', async () => {
  const jobs = [...theirs(20), task(0, 50, { value: 6, ...fragile }), task(21, 30, { value: 6 })]
  // c1 has 4 points left
  assert.equal(orderOf(await run({ jobs, ...backAt11 })), [0, 1, 3])
})

priorities.run()
