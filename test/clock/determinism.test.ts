import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import type { SystemInit } from '../../lib/system.ts'
import { repeats, sampled } from '../repeats.ts'
import { gossip, nameOf, type Village } from './gossip.ts'

const ACTORS = 8
const RUNS = repeats(12)

const instant = fc.integer({ min: 0, max: 24 }).map((halves) => halves / 2)
const who = fc.oneof(
  fc.integer({ min: 0, max: ACTORS - 1 }).map(nameOf),
  fc.integer({ min: 0, max: ACTORS / 2 - 1 }).map((machine) => `@m${machine}`),
)
const counted = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('rumor', 'gossip'))
const state = fc.constantFrom('calm', 'excited')
const machine = fc.integer({ min: 0, max: ACTORS / 2 - 1 }).map((one) => `m${one}`)
const by = fc.constantFrom(-7, -0.5, 0.5, 7)
const several = fc.uniqueArray(who, { minLength: 2, maxLength: 3 }).map((all) => all.join())
const fault = fc.oneof(
  fc.tuple(who, instant).map(([actor, at]) => `kill ${actor} at ${at}`),
  fc.tuple(who, counted).map(([actor, [count, type]]) => `kill ${actor} after ${count} ${type}`),
  fc.tuple(who, instant).map(([actor, at]) => `restart ${actor} at ${at}`),
  fc.tuple(who, counted).map(([actor, [count, type]]) => `restart ${actor} after ${count} ${type}`),
  fc.tuple(who, who, state).map(([victim, actor, to]) => `restart ${victim} when ${actor} enters ${to}`),
  fc.tuple(who, instant).map(([actor, at]) => `pause ${actor} for 1.5 at ${at}`),
  fc.tuple(instant, instant).map(([at, more]) => `partition m0,m1 | m2 at ${at} until ${at + 0.5 + more}`),
  fc.integer({ min: 1, max: 8 }).map((every) => `kill random every ${every}`),
  fc.tuple(who, instant).map(([actor, at]) => `restart ${actor} at ${at} losing 2 torn`),
  fc.tuple(who, instant, instant).map(([actor, at, more]) => `slow ${actor} by 1.5 at ${at} until ${at + 0.5 + more}`),
  fc.tuple(instant, instant).map(([at, more]) => `slow m1 | m2 by 1.5 at ${at} until ${at + 0.5 + more}`),
  fc.tuple(machine, by, instant).map(([one, ahead, at]) => `jump ${one} by ${ahead} at ${at}`),
  fc
    .tuple(machine, by, instant, instant)
    .map(([one, ahead, at, more]) => `jump ${one} by ${ahead} at ${at} until ${at + 0.5 + more}`),
  fc.tuple(several, instant).map(([all, at]) => `restart ${all} at ${at}`),
  fc.tuple(several, who, counted).map(([all, actor, [count, type]]) => `kill ${all} after ${actor} ${count} ${type}`),
)
const village: fc.Arbitrary<Village> = fc.record({
  actors: fc.constant(ACTORS),
  rumors: fc.integer({ min: 1, max: 4 }),
  depth: fc.integer({ min: 3, max: 9 }),
  fragility: fc.constantFrom(0, 0, 0.01),
  faults: fc.array(fault, { maxLength: 6 }),
  stops: fc.array(instant, { maxLength: 2 }).map((stops) => stops.sort((one, other) => one - other)),
})
const impatient = fc
  .record({
    timeout: fc.constantFrom(units(0.5), units(3)),
    longer: fc.constantFrom(1, 8),
    attempts: fc.constantFrom(1, 3, 16),
    window: fc.constantFrom(1, 3, 1000),
  })
  .map(({ longer, ...how }) => ({ ...how, cap: longer * how.timeout }))
const options: fc.Arbitrary<SystemInit> = fc
  .record({
    seed: fc.integer({ min: 1, max: 1e9 }),
    reliable: fc.oneof(fc.constantFrom(false, true), impatient),
    order: fc.constantFrom('fifo' as const, 'causal' as const),
    schedule: fc.oneof(fc.constant('fifo' as const), fc.integer({ min: 1, max: 1e6 })),
    mailbox: fc.constantFrom(1, 3, 100_000),
    rounds: fc.constantFrom(30, 1_000_000, 1_000_000, 1_000_000),
    network: fc.record({
      latency: fc.constantFrom(0, units(0.25), units(1)),
      jitter: fc.constantFrom(0, units(0.1), units(3)),
      loss: fc.constantFrom(0, 0.1, 0.4),
      duplicate: fc.constantFrom(0, 0.1, 0.4),
    }),
  })
  .map((how) => (how.order === 'causal' ? { ...how, reliable: false } : how))

test('one seed gives one trace, byte for byte, on threads and inline, on all engines, with any options and faults', async () => {
  let steps = 0
  await fc.assert(
    fc.asyncProperty(options, village, async (how, what) => {
      const inline = await gossip({ ...how, runtime: 'inline' }, what)
      assert.equal(await gossip({ ...how, runtime: 'threads' }, what), inline)
      for (const engine of ['xstate', 'shadow'] as const) {
        assert.equal(await gossip({ ...how, runtime: 'inline', engine }, what), inline)
      }
      steps += inline.steps
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  assert.ok(steps > 50 * RUNS, `only ${steps} steps in ${RUNS} runs`)
})

test('one seed gives the same trace in a pool as inline, with any options and faults', async () => {
  await fc.assert(
    fc.asyncProperty(options, village, fc.integer({ min: 1, max: 4 }), async (how, what, poolThreads) => {
      const inline = await gossip({ ...how, runtime: 'inline' }, what)
      assert.equal(await gossip({ ...how, runtime: 'pool', poolThreads }, what), inline)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

test('an inline run can be repeated exactly', async () => {
  await fc.assert(
    fc.asyncProperty(options, village, async (how, what) => {
      const first = await gossip({ ...how, runtime: 'inline' }, what)
      assert.equal(await gossip({ ...how, runtime: 'inline' }, what), first)
    }),
    { numRuns: 2 * RUNS, endOnFailure: true },
  )
})

/** In this run the free space of a window depends on whether a receipt or mail of the same instant is handled first. */
const SMALL_WINDOW: SystemInit = {
  seed: 18,
  reliable: { window: 3 },
  order: 'fifo',
  schedule: 'fifo',
  network: { jitter: units(0.1), duplicate: 0.1 },
}
const TWICE_RESTARTED: Village = {
  actors: ACTORS,
  rumors: 2,
  depth: 8,
  fragility: 0,
  faults: ['restart uncle@m2 at 11.5', 'restart aunt@m3 at 7.5'],
}

test('tracing and listening do not change a run', async () => {
  await fc.assert(
    fc.asyncProperty(options, village, async (how, what) => {
      const { hash: trace, ...traced } = await gossip({ ...how, runtime: 'inline' }, what)
      const { hash: none, ...untraced } = await gossip({ ...how, runtime: 'inline', trace: false }, what)
      assert.not(none, trace)
      assert.equal(untraced, traced)
      assert.equal(await gossip({ ...how, runtime: 'inline', trace: false }, what, true), { hash: none, ...untraced })
    }),
    { numRuns: 2 * RUNS, endOnFailure: true, examples: [[SMALL_WINDOW, TWICE_RESTARTED]] },
  )
})

/** In this run mailboxes overflow and receipts are lost, which must not count against the limit of the trace. */
const RECEIPTS_LOST: SystemInit = {
  seed: 75729091,
  reliable: true,
  order: 'fifo',
  schedule: 'fifo',
  mailbox: 3,
  network: { latency: units(0.25), jitter: units(3) },
}
const STURDY: Village = { actors: ACTORS, rumors: 4, depth: 5, fragility: 0, faults: [] }
/** In this run a receipt and mail of one sender arrive in one round, and some messages are given up in it. */
const RECEIPT_BESIDE_MAIL: SystemInit = {
  seed: 403663263,
  reliable: true,
  order: 'fifo',
  schedule: 124353,
  network: { latency: units(1), loss: 0.1, duplicate: 0.1 },
}
const RESTARTED: Village = { actors: ACTORS, rumors: 2, depth: 9, fragility: 0, faults: ['restart aunt@m3 at 2'] }
const KEPT: [SystemInit, Village, number][] = [
  [RECEIPTS_LOST, STURDY, 199_988],
  [RECEIPT_BESIDE_MAIL, RESTARTED, 98_832],
]

test('a trace in memory has the bytes of a written one, and is cut off at the same line on threads and inline', async () => {
  await fc.assert(
    fc.asyncProperty(options, village, fc.integer({ min: 0, max: 200_000 }), async (how, what, traceBytes) => {
      const kept = { ...how, runtime: 'inline', record: true, trace: false } as const
      assert.equal(await gossip(kept, what), await gossip({ ...how, runtime: 'inline' }, what))
      // the stack of a crash is a part of the trace, and differs between threads and inline
      const sturdy = { ...what, fragility: 0 }
      const cut = { ...kept, traceBytes }
      assert.equal(await gossip({ ...cut, runtime: 'threads' }, sturdy), await gossip(cut, sturdy))
    }),
    { numRuns: RUNS, endOnFailure: true, examples: [...sampled(KEPT)] },
  )
})

test('the head of a trace names every setting, so two settings give two traces', async () => {
  const what: Village = { actors: 2, rumors: 1, depth: 1, fragility: 0, faults: [] }
  const settings: SystemInit[] = [
    {},
    { seed: 2 },
    { order: 'causal' },
    { schedule: 1 },
    { mailbox: 7 },
    { reliable: true },
    { reliable: { window: 7 } },
    { about: 1 },
  ]
  const hashes = await Promise.all(settings.map((how) => gossip({ ...how, runtime: 'inline' }, what)))
  assert.is(new Set(hashes.map(({ hash }) => hash)).size, settings.length)
})

test.run()
