/** The shares of infinitely small quanta: the paper's figures, and the properties of max-min shares. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { worth } from '../../actors/processor/currencies.ts'
import { type Demand, fluidShares } from '../../scenarios/shares/fluid.ts'
import { FIGURE_3 } from '../../scenarios/shares/paper/figure-3.ts'
import { FIGURE_4, type Totals, USERS } from '../../scenarios/shares/paper/figure-4.ts'
import { FIGURE_7, FIGURE_10, FIGURE_11 } from '../../scenarios/shares/paper/placement.ts'
import { credited, ideal, uncredited, unfairness } from '../../scenarios/shares/sleepers/unfairness.ts'

const near = (actual: number, expected: number, what: string) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${what}: ${actual} is not ${expected}`)

const shares = suite('fluid shares')

for (const [figure, instances] of Object.entries({ 7: FIGURE_7, 10: FIGURE_10, 11: FIGURE_11 })) {
  for (const { what, jobs, shares: expected } of instances) {
    shares(`figure ${figure}, ${what}`, () => {
      const actual = fluidShares(jobs)
      assert.equal([...actual.keys()].sort(), Object.keys(expected).sort())
      for (const [name, share] of Object.entries(expected)) near(actual.get(name) ?? Number.NaN, share, name)
    })
  }
}

/** The jobs on nodes 1 to 4 if each node knows of a given number of A's tickets elsewhere. */
function figure4(elsewhere: readonly [number, number, number, number]): Totals {
  const got = new Map<string, number>(USERS.map((user) => [user, 0]))
  for (const [i, user] of USERS.slice(1).entries()) {
    const view = { funding: { A: 100, [user]: 100 }, issued: { A: elsewhere[i] ?? 0 }, backing: [] }
    const own = { A: 1, [user]: 1 }
    const demands = ['A', user].map((currency) => {
      return { name: currency, nodes: [i], tickets: worth(view, own, { currency, amount: 1 }) }
    })
    for (const [name, share] of fluidShares(demands)) got.set(name, (got.get(name) ?? 0) + share)
  }
  const of = (user: string) => got.get(user) ?? Number.NaN
  return { A: of('A'), B: of('B'), C: of('C'), D: of('D'), E: of('E') }
}

const FIGURE_4_ELSEWHERE = { independent: [0, 0, 0, 0], cooperating: [3, 3, 3, 3], withoutFirst: [0, 2, 2, 2] } as const

for (const what of ['independent', 'cooperating', 'withoutFirst'] as const) {
  shares(`figure 4, ${what}: by the value of A's tickets as each node sees it`, () => {
    const actual = figure4(FIGURE_4_ELSEWHERE[what])
    for (const user of USERS) near(actual[user], FIGURE_4[what][user], user)
  })
}

shares('without demands there are no shares', () => assert.is(fluidShares([]).size, 0))

const demands = fc
  .array(
    fc.record({
      nodes: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
      tickets: fc.integer({ min: 1, max: 400 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((jobs) => jobs.map((job, i): Demand => ({ name: `j${i}`, ...job })))

shares('no node is overdrawn, and each job has a full node where none gets more for a ticket', () => {
  fc.assert(
    fc.property(demands, (jobs) => {
      const rates = fluidShares(jobs)
      const rateOf = ({ name }: Demand) => rates.get(name) ?? Number.NaN
      const on = (node: string | number) => jobs.filter(({ nodes }) => nodes.includes(node))
      const used = (node: string | number) => on(node).reduce((sum, job) => sum + rateOf(job), 0)
      for (const job of jobs) {
        assert.ok(rateOf(job) > 0)
        for (const node of job.nodes) assert.ok(used(node) <= 1 + 1e-9, `node ${node} gives ${used(node)}`)
        const isBottleneck = (node: string | number) =>
          used(node) >= 1 - 1e-9 &&
          on(node).every((other) => rateOf(other) / other.tickets <= (rateOf(job) / job.tickets) * (1 + 1e-9))
        assert.ok(job.nodes.some(isBottleneck), `nothing holds ${job.name} back`)
      }
    }),
    { numRuns: 500 },
  )
})

shares.run()

const fairness = suite('fairness to a sleeper')

const FIFTH = { tickets: 1, total: 5 }
const asleep = (share: number) => ({ ran: 1 - share, slept: share })

fairness('is 1 for a fifth of the time, waited or slept away', () => {
  assert.is(unfairness({ ran: 2, slept: 0, waited: 8 }, FIFTH), 1)
  assert.is(unfairness({ ran: 2, slept: 5, waited: 3 }, FIFTH), 1)
})

const LINES = [
  { share: 0, ideal: 1, uncredited: 1, credited: 1 },
  { share: 0.5, ideal: 1, uncredited: 5 / 4, credited: 1 },
  { share: 0.7, ideal: 1, uncredited: 19 / 12, credited: 1 },
  { share: 0.75, ideal: 1, uncredited: 7 / 4, credited: 9 / 8 },
  { share: 0.8, ideal: 1, uncredited: 2, credited: 11 / 8 },
  { share: 0.85, ideal: 17 / 12, uncredited: 29 / 12, credited: 43 / 24 },
  { share: 0.9, ideal: 9 / 4, uncredited: 13 / 4, credited: 21 / 8 },
] as const

fairness('has the lines of figure 3: ideal, without credit and with credit for as long as the sleep', () => {
  for (const { share, ...expected } of LINES) {
    near(ideal(asleep(share), FIFTH), expected.ideal, `ideal at ${share}`)
    near(uncredited(asleep(share), FIFTH), expected.uncredited, `uncredited at ${share}`)
    near(credited(asleep(share), FIFTH), expected.credited, `credited at ${share}`)
  }
})

fairness('converges to these lines when simulated', () => {
  for (const { asleep: share, long } of FIGURE_3) {
    assert.ok(Math.abs(long.none - uncredited(asleep(share), FIFTH)) < 0.003, `none at ${share}`)
    for (const policy of ['loan', 'system'] as const)
      assert.ok(Math.abs(long[policy] - credited(asleep(share), FIFTH)) < 0.001, `${policy} at ${share}`)
    assert.ok(long.adaptive - ideal(asleep(share), FIFTH) < 0.017, `adaptive at ${share}`)
  }
})

fairness('with credit leaves 1 where the burst ends during it: at n/(n + 2) for n equals', () => {
  for (const n of [3, 4, 5, 10]) {
    const standing = { tickets: 1, total: n }
    near(credited(asleep(n / (n + 2)), standing), 1, `${n} at the knee`)
    assert.ok(credited(asleep(n / (n + 2) + 0.01), standing) > 1.01, `${n} beyond the knee`)
  }
})

fairness.run()
