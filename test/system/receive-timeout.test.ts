/** Receive timeouts: an event comes when an actor has received nothing for a while. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { register } from '../../lib/core/code-registry.ts'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { racesIn } from '../../lib/explore/races.ts'
import { Replay } from '../../lib/replay/replay.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { both, type Fact, factsOf, fixture, network, type Options, withSystem } from './harness.ts'

const LISTENER = fixture('listener.ts')
register({ actors: [LISTENER] })

const silencesOf = (facts: readonly Fact[]) =>
  facts.flatMap(({ type, at }) => (type === 'silent' ? [Number(at) / units(1)] : []))

both(
  'a receive timeout comes once for each silence: each message begins it again, and timers do not',
  async (system) => {
    const facts = factsOf(system)
    await system.spawn('a@m1', LISTENER, { delay: units(3) })
    for (const at of [2, 4, 6, 20]) system.at(units(at), () => system.tell('a@m1', { type: 'note', n: at }))
    await system.run()
    assert.equal(silencesOf(facts), [9, 23])
  },
)

both('a message of the instant of a receive timeout comes before it', async (system) => {
  const facts = factsOf(system)
  await system.spawn('a@m1', LISTENER, { delay: units(3) })
  system.at(units(3), () => system.tell('a@m1', { type: 'note', n: 1 }))
  await system.run()
  assert.equal(silencesOf(facts), [6])
})

both('a receive timeout can be set again and ended, and ends with its actor', async (system) => {
  const facts = factsOf(system)
  await system.spawn('a@m1', LISTENER, { delay: units(3) })
  await system.spawn('b@m1', LISTENER)
  await system.tell('b@m1', { type: 'listen', delay: units(4) })
  system.at(units(1), () => system.tell('a@m1', { type: 'listen', delay: units(5) }))
  system.at(units(7), () => system.tell('a@m1', { type: 'listen', delay: null }))
  system.at(units(8), () => system.tell('a@m1', { type: 'note', n: 1 }))
  system.at(units(2), () => system.kill('b@m1'))
  await system.run()
  assert.equal(silencesOf(facts), [6])
})

async function talk(options: Options) {
  const bad = { latency: units(1), jitter: units(2), loss: 0.2, duplicate: 0.2 }
  return withSystem({ record: true, trace: true, network: bad, ...options }, async (system) => {
    const facts = factsOf(system)
    for (const who of ['a@m1', 'b@m2']) await system.spawn(who, LISTENER, { delay: units(3) })
    const pauses = Array.from({ length: 20 }, (_, i) => units(i % 5))
    await system.tell('a@m1', { type: 'talk', to: 'b@m2', pauses })
    system.at(units(10), () => system.restart('b@m2'))
    await system.run()
    const lines = [...system.recorded()]
    await system.stop()
    return { silences: silencesOf(facts), lines, hash: system.traceHash }
  })
}

test('receive timeouts are equal on threads and inline, and are replayed', async () => {
  for (const reliable of [null, true]) {
    const [threads, inline] = [await talk({ reliable }), await talk({ reliable, runtime: 'inline' })]
    assert.ok(threads.silences.length > 3)
    assert.equal(inline.silences, threads.silences)
    assert.is(inline.hash, threads.hash)
    const trace = traceOf(inline.lines.map((line) => JSON.parse(JSON.stringify(line))))
    for (const who of [undefined, 'a@m1', 'b@m2']) assert.ok([...(await Replay.open(trace, who))].length > 20)
    await racesIn(await Replay.open(trace))
  }
})

const specification: Specification = {
  options: { seed: 1, network: network(4) },
  faults: [],
  addresses: ['a@m1', 'b@m2', 'c@m3'],
  tasks: 1,
  only: () => specification,
  open: async (system) => {
    const facts = factsOf(system)
    await system.spawn('a@m1', LISTENER, { delay: units(5) })
    for (const who of ['b@m2', 'c@m3']) await system.spawn(who, LISTENER, { to: 'a@m1' })
    return { outcome: () => facts.map(({ type }) => type).join(' '), violations: () => [] }
  },
}

test('exploration finds the silence before, between and after two messages, with the reduction and without', async () => {
  const all = { depth: Number.POSITIVE_INFINITY, schedules: 1000 }
  const outcomes = async (reduce: boolean) => {
    const found = await exhaust({ specification, reduce, ...all })
    assert.equal([found.bound, found.failures], [undefined, []])
    return [...found.outcomes.keys()].sort()
  }
  assert.equal(await outcomes(true), await outcomes(false))
  assert.ok((await outcomes(true)).includes('silent heard heard silent'))
  assert.ok((await outcomes(true)).includes('heard heard silent'))
})

test('in real time a receive timeout comes after the last message', () =>
  withSystem({ time: 'real', scale: 1 }, async (system) => {
    const facts = factsOf(system)
    await system.spawn('a@m1', LISTENER, { delay: units(300) })
    await system.tell('a@m1', { type: 'note', n: 1 })
    await system.run()
    assert.equal(
      facts.map(({ type }) => type),
      ['heard', 'silent'],
    )
  }))

test.run()
