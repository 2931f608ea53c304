/** Random runs compared with a simulator of one plain loop, job by job and dollar by dollar. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { futureOf, policyOf, type Sharing } from '../../actors/economy/terms.ts'
import { keyedDraws } from '../../lib/core/random.ts'
import { units } from '../../lib/core/time.ts'
import type { Economy } from '../../scenarios/economy/model.ts'
import { TARGETS } from '../../scenarios/economy/paper/figure-6.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import type { Point } from '../../scenarios/economy/study/point.ts'
import { inOrder } from '../../scenarios/economy/workload/job.ts'
import { repeats, sampled } from '../repeats.ts'
import { Simulator } from './reference/simulator.ts'
import { READINGS, smallEconomy } from './small/runs.ts'

/** Minutes of arrivals of the paper's workload. */
const SPAN = 5000

/** A few dozen jobs on a small machine: some arrive together, some are too wide, some users adapt. */
function economyOf(seed: number): Economy {
  const draw = keyedDraws(seed, 'reference', 0)
  const below = (limit: number) => Math.floor(draw() * limit)
  const oneOf = <T>(first: T, ...more: readonly T[]): T => [first, ...more][below(1 + more.length)] ?? first
  const processors = oneOf(1, 2, 3, 4, 6, 8)
  const users = ['u1', 'u2', 'u3', 'u4'].slice(0, 1 + below(4))
  const span = oneOf(20, 60, 200)
  /** All times are multiples of this part of a minute. */
  const parts = oneOf(1, 4, 1000)
  const minutes = (limit: number) => units(below(limit * parts) / parts)
  const widest = () => oneOf(processors, Math.ceil(processors / 2), Math.ceil(processors / 2))
  const jobs = inOrder(
    Array.from({ length: 10 + below(40) }, () => ({
      user: oneOf('u1', ...users.slice(1)),
      class: oneOf(1, 2, 3),
      arrival: minutes(span),
      processors: below(30) === 0 ? processors + 1 : 1 + below(widest()),
      service: units(0.5) + minutes(20),
      deposit: below(3) === 0 ? below(80) : 0,
    })),
  )
  const name = oneOf('ECON', 'ECON', 'ECON', 'ECON', 'RES', 'FCFS')
  const isSteered = below(2) === 0
  const statistics = { every: units(oneOf(7, 20, 50)), until: units(span) }
  const sharing = { rates: oneOf<Sharing['rates']>('weighted', 'unweighted'), running: below(3) === 0 }
  // an offer with income to come would depend on the order of updates within an instant
  const future = !isSteered && below(2) === 0 ? futureOf(sharing) : null
  return {
    processors,
    jobs,
    policy: policyOf(name, oneOf('paper', 'literal'), name === 'ECON' ? { future, waste: below(4) > 0 } : {}),
    market: name === 'ECON' ? { sharing, statistics: isSteered ? statistics : null } : null,
    users: Object.fromEntries(
      users.map((user) => {
        const money = { income: oneOf(0, 1, 5, 17.3, 100), savings: below(300), cap: oneOf(10, 100, 1e6) }
        const coefficients = oneOf([1, 1, 1] as const, [5, 3, 2] as const, [1, 2, 7] as const)
        return [user, { ...money, coefficients, targets: oneOf(null, [1, 2, 2] as const, [3, 1, 1] as const) }]
      }),
    ),
    patience: null,
    durable: false,
    overrun: null,
  }
}

const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other))

const near = (one: number, other: number, what: string) =>
  assert.ok(isNear(one, other), `${what}: ${one}, expected ${other}`)

/** Counts of the comparison: how jobs started, and how often coefficients were updated. */
async function compared(economy: Economy, seed: number, engine: 'shadow' | 'compiled') {
  const seen = { direct: 0, reserved: 0, backfill: 0, refused: 0, updates: 0 }
  const isPaid = economy.market !== null
  const simulator = new Simulator(economy)
  simulator.run()
  const {
    broken,
    crashes,
    oracle: { ledger, money },
  } = await economyRun.run(economy, { runtime: 'inline', engine, seed })
  assert.equal([...broken, ...crashes], [], `seed ${seed}`)
  for (const { id } of economy.jobs) {
    const what = `seed ${seed}, job ${id}`
    const { started, end } = ledger.jobs.get(id) ?? {}
    const theirs = simulator.outcomes.get(id)
    if (!theirs || !started) {
      assert.equal([end?.why, theirs, started], ['refused', undefined, null], what)
      seen.refused++
      continue
    }
    const { at: start, kind, decided, wasted, price, paid } = started
    const { price: theirPrice, paid: theirPaid, later, ...exact } = theirs
    assert.equal({ start, finish: end?.at, kind, decided, wasted }, exact, what)
    seen[kind]++
    if (!isPaid) continue
    near(price, theirPrice, `${what}: price`)
    near(paid, theirPaid, `${what}: paid`)
    near(money.paidBy(id), theirPaid + later, `${what}: paid in all`)
  }
  if (isPaid) for (const [user, { paid }] of simulator.users) near(money.users.get(user)?.paid ?? 0, paid, user)
  seen.updates = simulator.updates
  return seen
}

/** The seeds of the full run. */
const ALL = 60

test('every job starts, ends and pays as in a simulator that is one plain loop', async () => {
  const all = { direct: 0, reserved: 0, backfill: 0, refused: 0, updates: 0 }
  const seeds = repeats(ALL)
  for (let seed = 1; seed <= seeds; seed++) {
    const seen = await compared(economyOf(seed), seed, 'shadow')
    for (const what of ['direct', 'reserved', 'backfill', 'refused', 'updates'] as const) all[what] += seen[what]
  }
  for (const [what, count] of Object.entries(all))
    assert.ok(count > (seeds < ALL ? seeds / 2 : 50), `${what}: ${count}`)
})

const ROWS: readonly (readonly [figure: string, row: Partial<Point>])[] = [
  ['figure 3, RES', { policy: 'RES' }],
  ['figure 3, FCFS', { policy: 'FCFS' }],
  ['figure 3, literal', { preset: 'literal' }],
  ['figure 5, half the income', { income1: 50 }],
  ['figure 5, twice the income', { income1: 200 }],
  ...READINGS.map(({ preset, rates }) => {
    return [`figure 6, ${preset}, ${rates}`, { preset, rates, targets: TARGETS['1:1:2'] }] as const
  }),
]

for (const [figure, row] of sampled(ROWS)) {
  test(`every job of the paper's workload at load 0.9 starts, ends and pays as in the simulator (${figure})`, async () => {
    const { direct, reserved, backfill, updates } = await compared(
      smallEconomy({ seed: 5, span: SPAN, ...row }),
      5,
      'compiled',
    )
    assert.ok(direct + reserved + backfill > 200)
    if (row.targets) assert.ok(updates >= 2, `${updates} updates`)
  })
}

test.run()
