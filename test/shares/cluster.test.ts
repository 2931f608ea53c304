/** Users across machines: the figures of the paper and the timeline of the spec. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseFault } from '../../lib/faults/faults.ts'
import { units } from '../../lib/time.ts'
import { RUNTIMES } from '../system/harness.ts'
import { COOPERATING, figure4, INDEPENDENT, OTHERS, PLAIN, run, type Seen, userOf, watch } from './figure-4.ts'

/** In shares of machines: what a user has at every instant of a span, and what she used in it. */
interface Expected {
  readonly from: number
  readonly to: number
  readonly totals: Readonly<Record<string, number>>
  /** A's share of each of her machines. */
  readonly onMachines?: Readonly<Record<string, number>>
}

const close = (one: number, other: number) => Math.abs(one - other) < 1e-12

function assertShares({ entitled, usage }: Seen, { from, to, totals, onMachines = {} }: Expected): void {
  const span = `${from} to ${to}`
  const all = entitled.during(units(from), units(to))
  assert.ok(all.length > 0, span)
  for (const shares of all) {
    for (const [user, total] of Object.entries(totals)) {
      const sum = [...shares].reduce((so, [job, share]) => (userOf(job) === user ? so + share : so), 0)
      assert.ok(close(sum, total), `${span}: ${user} is entitled to ${sum}, expected ${total}`)
    }
    for (const [machine, share] of Object.entries(onMachines)) {
      assert.ok(
        close(shares.get(`A-${machine}`) ?? 0, share),
        `${span}: A on ${machine}: ${shares.get(`A-${machine}`)}`,
      )
    }
    for (const [job, share] of shares) {
      const used = usage.between(units(from), units(to), (one) => one === job)
      const due = share * units(to - from)
      assert.ok(Math.abs(used - due) <= PLAIN.quantum, `${span}: ${job} used ${used}, expected ${due} within a quantum`)
    }
  }
}

const all = (share: number) => ({ A: share, B: share, C: share, D: share, E: share })
const COOPERATE = all(0.8)

for (const runtime of RUNTIMES) {
  test(`figure 4: independent processors give A half of every machine (${runtime})`, async () => {
    const seen = await watch(figure4(INDEPENDENT), { runtime }, { until: units(6000) })
    assertShares(seen, { from: 0, to: 6000, totals: { ...all(0.5), A: 2 } })
  })

  test(`figure 4: with ticket servers each of five users has four fifths of a machine (${runtime})`, async () => {
    const seen = await watch(figure4(COOPERATING), { runtime }, { until: units(8000) })
    const onMachines = { m1: 0.2, m2: 0.2, m3: 0.2, m4: 0.2 }
    assertShares(seen, { from: 2000, to: 8000, totals: COOPERATE, onMachines })
  })

  test(`the timeline of a cluster whose first ticket server dies and comes back, segment by segment (${runtime})`, async () => {
    const orders = [run('A', 'm1'), ...OTHERS, ...['m2', 'm3', 'm4'].map((machine) => run('A', machine, 2500))]
    const faults = ['kill ticket-server@m1 at 10500', 'restart ticket-server@m1 at 20500'].map((one) => parseFault(one))
    const cluster = { machines: 4, sharing: COOPERATING, orders }
    const seen = await watch(cluster, { runtime }, { until: units(26000), faults })
    const others = (share: number) => ({ C: share, D: share, E: share })
    const elsewhere = (share: number) => ({ m2: share, m3: share, m4: share })
    const timeline: readonly Expected[] = [
      { from: 0, to: 2500, totals: { A: 1 / 2, B: 1 / 2, ...others(1) } },
      // the newcomers are known where they are at once, and elsewhere after the second tick
      { from: 2500, to: 4000, totals: { A: 3 / 2, B: 1 / 2, ...others(2 / 3) }, onMachines: elsewhere(1 / 3) },
      { from: 4000, to: 11000, totals: COOPERATE, onMachines: elsewhere(1 / 5) },
      // m1 knows of nobody any more; the others keep its last report for three periods
      { from: 11000, to: 14000, totals: { A: 11 / 10, B: 1 / 2, ...others(4 / 5) }, onMachines: elsewhere(1 / 5) },
      { from: 14000, to: 22000, totals: { A: 5 / 4, B: 1 / 2, ...others(3 / 4) }, onMachines: elsewhere(1 / 4) },
      { from: 22000, to: 26000, totals: COOPERATE, onMachines: elsewhere(1 / 5) },
    ]
    for (const expected of timeline) assertShares(seen, expected)
    const used = seen.usage.between(units(2500), units(4000), (job) => userOf(job) === 'A')
    assert.ok(Math.abs(used - units(2250)) <= 4 * PLAIN.quantum, `A used ${used}`)
  })
}
test.run()
