/** Figure 4 by the clock, on threads. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { roleOf } from '../../lib/actor.ts'
import { parseFault } from '../../lib/faults/faults.ts'
import { type Time, units } from '../../lib/time.ts'
import { COOPERATING, figure4, MACHINES, PERIOD, userOf, watch } from './figure-4.ts'

const REAL = { time: 'real', scale: 0.5 } as const
/** Longer than any delay of a machine that has other things to do. */
const sharing = { ...COOPERATING, tick: { every: PERIOD, patience: units(250) } }
/** So far may a share of a machine be from 80 or 20 percent. */
const TOLERANCE = 0.02

type Seen = Awaited<ReturnType<typeof watch>>

/** How far a job is from its share of its machine, at most, over some spans together. */
function farthest({ usage }: Seen, spans: readonly (readonly [from: Time, until: Time])[]): number {
  const length = spans.reduce((sum, [from, until]) => sum + until - from, 0)
  const far = figure4(sharing).orders.flatMap(({ message }) => {
    if (message.type !== 'submit') return []
    const used = spans.reduce((sum, [from, until]) => sum + usage.between(from, until, (job) => job === message.job), 0)
    return Math.abs(used / length - (userOf(message.job) === 'A' ? 0.2 : 0.8))
  })
  return Math.max(...far)
}

test('in real time A has a fifth of every machine, and each of the others four fifths of hers', async () => {
  const seen = await watch(figure4(sharing), REAL, { until: units(13_000) })
  const far = farthest(seen, [[units(3000), units(13_000)]])
  assert.ok(far <= TOLERANCE, `a job is ${far} from its share`)
})

test('the same with a ticket server that dies and comes back half-way, but while its machine knows of no other', async () => {
  const faults = ['kill ticket-server@m1 at 7500', 'restart ticket-server@m1 at 8200'].map((one) => parseFault(one))
  const seen = await watch(figure4(sharing), REAL, { until: units(15_000), faults })
  const spans = [
    [units(3000), units(8000)],
    // two periods after it is back, and some for the clock
    [units(10_500), units(15_000)],
  ] as const
  const far = farthest(seen, spans)
  assert.ok(far <= TOLERANCE, `a job is ${far} from its share`)
  // of the whole cluster, and with what happened meanwhile
  const [from, until] = [units(3000), units(13_000)]
  for (const user of ['A', 'B', 'C', 'D', 'E']) {
    const share = seen.usage.between(from, until, (job) => userOf(job) === user) / (until - from) / MACHINES.length
    assert.ok(Math.abs(share - 0.2) <= TOLERANCE, `${user} has ${share} of the cluster`)
  }
  // nobody else noticed: their processors were told at every tick of theirs
  const told = seen.facts.filter(({ who, type, at }) => type === 'ticked' && who !== 'processor@m1' && at > units(2000))
  assert.ok(told.every(({ who, informed }) => roleOf(who) === 'processor' && informed === true))
})

test.run()
