import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Deviations, Scheduler } from '../../lib/actor/schedule.ts'
import { units } from '../../lib/core/time.ts'
import { fairInTheEnd, ScheduleRecorder } from '../../lib/explore/schedulers.ts'
import { fifo } from '../../lib/explore/strategies/fifo.ts'
import { random } from '../../lib/explore/strategies/random.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { PROTOCOLS, type Protocol, termsOf } from '../../scenarios/bidding/model.ts'
import { repeats, sampled } from '../repeats.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('a schedule')

const COURSE = { seed: 1, run: 0, decisions: 100 }

const jobs = Array.from({ length: 6 }, (_, i) => ({
  id: `j${i}`,
  client: i % 2 === 0 ? 'c1' : 'c2',
  arrival: units(i),
  work: units(10),
  estimate: units(10),
}))

const run = (protocol: Protocol, given: SystemInit) =>
  biddingMarket.run(
    { protocol, speeds: [1, 1, 2], clients: ['c1', 'c2'], jobs, terms: termsOf(protocol, units(1)) },
    { runtime: 'inline', trace: true, network: { latency: units(1) }, memoryMB: 4, ...given },
  )

const nothing: Deviations = { holds: [], lost: [], doubled: [] }

/** Runs a market under a random walk, and returns its deviations. */
async function walk(protocol: Protocol, seed: number, given: SystemInit = {}) {
  const recorder = new ScheduleRecorder(random({ ...COURSE, run: seed }))
  const lived = await run(protocol, { ...given, scheduler: recorder })
  return { lived, deviations: recorder.deviations }
}

test('without deviations is fifo', async () => {
  for (const protocol of PROTOCOLS) {
    const plain = await run(protocol, {})
    const chosen = await run(protocol, { scheduler: fifo(COURSE) })
    assert.is(chosen.traceHash, plain.traceHash)
  }
})

test('is repeated from its deviations, inline and on threads', async () => {
  for (const protocol of PROTOCOLS) {
    const { lived, deviations } = await walk(protocol, 3)
    assert.ok(deviations.holds.length > 5)
    const inline = await run(protocol, { schedule: deviations })
    if (sampled(PROTOCOLS).includes(protocol)) {
      const threads = await run(protocol, { schedule: deviations, runtime: 'threads' })
      assert.is(threads.traceHash, inline.traceHash)
    }
    assert.equal([inline.steps, inline.messages, inline.end], [lived.steps, lived.messages, lived.end])
    assert.equal([...inline.oracle.ledger.endings], [...lived.oracle.ledger.endings])
  }
})

test('holds nothing back beyond its bounds, inline and on threads', async () => {
  const runs = []
  for (const bounds of [undefined, { longest: units(3), calm: null }, { longest: units(250), calm: units(20) }]) {
    // each event is held back until nothing else is left to do, or until a bound
    const recorder = new ScheduleRecorder(
      { next: ({ now }) => (now < units(20) ? -1 : 0), outcomeOf: () => 'once' },
      bounds,
    )
    const lived = await run('dsp', { scheduler: recorder })
    const { deviations } = recorder
    const inline = await run('dsp', { schedule: deviations })
    const threads = await run('dsp', { schedule: deviations, runtime: 'threads' })
    assert.is(threads.traceHash, inline.traceHash)
    assert.equal([inline.steps, inline.end, inline.cutHolds], [lived.steps, lived.end, lived.cutHolds])
    runs.push(inline)
  }
  const [free, short, calm] = runs
  assert.ok(free && short && calm && short.cutHolds > free.cutHolds && calm.cutHolds > free.cutHolds)
  assert.is(new Set(runs.map(({ traceHash }) => traceHash)).size, 3)
})

test('is repeated with duplicate and late messages: an event without a step has no place in it', async () => {
  const network = { latency: units(1), jitter: units(1), loss: 0.2, duplicate: 0.2 }
  for (let seed = 0; seed < repeats(8); seed++) {
    const { lived, deviations } = await walk('dsp', seed, { network, reliable: {} })
    const again = await run('dsp', { network, reliable: {}, schedule: deviations })
    assert.equal(
      [again.steps, again.end, ...again.oracle.ledger.endings],
      [lived.steps, lived.end, ...lived.oracle.ledger.endings],
    )
  }
})

test('keeps every actor running: all tasks end, with any events held back', async () => {
  for (const order of ['fifo', 'causal'] as const) {
    for (let seed = 0; seed < repeats(20); seed++) {
      const { lived } = await walk('dsp', seed, { order })
      assert.is(lived.oracle.ledger.endings.size, jobs.length, `seed ${seed}, ${order}`)
      assert.equal(lived.oracle.ledger.violations, [])
    }
  }
})

test('in real time holds no event back for ever: one that waits for a step that never comes is released', async () => {
  const holds = [{ thing: '7.0.2', until: 1_000_000 }]
  const lived = await run('dsp', { schedule: { ...nothing, holds }, runtime: 'threads', time: 'real', memoryMB: 16 })
  assert.is(lived.oracle.ledger.endings.size, jobs.length)
})

test('can lose a message and duplicate one', async () => {
  const lossy = await run('dsp', { schedule: { ...nothing, lost: ['7.0>2.0'] } })
  assert.equal([...lossy.deadLetters], [['lost on the network', 1]])
  const plain = await run('dsp', {})
  const doubled = await run('dsp', { schedule: { ...nothing, doubled: ['7.0>2.0'] } })
  assert.ok(doubled.steps > plain.steps)
})

test('holds no event back for ever, although the senders of held messages repeat them meanwhile', async () => {
  const holds = [0, 1, 2].map((n) => ({ thing: `7.0.${n}`, until: 1_000_000 }))
  const {
    oracle: { ledger },
    end,
  } = await run('random', { schedule: { ...nothing, holds } })
  assert.is(end.ended, 'idle')
  const finishes = [...ledger.endings.values()].map(({ client, finish }) => [client, finish > units(250)])
  assert.equal(finishes.sort(), [...Array(3).fill(['client@c1', true]), ...Array(3).fill(['client@c2', false])])
})

test('of a search is unfair for a number of decisions, or until the calm', () => {
  const holding: Scheduler = { next: () => -1, outcomeOf: () => 'lost' }
  const point = (now: number) => ({ slot: 1, incarnation: 0, step: 0, now, pending: [] })
  const link = { from: 1, incarnation: 0, to: 2, n: 0 }
  const few = fairInTheEnd(holding, 2, null)
  assert.equal([few.next(point(0)), few.next(point(0)), few.outcomeOf(link)], [-1, -1, 'lost'])
  assert.equal([few.next(point(0)), few.outcomeOf(link)], [0, 'once'])
  const early = fairInTheEnd(holding, 100, 5)
  assert.equal([early.next(point(4)), early.next(point(5)), early.outcomeOf(link)], [-1, 0, 'once'])
})

test('that decides during the run is refused on threads', () => {
  throwsSaying(() => complete({ scheduler: fifo(COURSE) }), 'option scheduler needs runtime inline, not threads')
})

test.run()
