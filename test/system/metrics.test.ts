/** The numbers of a system: `metrics`, and their OpenMetrics text. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { Meters, TYPES_MAX } from '../../lib/memory/meters.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { type Metrics, openMetrics, System } from '../../lib/system.ts'
import workshop from '../fixtures/workshop/workshop.ts'
import { readOpenMetrics } from '../openmetrics.ts'
import { both, does, fixture, later, network, note, PUPPET, spawnPuppets, withSystem } from './harness.ts'

/** The numbers without the times of handling, which differ from run to run. */
const fixed = ({ actors, ...rest }: Metrics) => ({ ...rest, actors: actors.map(({ handling, ...actor }) => actor) })

const actorIn = ({ actors }: Metrics, who: string) => actors.find(({ address }) => address === who)

both(
  'mail waits in a mailbox while its actor is paused, and the metrics say how much and how long',
  async (system) => {
    await spawnPuppets(system, 'a@m1', 'b@m2')
    await system.tell('a@m1', does(note('b@m2', 1), note('b@m2', 2), later(units(1), does(note('b@m2', 3)))))
    await system.run({ until: 0 })
    await system.pause('b@m2', units(10))
    await system.run({ until: units(9) })
    const before = actorIn(system.metrics(), 'b@m2')
    assert.equal([before?.mailbox, before?.mailboxMost, before?.wait.count], [3, 1, 0])
    await system.run()
    const after = actorIn(system.metrics(), 'b@m2')
    assert.equal([after?.mailbox, after?.mailboxMost, after?.steps], [0, 3, 4])
    // they came at 2, 2 and 3, and were handled at 10
    assert.equal([after?.wait.count, after?.wait.sum, after?.wait.most], [3, units(23), units(8)])
    assert.equal(after?.wait.buckets.at(4), { upTo: units(10), count: 3 })
  },
  { metrics: true, network: network(2) },
)

both(
  'the metrics count messages by type, dead letters, restarts and deferred messages',
  async (system) => {
    system.onDeath(() => {})
    await system.spawn('a@m1', PUPPET, null, { restart: 'transient' })
    await system.spawn('shop@m1', fixture('shop.ts'))
    await system.tell('a@m1', does(note('a@m1', 1), note('nobody@m1', 2)))
    await system.run()
    await system.kill('a@m1')
    await system.tell('a@m1', { type: 'note', n: 4 })
    await system.tell('shop@m1', { type: 'customer', n: 5 })
    await system.run()
    const { messages, deadLetters, actors } = system.metrics()
    assert.equal(
      [...messages],
      [
        ['customer', 1],
        ['do', 1],
        ['note', 2],
      ],
    )
    assert.equal([...deadLetters], [['no such actor', 1]])
    assert.equal(
      actors.map(({ address, status, restarts, steps, deferred }) => [address, status, restarts, steps, deferred]),
      [
        ['a@m1', 'alive', 1, 5, 0],
        ['shop@m1', 'alive', 0, 2, 1],
      ],
    )
  },
  { metrics: true },
)

test('the metrics of a run with faults are the same on threads and inline, at every instant, but for times of handling', async () => {
  const model = workshop.modelOf(new Map())
  const faults = [
    'kill owner.shop.crew.press@s at 9',
    'pause owner.shop.store@s for 9 at 14',
    'kill owner.shop@s at 30',
  ]
  const runs = []
  for (const runtime of ['threads', 'inline'] as const) {
    const seen: unknown[] = []
    const options = { runtime, metrics: true, network: { latency: units(2), loss: 0.1 } }
    const onSystem = (system: System): void => {
      for (const t of [1, 10, 20, 40]) system.at(units(t), async () => void seen.push(fixed(system.metrics())))
    }
    const { metrics } = await workshop.run(
      model,
      options,
      faults.map((fault) => parseFault(fault)),
      { onSystem },
    )
    for (const { address, handling, steps, restarts } of metrics?.actors ?? []) {
      assert.ok(handling.sum > 0 === steps > 0, address)
      // inline, one step in sixteen of each incarnation is timed
      const [least, most] = runtime === 'threads' ? [steps, steps] : [steps / 16, steps / 16 + restarts + 1]
      assert.ok(handling.count >= least && handling.count <= most, `${address}: ${handling.count} of ${steps}`)
    }
    runs.push([...seen, metrics && fixed(metrics)])
  }
  assert.equal(runs[0], runs[1])
})

test('types that many threads meet at one instant have one place each', () =>
  withSystem({ metrics: true }, async (system) => {
    const actors = Array.from({ length: 8 }, (_, n) => `a@m${n + 1}`)
    await spawnPuppets(system, ...actors)
    const types = Array.from({ length: 250 }, (_, n) => `type ${n}`)
    for (const who of actors) for (const type of types) await system.tell(who, { type })
    await system.run()
    const { messages } = system.metrics()
    assert.equal(
      types.filter((type) => messages.get(type) !== actors.length),
      [],
    )
    assert.is(messages.get(''), undefined)
  }))

test('measuring changes no run', async () => {
  const model = workshop.modelOf(new Map())
  const hashes = new Set<string>()
  for (const metrics of [false, true]) {
    hashes.add((await workshop.run(model, { runtime: 'inline', trace: true, metrics }, [])).traceHash)
  }
  assert.is(hashes.size, 1)
})

test('in real time the metrics tell how long messages waited for their actor', () =>
  withSystem({ time: 'real', metrics: true }, async (system) => {
    await spawnPuppets(system, 'a@m1')
    // the note is sent at the instant at which the work begins
    await system.tell('a@m1', does({ act: 'work', ms: 30 }, note('a@m1', 1)))
    await system.run()
    const { wait, handling } = actorIn(system.metrics(), 'a@m1') ?? {}
    assert.is(wait?.count, 2)
    assert.ok((wait?.most ?? 0) >= units(20), `${wait?.most}`)
    assert.ok((handling?.most ?? 0) >= 0.03 && handling?.count === 3, `${handling?.most}`)
  }))

test('without the option, metrics() says how to have them', () =>
  withSystem({ runtime: 'inline' }, async (system) => {
    assert.throws(() => system.metrics(), /option metrics: new System\(\{ metrics: true \}\)/)
  }))

test('metrics of actors on hosts are refused in a line', () => {
  const hosts = {
    access: { url: new URL('nats://127.0.0.1'), insecure: false },
    hosts: ['h1'],
    places: [],
    note: () => {},
  }
  assert.throws(() => new System({ time: 'real', metrics: true, hosts }), /option metrics needs actors in this process/)
})

test('the text of the metrics is OpenMetrics, also for types and reasons with any characters', () =>
  withSystem({ runtime: 'inline', metrics: true, network: network(2) }, async (system) => {
    await spawnPuppets(system, 'a@m1', 'b@m1')
    await system.tell('a@m1', does({ act: 'spawn', name: '1' }, note('b@m1', 1), later(1, does(note('a.1@m1', 1)))))
    for (const type of ['say "so"', 'back\\slash', 'two\nlines', 'é€😀']) await system.tell('b@m1', { type })
    await system.run()
    const metrics = system.metrics()
    const families = readOpenMetrics(openMetrics({ ...metrics, deadLetters: new Map([['no "such" actor', 2]]) }))
    const shown = (name: string) =>
      families.get(name)?.samples.map(({ labels, value }) => [...labels.values(), value].join(' '))
    assert.equal(shown('bourse_actors')?.slice(0, 4), ['a alive 1', 'a dead 0', 'a stopped 0', 'b alive 1'])
    assert.equal(shown('bourse_dead_letters'), ['no "such" actor 2'])
    assert.equal(
      families.get('bourse_messages')?.samples.map(({ labels }) => labels.get('type')),
      [...metrics.messages.keys()],
    )
    assert.is(families.get('bourse_handling_seconds')?.unit, 'seconds')
    assert.is(families.size, 11)
  }))

test('an empty system has a text, too', () =>
  withSystem({ runtime: 'inline', metrics: true }, async (system) => {
    const families = readOpenMetrics(openMetrics(system.metrics()))
    assert.is(families.get('bourse_actors')?.samples.length, 0)
  }))

test('types beyond the table, and long ones, are counted together', () => {
  const meters = new Meters(2, false)
  const count = (type: string): void => meters.count(meters.placeOf(type))
  for (let n = 0; n < TYPES_MAX + 10; n++) count(`type ${n}`)
  count('x'.repeat(100))
  for (const other of ['type 7', 'type 7']) count(other)
  const { messages } = meters
  assert.equal([messages.get(''), messages.get('type 7'), messages.size], [11, 3, TYPES_MAX + 1])
})

test.run()
