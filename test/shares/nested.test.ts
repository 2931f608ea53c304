/** Currencies that hold each other, across machines: the values of jobs are computed from messages alone. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Time } from '../../lib/actor.ts'
import { keyed } from '../../lib/core/random.ts'
import { units } from '../../lib/core/time.ts'
import { type Fault, parseFault } from '../../lib/scenario/faults.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { runs, type Said } from '../../scenarios/shares/model.ts'
import { network, PROTOCOL_RUNTIMES } from '../system/harness.ts'
import { COOPERATING, PERIOD } from './figure-4.ts'

const issues = (machine: string, currency: string, amount: number, holder: string, at: Time = 0): Said => ({
  at,
  user: `user@${machine}`,
  to: `ticket-server@${machine}`,
  message: { type: 'issue', ticket: `${currency}>${holder}`, currency, amount, holder },
})
const job = (name: string, machine: string, currency: string, amount: number, at: Time = 0): Said =>
  runs(name, machine, { currency, amount, at })

/** The base tickets of every job at the end, and the orders that were refused. */
async function valuesOf(
  machines: number,
  funding: Readonly<Record<string, number>>,
  orders: readonly Said[],
  runtime: (typeof PROTOCOL_RUNTIMES)[number],
  { until, faults }: { until: Time; faults?: readonly Fault[] },
) {
  const cluster = { machines, sharing: { ...COOPERATING, funding }, orders, until }
  const options = { runtime, memoryMB: 8, actors: 31, network: network(1) }
  const { crashes, broken, oracle } = await sharesCluster.run(cluster, options, faults)
  assert.equal([crashes, broken], [[], []])
  const { refusals, tickets } = oracle
  return { refusals, values: Object.fromEntries([...tickets.values()].flatMap(Object.entries<number>)) }
}

/** Two users fund a project from different machines; all its jobs and theirs are on different ones. */
const PROJECT: readonly Said[] = [
  issues('m1', 'alice', 300, 'proj'),
  issues('m2', 'bob', 10, 'proj'),
  job('a1', 'm1', 'alice', 100),
  job('b1', 'm2', 'bob', 30),
  job('p1', 'm3', 'proj', 2, units(2500)),
  job('p2', 'm4', 'proj', 5, units(2500)),
]
const PURSES = { alice: 200, bob: 100 }

for (const runtime of PROTOCOL_RUNTIMES) {
  test(`a project that two users fund is worth what they give, wherever its jobs run (${runtime})`, async () => {
    const { values, refusals } = await valuesOf(4, PURSES, PROJECT, runtime, { until: units(6500) })
    assert.equal(refusals, [])
    assert.equal(values, { a1: 50, b1: 75, p1: 50, p2: 125 })
  })

  test(`a project's jobs are worth something on a machine whose ticket server is dead, and everything once it is back (${runtime})`, async () => {
    const kill = parseFault('kill ticket-server@m4 at 6500')
    const dead = await valuesOf(4, PURSES, PROJECT, runtime, { until: units(12500), faults: [kill] })
    // p2 alone has all of proj, which holds all tickets that alice and bob back it with
    assert.equal(dead.values['p2'], 300)
    const faults = [kill, parseFault('restart ticket-server@m4 at 10200')]
    const back = await valuesOf(4, PURSES, PROJECT, runtime, { until: units(12500), faults })
    assert.equal(back.values, { a1: 50, b1: 75, p1: 50, p2: 125 })
  })

  test(`a job in a currency that nothing backs is refused with the reason (${runtime})`, async () => {
    const orders = [job('x', 'm1', 'nobody', 1), job('y', 'm1', 'alice', -1), issues('m1', 'alice', 0, 'proj')]
    const { refusals } = await valuesOf(1, PURSES, orders, runtime, { until: PERIOD })
    assert.equal(refusals, [
      'm1: x: unknown currency nobody',
      'm1: y: tickets must be more than 0, not -1',
      'm1: alice>proj: tickets must be more than 0, not 0',
    ])
  })
}

/** A random cluster with a job for every currency: users, currencies that hold tickets of earlier ones, jobs. */
function randomCluster(seed: number) {
  let n = 0
  const below = (limit: number) => Math.floor(keyed(seed, 'cluster', n++) * limit)
  const machines = 2 + below(4)
  const machine = () => `m${1 + below(machines)}`
  const users = Array.from({ length: 1 + below(4) }, (_, i) => `u${i}`)
  const nested = Array.from({ length: below(4) }, (_, i) => `n${i}`)
  const funding = Object.fromEntries(users.map((user) => [user, 1 + below(300)]))
  const backing = nested.flatMap((holder, i) => {
    const earlier = [...users, ...nested.slice(0, i)]
    // one server issues all tickets, so it knows at once which tickets each currency holds
    return earlier
      .filter((_, k) => k === i % earlier.length || below(2) === 0)
      .map((currency) => issues('m1', currency, 1 + below(50), holder))
  })
  const jobs = [...users, ...nested].flatMap((currency) =>
    Array.from({ length: 1 + below(3) }, (_, k) =>
      job(`${currency}-${k}`, machine(), currency, 1 + below(9), units(2500)),
    ),
  )
  return { machines, funding, orders: [...backing, ...jobs] }
}

test('on a quiet cluster all jobs together are worth what all users are funded with', async () => {
  for (let seed = 0; seed < 25; seed++) {
    const { machines, funding, orders } = randomCluster(seed)
    const { values, refusals } = await valuesOf(machines, funding, orders, 'inline', { until: units(5500) })
    assert.equal(refusals, [])
    const sum = (amounts: Readonly<Record<string, number>>) => Object.values(amounts).reduce((so, one) => so + one, 0)
    assert.ok(
      Math.abs(sum(values) - sum(funding)) < 1e-9 * sum(funding),
      `seed ${seed}: ${sum(values)}, ${sum(funding)}`,
    )
  }
})

test.run()
