/** Deferred messages: an actor keeps them in hand until its state changes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Message, units } from '../../lib/actor.ts'
import { register } from '../../lib/core/code-registry.ts'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { pairsIn, racesIn } from '../../lib/explore/races.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { Graph } from '../../lib/report/graph.ts'
import { shownRun } from '../../lib/report/model.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import type { System } from '../../lib/system.ts'
import { type Trace, traceOf } from '../../lib/trace/read.ts'
import { both, type Fact, factsOf, fixture, linesOf, network, type Options, withSystem } from './harness.ts'

const SHOP = fixture('shop.ts')
register({ actors: [SHOP] })

const FAR = { network: network(1) }
const customer = (n: number): Message => ({ type: 'customer', n })
const last = (n: number): Message => ({ type: 'last customer', n })
const go = (to: string, from: number, count: number): Message => ({ type: 'go', to, from, count })
const OPEN = { type: 'open' }

async function shops(system: System, ...addresses: readonly string[]): Promise<Fact[]> {
  const facts = factsOf(system)
  for (const address of addresses) await system.spawn(address, SHOP)
  return facts
}

async function tells(system: System, to: string, ...messages: readonly Message[]): Promise<void> {
  for (const message of messages) await system.tell(to, message)
}

const servedOf = (facts: readonly Fact[]) => facts.flatMap(({ type, n }) => (type === 'served' ? [n] : []))

both(
  'deferred messages are handled in the order of their coming when the state changes, before newer mail',
  async (system) => {
    const facts = await shops(system, 's@m1')
    await tells(system, 's@m1', customer(1), customer(2), { type: 'nobody' }, customer(3), OPEN, customer(4), {
      type: 'close',
    })
    await tells(system, 's@m1', customer(5))
    await system.run()
    assert.equal(servedOf(facts), [1, 2, 3, 4])
    await tells(system, 's@m1', OPEN)
    await system.run()
    assert.equal(servedOf(facts), [1, 2, 3, 4, 5])
  },
)

both('a deferred message that changes the state again readies the others again, in their order', async (system) => {
  const facts = await shops(system, 's@m1')
  await tells(system, 's@m1', customer(1), last(2), customer(3), last(4), customer(5), OPEN, OPEN)
  await system.run()
  assert.equal(servedOf(facts), [1, 2, 3, 4])
  await tells(system, 's@m1', OPEN)
  await system.run()
  assert.equal(servedOf(facts), [1, 2, 3, 4, 5])
})

both(
  'a request may be deferred, and its answer comes from the step that handles it at last',
  async (system) => {
    const facts = await shops(system, 's@m1', 'c@m2')
    await system.tell('c@m2', go('s@m1', 1, 2))
    system.at(units(5), () => system.tell('s@m1', OPEN))
    await system.run()
    assert.equal(servedOf(facts), [1, 2, 3])
    assert.equal(
      facts.flatMap(({ type, outcome, at }) => (type === 'got' ? [[outcome, at]] : [])),
      [[{ reply: { type: 'goods', n: 3 } }, units(6)]],
    )
  },
  FAR,
)

for (const [how, reason] of [
  ['kill', 'the recipient is dead'],
  ['crash', 'the recipient is dead'],
  ['stop', 'the actor has stopped'],
] as const) {
  for (const reliable of [null, true]) {
    both(
      `deferred messages die with their actor as dead letters: ${how}${reliable ? ', reliable' : ''}`,
      async (system) => {
        await shops(system, 's@m1', 'c@m2')
        system.onDeath(() => {})
        const dead = linesOf(system, 'dead')
        await system.tell('c@m2', go('s@m1', 1, 2))
        await system.run({ until: units(3) })
        if (how === 'kill') await system.kill('s@m1')
        else await system.tell('s@m1', { type: how })
        await system.run()
        assert.equal([...system.deadLetters], [[reason, 3]])
        assert.equal(
          dead.map(({ from, to, type, reason: why }) => [from, to, type, why]),
          Array.from({ length: 3 }, () => ['c@m2', 's@m1', 'customer', reason]),
        )
      },
      { ...FAR, reliable, trace: true },
    )
  }
}

both(
  'more deferred messages than option deferred allows fail the step, and the error names the option',
  async (system) => {
    await shops(system, 's@m1')
    const causes: string[] = []
    system.onDeath(({ cause }) => causes.push(cause.message))
    await tells(system, 's@m1', customer(1), customer(2))
    await system.run()
    assert.equal(causes, [])
    await tells(system, 's@m1', customer(3))
    await system.run()
    assert.equal(causes, ['an actor deferred more messages than option deferred allows, 2'])
  },
  { deferred: 2 },
)

both(
  'messages that change the state and defer themselves for ever fail their actor, and so does a deferred timer',
  async (system) => {
    await shops(system, 's@m1', 't@m1')
    const causes: string[] = []
    system.onDeath(({ cause }) => causes.push(cause.message))
    await tells(system, 's@m1', { type: 'swap' })
    await tells(system, 't@m1', { type: 'wait' })
    await system.run()
    assert.is(causes.length, 2)
    assert.match(causes[0] ?? '', 'were handled 100000 times after one message (limit REHANDLED_MAX)')
    assert.match(causes[1] ?? '', 'defer() is for messages')
  },
  { memoryMB: 128 }, // all of these steps are reported in one round
)

/** Two customers and a shop that opens now and then, over a bad network, with deaths. */
async function rough(options: Options) {
  const bad = { latency: units(1), jitter: units(2), loss: 0.1, duplicate: 0.2 }
  return withSystem({ record: true, trace: true, network: bad, ...options }, async (system) => {
    const facts = await shops(system, 's@m1', 'c@m2', 'd@m3')
    for (let i = 0; i < 6; i++) {
      system.at(units(4 * i), () => tells(system, 'c@m2', go('s@m1', 100 * i, 3)))
      system.at(units(4 * i), () => tells(system, 'd@m3', go('s@m1', 100 * i + 50, 3)))
      system.at(units(4 * i + 3), () => tells(system, 's@m1', i % 2 ? OPEN : { type: 'close' }, last(i)))
    }
    system.at(units(14), () => system.restart('s@m1'))
    await system.run()
    const dead = [...system.deadLetters].sort()
    const lines = [...system.recorded()]
    await system.stop()
    return { served: servedOf(facts), dead, lines, hash: system.traceHash }
  })
}

const traceIn = (lines: readonly object[]): Trace => traceOf(lines.map((line) => JSON.parse(JSON.stringify(line))))

test('deferred messages are equal on threads and inline, and are replayed', async () => {
  for (const reliable of [null, true]) {
    const [threads, inline] = [await rough({ reliable }), await rough({ reliable, runtime: 'inline' })]
    assert.ok(threads.served.length > 10)
    assert.equal(inline.served, threads.served)
    assert.equal(inline.dead, threads.dead)
    assert.is(inline.hash, threads.hash)
    const trace = traceIn(inline.lines)
    assert.ok([...(await Replay.open(trace))].filter(({ step }) => step.deferred).length > 5)
    for (const who of ['s@m1', 'c@m2']) assert.ok([...(await Replay.open(trace, who))].length > 5)
  }
})

test('no other order is looked for between a deferred message and what it waited for', async () => {
  const { lines } = await rough({ runtime: 'inline' })
  const pairs = [...pairsIn(await Replay.open(traceIn(lines)))]
  assert.ok(pairs.length > 0)
  for (const { step } of pairs) assert.not(step.step.on.what === 'mail' && step.step.on.again)
  await racesIn(await Replay.open(traceIn(lines)))
})

test('a report shows a deferred message where it came and where it was handled at last', async () => {
  const lines = await withSystem({ runtime: 'inline', record: true, ...FAR }, async (system) => {
    await shops(system, 's@m1', 'c@m2')
    await tells(system, 'c@m2', go('s@m1', 1, 0))
    system.at(units(5), () => system.tell('s@m1', OPEN))
    await system.run()
    await system.stop()
    return [...system.recorded()]
  })
  const graph = new Graph(await shownRun({ name: '', lines: JSON.parse(JSON.stringify(lines)) }))
  const customers = Array.from(graph.at.keys()).filter((event) => graph.name(event) === 'customer')
  assert.equal(
    customers.map((event) => (graph.at[event] ?? 0) / units(1)),
    [1, 5],
  )
  assert.is(graph.cause[customers[1] ?? 0], customers[0])
})

const specification: Specification = {
  options: { seed: 1, network: network(1) },
  faults: [],
  addresses: ['s@m1', 'a@m2', 'b@m3', 'c@m4'],
  tasks: 1,
  only: () => specification,
  open: async (system) => {
    const facts = await shops(system, 's@m1')
    for (const [address, type, n] of [
      ['a@m2', 'last customer', 1],
      ['b@m3', 'customer', 2],
      ['c@m4', 'open', 3],
    ] as const) {
      await system.spawn(address, SHOP, { tells: { to: 's@m1', type, n } })
    }
    return { outcome: () => servedOf(facts).join(' then '), violations: () => [] }
  },
}

test('exploration finds all outcomes of deferred messages, with the reduction and without', async () => {
  const all = { depth: Number.POSITIVE_INFINITY, schedules: 1000 }
  for (const reduce of [true, false]) {
    const found = await exhaust({ specification, reduce, ...all })
    assert.equal([...found.outcomes.keys()].sort(), ['1', '2 then 1'])
    assert.equal([found.bound, found.failures], [undefined, []])
  }
})

test('in real time deferred messages are handled in the order of their coming', () =>
  withSystem({ time: 'real', scale: 1 }, async (system) => {
    const facts = await shops(system, 's@m1')
    await tells(system, 's@m1', customer(1), customer(2))
    await system.run()
    await tells(system, 's@m1', OPEN, customer(3))
    await system.run()
    assert.equal(servedOf(facts), [1, 2, 3])
  }))

test.run()
