/** Users across machines: the figures of the paper and the timeline of the spec. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/core/time.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { FIGURE_4 as PAPER } from '../../scenarios/shares/paper/figure-4.ts'
import { PROTOCOL_RUNTIMES } from '../system/harness.ts'
import { COOPERATING, figure4, INDEPENDENT, OTHERS, PLAIN, run, type Seen, userOf, watch } from './figure-4.ts'
import { TIMELINE } from './golden/figure-5.ts'

/** A user's shares of machines: her due share at every instant of a span, and the share that she used in it. */
interface Expected {
  readonly from: number
  readonly until: number
  readonly totals: Readonly<Record<string, number>>
  /** A's share of each of her machines. */
  readonly onMachines?: Readonly<Record<string, number>>
}

const close = (one: number, other: number) => Math.abs(one - other) < 1e-12

function assertShares({ entitled, usage }: Seen, { from, until, totals, onMachines = {} }: Expected): void {
  const span = `${from} to ${until}`
  const all = entitled.during(units(from), units(until))
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
      const used = usage.between(units(from), units(until), (one) => one === job)
      const due = share * units(until - from)
      assert.ok(Math.abs(used - due) <= PLAIN.quantum, `${span}: ${job} used ${used}, expected ${due} within a quantum`)
    }
  }
}

for (const runtime of PROTOCOL_RUNTIMES) {
  test(`figure 4: independent processors give A half of every machine (${runtime})`, async () => {
    const seen = await watch(figure4(INDEPENDENT), { runtime }, { until: units(6000) })
    assertShares(seen, { from: 0, until: 6000, totals: PAPER.independent })
  })

  test(`figure 4: with ticket servers each of five users has four fifths of a machine (${runtime})`, async () => {
    const seen = await watch(figure4(COOPERATING), { runtime }, { until: units(8000) })
    const onMachines = { m1: 0.2, m2: 0.2, m3: 0.2, m4: 0.2 }
    assertShares(seen, { from: 2000, until: 8000, totals: PAPER.cooperating, onMachines })
  })

  test(`the timeline of a cluster whose first ticket server dies and comes back, segment by segment (${runtime})`, async () => {
    const orders = [run('A', 'm1'), ...OTHERS, ...['m2', 'm3', 'm4'].map((machine) => run('A', machine, 2500))]
    const faults = ['kill ticket-server@m1 at 10500', 'restart ticket-server@m1 at 20500'].map((one) => parseFault(one))
    const cluster = { machines: 4, sharing: COOPERATING, orders }
    const seen = await watch(cluster, { runtime }, { until: units(26000), faults })
    for (const { from, until, totals, ofA } of TIMELINE) {
      const [m1, other] = ofA
      assertShares(seen, { from, until, totals, onMachines: { m1, m2: other, m3: other, m4: other } })
    }
    const used = seen.usage.between(units(2500), units(4000), (job) => userOf(job) === 'A')
    assert.ok(Math.abs(used - units(2250)) <= 4 * PLAIN.quantum, `A used ${used}`)
  })
}
test.run()
