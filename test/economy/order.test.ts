/** The order of starts and the reservations: random runs pass the checks, and each check is seen to fail. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SchedulerFact } from '../../actors/economy/messages.ts'
import { policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { keyedDraws } from '../../lib/core/random.ts'
import { units } from '../../lib/core/time.ts'
import type { Violation } from '../../lib/scenario/oracle.ts'
import type { Line } from '../../lib/trace/lines.ts'
import type { Economy } from '../../scenarios/economy/model.ts'
import { Order, type Rules } from '../../scenarios/economy/oracle/order.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { inOrder } from '../../scenarios/economy/workload/job.ts'
import { missedIn } from '../mutants/trace-promises.ts'
import { repeats } from '../repeats.ts'

const POLICIES = {
  FCFS: policyOf('FCFS'),
  RES: policyOf('RES'),
  'ECON/paper': policyOf('ECON', 'paper'),
  'ECON/literal': policyOf('ECON', 'literal'),
}

/** Sixty jobs on eight processors. Many of them arrive or end at one instant. */
function economyOf(seed: number, policy: keyof typeof POLICIES): Economy {
  const draw = keyedDraws(seed, 'order', 0)
  const below = (limit: number) => Math.floor(draw() * limit)
  const users = ['u1', 'u2', 'u3']
  const jobs = Array.from({ length: 60 }, () => ({
    user: users[below(3)] ?? 'u1',
    class: ([1, 2, 3] as const)[below(3)] ?? 1,
    arrival: units(below(150)),
    processors: 1 + below(8),
    service: units(1 + below(12)),
    deposit: below(3) === 0 ? below(50) : 0,
  }))
  const holder = { savings: 200, cap: 300, coefficients: [0.5, 0.3, 0.2] as const, targets: null }
  return {
    processors: 8,
    policy: POLICIES[policy],
    market: policy.startsWith('ECON') ? { sharing: STANDARD_SHARING, statistics: null } : null,
    users: Object.fromEntries(users.map((user, i) => [user, { ...holder, income: 10 * i }])),
    jobs: inOrder(jobs),
    patience: null,
    durable: false,
    overrun: null,
  }
}

const NETWORKS = [{}, { latency: units(0.7), jitter: units(0.3) }]

test('no policy violates its order of starts, with and without delays', async () => {
  for (const policy of ['FCFS', 'RES', 'ECON/paper', 'ECON/literal'] as const) {
    for (const network of NETWORKS) {
      for (let seed = 1; seed <= repeats(4); seed++) {
        const {
          broken,
          oracle: { ledger },
        } = await economyRun.run(economyOf(seed, policy), { runtime: 'inline', seed, network })
        assert.equal(broken, [], `${policy}, seed ${seed}`)
        assert.is([...ledger.jobs.values()].filter(({ isHeard }) => isHeard).length, 60)
      }
    }
  }
})

const at = (minutes: number, fact: SchedulerFact) => ({ at: units(minutes), fact })

const accepted = (minutes: number, job: number, processors: number, service: number) => {
  const request = { job, class: 1, processors, service: units(service), work: units(service), deposit: 0 } as const
  return at(minutes, { type: 'accepted', user: 'u1', arrival: units(minutes), request })
}

const started = (minutes: number, job: number) => {
  const rest = { kind: 'direct' as const, decided: 0, wasted: 0, price: 0, paid: 0, processors: [] }
  return at(minutes, { type: 'started', user: 'u1', job, attempt: 1, ...rest })
}

const ended = (minutes: number, job: number) =>
  at(minutes, { type: 'ended', user: 'u1', job, attempt: 1, why: 'finished' })

type Promise = readonly [job: number, start: number]

const passed = (
  minutes: number,
  reserved?: Promise,
  starts: readonly number[] = [],
  skipped: readonly number[] = [],
) => {
  const reservation = reserved ? { job: reserved[0], start: units(reserved[1]) } : null
  return at(minutes, { type: 'passed', reservation, starts, skipped })
}

/** The violations in these facts of four processors. */
function said(policy: keyof typeof POLICIES, facts: readonly ReturnType<typeof at>[], rules: Partial<Rules> = {}) {
  const broken: Violation[] = []
  const all = { processors: 4, policy: POLICIES[policy], isExact: true, ...rules }
  const order = new Order(all, broken)
  for (const { fact, at } of facts) order.fold(fact, at)
  return broken.map(({ property }) => property)
}

/** Job 0 has three of four processors until 10; job 1 needs four and has a reservation for then. */
const PROMISED = [accepted(0, 0, 3, 10), started(0, 0), accepted(1, 1, 4, 5), passed(1, [1, 10])]

test('without faults the bank answers in time, and no timer fires that waits for it', async () => {
  for (const policy of ['ECON/paper', 'ECON/literal'] as const) {
    const lines: Line[] = []
    const economy = { ...economyOf(1, policy), patience: units(5) }
    const how = { runtime: 'inline', network: { latency: units(1) }, trace: true } as const
    await economyRun.run(economy, how, [], { onSystem: (system) => system.onLine((line) => lines.push(line)) })
    assert.equal(missedIn(lines), [], policy)
  }
})

test('FCFS starts in order of arrival', () => {
  const facts = [accepted(0, 0, 4, 10), accepted(0, 1, 4, 10)]
  assert.equal(said('FCFS', [...facts, started(0, 0)]), [])
  assert.equal(said('FCFS', [...facts, started(0, 1)]), ['FCFS starts in order of arrival'])
})

test('a reserved job starts at the promised time', () => {
  assert.equal(said('RES', [...PROMISED, ended(10, 0), passed(10, undefined, [1])]), [])
  const late = said('RES', [...PROMISED, ended(11, 0), passed(11, undefined, [1])])
  assert.equal(late, ['a reserved job starts at the promised time'])
  const moved = 'a reservation that is kept does not move'
  for (const policy of ['RES', 'ECON/literal'] as const) {
    assert.ok(said(policy, [...PROMISED, passed(2, [1, 12])]).includes(moved))
    assert.ok(said(policy, [...PROMISED, passed(2, [1, 9])]).includes(moved))
  }
  assert.ok(said('ECON/literal', [...PROMISED, passed(2)]).includes(moved))
  assert.equal(
    said('RES', [...PROMISED, passed(2, [1, 12])])[0],
    'under RES the start of a reservation never moves later',
  )
})

test('backfill does not move a reservation', () => {
  const longer = [...PROMISED, accepted(2, 2, 1, 9)]
  assert.equal(said('RES', [...longer, passed(2, [1, 10])]), [])
  assert.equal(said('RES', [...longer, passed(2, [1, 10], [2])]), ['backfill does not move the reservation'])
})

test('the preset paper may drop a reservation when a job ends, and not before', () => {
  const facts = [accepted(0, 3, 1, 3), started(0, 3), ...PROMISED, accepted(2, 2, 2, 20)]
  assert.equal(said('ECON/paper', [...facts, ended(3, 3), passed(3, [2, 10])]), [])
  assert.equal(said('ECON/paper', [...facts, passed(3, [2, 10])]), ['a reservation that is kept does not move'])
})

test('no job waits that could start', () => {
  const waits = 'no job waits that could start'
  assert.equal(said('RES', [...PROMISED, accepted(2, 2, 1, 9), passed(2, [1, 10])]), [])
  const short = [...PROMISED, accepted(2, 2, 1, 8)]
  assert.equal(said('RES', [...short, passed(2, [1, 10])]), [waits])
  assert.equal(said('RES', [...short, passed(2, [1, 10], [], [2])]), [])
  assert.equal(said('RES', [...short, passed(2, [1, 10], [2])]), [])
  const three = [accepted(0, 0, 3, 10), started(0, 0), accepted(1, 1, 3, 5)]
  assert.equal(said('RES', [...three, accepted(2, 2, 1, 90), passed(2, [1, 10])]), [waits])
  assert.equal(said('RES', [...three, accepted(2, 2, 1, 9), passed(2)]), [waits])
  assert.equal(said('FCFS', [...three, accepted(2, 2, 1, 8), passed(2)]), [])
  assert.equal(said('FCFS', [accepted(0, 0, 3, 10), started(0, 0), accepted(1, 1, 1, 5), passed(1)]), [waits])
})

test('no job waits for an idle machine, and no more processors are used than the machine has', () => {
  const idle = 'the machine is not idle while a job waits'
  assert.ok(said('RES', [accepted(0, 0, 2, 5), passed(0)]).includes(idle))
  const full = [accepted(0, 0, 3, 5), accepted(0, 1, 3, 5), passed(0, undefined, [0, 1])]
  assert.equal(said('RES', full), ['no more processors are used than the machine has'])
})

test.run()
