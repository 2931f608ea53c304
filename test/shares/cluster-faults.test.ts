/** The effects of failing ticket servers, machines and links on figure 4. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printUnits } from '../../lib/core/format.ts'
import { type Time, units } from '../../lib/core/time.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { RUNTIMES } from '../system/harness.ts'
import {
  COOPERATING,
  figure4,
  INDEPENDENT,
  LATENCY,
  MACHINES,
  PERIOD,
  PLAIN,
  type Seen,
  userOf,
  watch,
} from './figure-4.ts'

/** The time until a restarted actor is known everywhere. */
const BACK = 2 * PERIOD + LATENCY

const plan = (...faults: readonly string[]) => faults.map((fault) => parseFault(fault))

/** The instant after which all jobs have their fair shares. */
const fairSince = ({ entitled }: Seen): Time =>
  entitled.since((shares) =>
    [...shares].every(([job, share]) => Math.abs(share - (userOf(job) === 'A' ? 0.2 : 0.8)) < 1e-12),
  )

/** Whether every machine was busy all the time, so that no actor waited for another. */
function assertBusy({ usage }: Seen, from: Time, until: Time): void {
  for (const machine of MACHINES) {
    const busy = usage.between(from, until, (_, on) => on === machine)
    assert.ok(until - from - busy <= PLAIN.quantum, `${machine} was busy for ${printUnits(busy)}`)
  }
}

const ran = ({ facts }: Seen) =>
  facts.flatMap(({ type, who, at, job, used }) => (type === 'ran' ? [`${at} ${who} ${job} ${used}`] : []))

for (const runtime of RUNTIMES) {
  test(`when all ticket servers die at once, scheduling continues as without ticket servers (${runtime})`, async () => {
    const faults = plan(...MACHINES.map((machine) => `kill ticket-server@${machine} at 4500`))
    const seen = await watch(figure4(COOPERATING), { runtime }, { until: units(8000), faults })
    for (const shares of seen.entitled.during(units(2000), units(5000))) assert.is(shares.get('A-m1'), 0.2)
    for (const shares of seen.entitled.during(units(5000), units(8000))) {
      assert.ok([...shares.values()].every((share) => share === 0.5))
    }
    assertBusy(seen, 0, units(8000))
  })

  test(`without ticket servers from the start every quantum is that of independent processors (${runtime})`, async () => {
    const faults = plan(...MACHINES.map((machine) => `kill ticket-server@${machine} at 0`))
    const dead = await watch(figure4(COOPERATING), { runtime }, { until: units(5000), faults })
    const alone = await watch(figure4(INDEPENDENT), { runtime }, { until: units(5000) })
    assert.equal(ran(dead), ran(alone))
  })

  test(`a machine that dies is forgotten, and is back within two periods and a delay (${runtime})`, async () => {
    const faults = plan('kill @m1 at 4300', 'restart @m1 at 9700')
    const seen = await watch(figure4(COOPERATING), { runtime }, { until: units(14000), faults })
    // three of A's four tickets are left: a third of 100 base tickets, against 100
    for (const shares of seen.entitled.during(units(8000), units(9700))) {
      assert.is(shares.has('A-m1'), false)
      assert.ok(Math.abs((shares.get('A-m2') ?? 0) - 0.25) < 1e-12)
    }
    const since = fairSince(seen)
    assert.ok(since > units(9700) && since <= units(9700) + BACK, printUnits(since))
  })

  test(`servers that are cut off from each other forget each other, and cooperate again (${runtime})`, async () => {
    const faults = plan('partition m1 | m2,m3,m4 at 3500 until 9500')
    const seen = await watch(figure4(COOPERATING), { runtime }, { until: units(13000), faults })
    // the last report of each side that reached the other is of 3000
    for (const shares of seen.entitled.during(units(3000), units(7000))) assert.is(shares.get('A-m1'), 0.2)
    for (const shares of seen.entitled.during(units(7000), units(9500))) {
      assert.is(shares.get('A-m1'), 0.5)
      assert.ok(Math.abs((shares.get('A-m2') ?? 0) - 0.25) < 1e-12)
    }
    const since = fairSince(seen)
    assert.ok(since <= units(9500) + BACK, printUnits(since))
    assertBusy(seen, 0, units(13000))
  })
}

const outage = fc.record({
  machine: fc.constantFrom(...MACHINES),
  at: fc.integer({ min: 0, max: 7000 }),
  lasts: fc.integer({ min: 1, max: 5000 }),
})

test('whenever ticket servers die and come back, no machine waits, and cooperation is back within two periods and a delay', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(outage, { minLength: 1, maxLength: 4, selector: ({ machine }) => machine }),
      async (outages) => {
        const faults = outages.flatMap(({ machine, at, lasts }) =>
          plan(`kill ticket-server@${machine} at ${at}`, `restart ticket-server@${machine} at ${at + lasts}`),
        )
        const last = Math.max(...outages.map(({ at, lasts }) => units(at + lasts)))
        const until = 3 * PERIOD + PERIOD * Math.ceil(last / PERIOD)
        const seen = await watch(figure4(COOPERATING), { runtime: 'inline' }, { until, faults })
        const since = fairSince(seen)
        assert.ok(since <= last + BACK, `fair since ${printUnits(since)}`)
        assertBusy(seen, 0, until)
      },
    ),
    { numRuns: 12 },
  )
})

test.run()
