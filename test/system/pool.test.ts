/** A pool of threads: what its actors share, and what the end of one of its threads takes along. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { System, type SystemInit } from '../../lib/system.ts'
import {
  does,
  errorOf,
  factsOf,
  fixture,
  note,
  notesOf,
  type Options,
  openHandles,
  PUPPET,
  spawnPuppets,
  withSystem,
} from './harness.ts'

const POOL: Options = { runtime: 'pool', poolThreads: 2 }

/** Two machines on one thread of a pool of two, and a third machine on the other thread. */
const [ONE, NEXT, OTHER] = ['m1', 'm2', 'm3'] as const
const ALL = [`a@${ONE}`, `b@${ONE}`, `c@${NEXT}`, `d@${OTHER}`] as const
const [A, B, C, D] = ALL

const living = (system: System): string[] =>
  system.actors.filter(({ status }) => status.type === 'alive').map(({ address }) => address)

for (const [how, cause] of [
  ['exit', /^the thread called process\.exit\(\d+\); it shared its thread with other actors \(runtime pool\)$/],
  ['loop', /^a step took longer than 300 ms \(option watchdogMs\); it shared its thread .*$/],
] as const) {
  test(`a step that ends its thread (${how}) takes along all actors of that thread, and no others`, () =>
    withSystem({ ...POOL, watchdogMs: 300 }, async (system) => {
      const facts = factsOf(system)
      const deaths = new Map<string, string>()
      system.onDeath(({ address, cause: { message } }) => deaths.set(address, message))
      await spawnPuppets(system, ...ALL)
      await system.tell(D, { type: 'note', n: 1 })
      await system.run()
      await system.tell(A, does({ act: how }))
      await system.run()
      assert.equal([...deaths.keys()], [A, B, C])
      for (const message of deaths.values()) assert.match(message, cause)
      assert.equal(living(system), [D])
      await system.tell(D, { type: 'note', n: 2 })
      await system.run()
      assert.equal(notesOf(facts, D), [1, 2])
    }))
}

test('an actor that throws or is killed leaves the others on its thread alone', () =>
  withSystem(POOL, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, ...ALL)
    system.onDeath(() => {})
    await system.tell(A, does({ act: 'throw', text: 'on purpose' }))
    await system.run()
    await system.kill(C)
    await system.tell(B, does(note(D, 1), note(B, 2)))
    await system.run()
    assert.equal(living(system), [B, D])
    assert.equal(notesOf(facts), [2, 1])
  }))

test('the actors of a thread that ended begin again on a new one, as their supervision says', () =>
  withSystem(POOL, async (system) => {
    const facts = factsOf(system)
    for (const [i, who] of ALL.entries()) {
      await system.spawn(who, PUPPET, null, { restart: i === 1 ? 'temporary' : 'permanent' })
    }
    system.onDeath(() => {})
    await system.run()
    await system.tell(A, does({ act: 'exit' }))
    await system.run()
    assert.equal(living(system), [A, C, D])
    await system.tell(C, does(note(A, 1), note(D, 2)))
    await system.run()
    assert.equal(notesOf(facts).sort(), [1, 2])
  }))

test('a child runs on the thread of its parent', () =>
  withSystem({ ...POOL, poolThreads: 7 }, async (system) => {
    const deaths: string[] = []
    system.onDeath(({ address }) => deaths.push(address))
    await spawnPuppets(system, A)
    await system.tell(A, does({ act: 'spawn', name: 'child' }))
    await system.run()
    await system.tell(`a.child@${ONE}`, does({ act: 'exit' }))
    await system.run()
    assert.ok(deaths.includes(A))
    assert.equal(living(system), [])
  }))

test('a module that does not load leaves the other actors of its thread alone', () =>
  withSystem(POOL, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, A)
    const error = await errorOf(system.spawn(B, fixture('throws-at-import.ts')))
    assert.match(error.stack ?? '', 'throws-at-import.ts')
    await spawnPuppets(system, B)
    await system.tell(A, does(note(B, 1)))
    await system.run()
    assert.equal(notesOf(facts, B), [1])
  }))

test('a pool has no more threads than its option says, and leaves none behind', async () => {
  const before = openHandles()
  await withSystem(POOL, async (system) => {
    await spawnPuppets(system, ...ALL, ...Array.from({ length: 16 }, (_, i) => `e@n${i}`))
    await system.run()
    const ports = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')
    assert.ok(ports.length <= 2 * 2, `${ports.length} ports`)
  })
  assert.is(openHandles(), before)
})

test('actors of a pool share the pages of mail of their thread, so that many fit into a small memory', () =>
  withSystem({ ...POOL, actors: 1023, memoryMB: 8 }, async (system) => {
    const facts = factsOf(system)
    const many = Array.from({ length: 1000 }, (_, i) => `p@m${i}`)
    await spawnPuppets(system, ...many)
    for (const [i, who] of many.entries()) await system.tell(who, does(note(many[(i + 1) % 1000] ?? who, i)))
    await system.run()
    assert.is(notesOf(facts).length, 1000)
  }))

test('what a pool cannot do is refused, with the option', async () => {
  const refusals: [SystemInit, RegExp][] = [
    [{ ...POOL, time: 'real' }, /^option runtime must be threads for time real: pool has virtual time only$/],
    [{ runtime: 'pool', poolThreads: 0 }, /^option poolThreads must be null or an integer from 1 to 256, not 0$/],
    [{ runtime: 'pool', poolThreads: 257 }, /^option poolThreads must be null or an integer from 1 to 256, not 257$/],
  ]
  for (const [options, message] of refusals) assert.throws(() => new System(options), message)
  await withSystem(POOL, async (system) => {
    const limited = system.spawn(A, PUPPET, null, { resourceLimits: { stackSizeMb: 2 } })
    assert.match((await errorOf(limited)).message, /option resourceLimits needs runtime threads, since in a pool/)
  })
})

test.run()
