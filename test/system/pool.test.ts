/** A pool of threads: what its actors share, and what the end of one of its threads takes along. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { System, type SystemInit } from '../../lib/system.ts'
import {
  does,
  errorOf,
  factsOf,
  fixture,
  note,
  notes,
  notesOf,
  type Options,
  openHandles,
  PUPPET,
  spawnPuppets,
  until,
  withSystem,
} from './harness.ts'

const POOL: Options = { runtime: 'pool', poolThreads: 2 }
const REAL: Options = { ...POOL, time: 'real', scale: 1 }

/** Declares a test for a pool in virtual time and one in real time. */
function both(title: string, use: (options: Options) => Promise<void>): void {
  test(title, () => use(POOL))
  test(`${title}, in real time`, () => use(REAL))
}

const folder = mkdtempSync(join(tmpdir(), 'bourse-pool-'))
test.after(() => rmSync(folder, { recursive: true }))

/** Two machines on one thread of a pool of two, and a third machine on the other thread. */
const [ONE, NEXT, OTHER] = ['m1', 'm2', 'm3'] as const
const ALL = [`a@${ONE}`, `b@${ONE}`, `c@${NEXT}`, `d@${OTHER}`] as const
const [A, B, C, D] = ALL

const HOSTS = {
  access: { url: new URL('nats://127.0.0.1:1'), insecure: false },
  hosts: ['h1'],
  places: [],
  note: () => {},
}

/** Gives threads that start meanwhile a heap of about 60 MB; the flag is of V8, and 0 is its default. */
async function withSmallHeaps(act: () => Promise<void>): Promise<void> {
  setFlagsFromString('--max-old-space-size=10')
  await act().finally(() => setFlagsFromString('--max-old-space-size=0'))
}

const living = (system: System): string[] =>
  system.actors.filter(({ status }) => status.type === 'alive').map(({ address }) => address)

for (const [how, watchdogMs, cause] of [
  ['exit', 10_000, /^the thread called process\.exit\(\d+\); it shared its thread with other actors \(runtime pool\)$/],
  ['loop', 300, /^a step took longer than 300 ms \(option watchdogMs\); it shared its thread .*$/],
  ['fill memory', 60_000, /^Worker terminated due to reaching memory limit.*; it shared its thread .*$/],
] as const) {
  both(`a step that ends its thread (${how}) takes along all actors of that thread, and no others`, (options) =>
    withSystem({ ...options, watchdogMs }, async (system) => {
      const facts = factsOf(system)
      const deaths = new Map<string, string>()
      system.onDeath(({ address, cause: { message } }) => deaths.set(address, message))
      await withSmallHeaps(() => spawnPuppets(system, ...ALL))
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
    }),
  )
}

both('an actor that throws or is killed leaves the others on its thread alone', (options) =>
  withSystem(options, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, ...ALL)
    system.onDeath(() => {})
    await system.tell(A, does({ act: 'throw', text: 'on purpose' }))
    await system.run()
    await system.kill(C)
    await system.tell(B, does(note(D, 1), note(B, 2)))
    await system.run()
    assert.equal(living(system), [B, D])
    assert.equal(notesOf(facts).sort(), [1, 2])
  }),
)

both('the actors of a thread that ended begin again on a new one, as their supervision says', (options) =>
  withSystem(options, async (system) => {
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
  }),
)

both('a child runs on the thread of its parent', (options) =>
  withSystem({ ...options, poolThreads: 7 }, async (system) => {
    const deaths: string[] = []
    system.onDeath(({ address }) => deaths.push(address))
    await spawnPuppets(system, A)
    await system.tell(A, does({ act: 'spawn', name: 'child' }))
    await system.run()
    await system.tell(`a.child@${ONE}`, does({ act: 'exit' }))
    await system.run()
    assert.ok(deaths.includes(A))
    assert.equal(living(system), [])
  }),
)

both('a module that does not load leaves the other actors of its thread alone', (options) =>
  withSystem(options, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, A)
    const error = await errorOf(system.spawn(B, fixture('throws-at-import.ts')))
    assert.match(error.stack ?? '', 'throws-at-import.ts')
    await spawnPuppets(system, B)
    await system.tell(A, does(note(B, 1)))
    await system.run()
    assert.equal(notesOf(facts, B), [1])
  }),
)

both('a pool has no more threads than its option says, and leaves none behind', async (options) => {
  const before = openHandles()
  await withSystem(options, async (system) => {
    await spawnPuppets(system, ...ALL, ...Array.from({ length: 16 }, (_, i) => `e@n${i}`))
    await system.run()
    const ports = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')
    assert.ok(ports.length <= 2 * 2, `${ports.length} ports`)
  })
  assert.is(openHandles(), before)
})

both('actors of a pool share the pages of mail of their thread, so that many fit into a small memory', (options) =>
  withSystem({ ...options, actors: 1023, memoryMB: 8 }, async (system) => {
    const facts = factsOf(system)
    const many = Array.from({ length: 1000 }, (_, i) => `p@m${i}`)
    await spawnPuppets(system, ...many)
    for (const [i, who] of many.entries()) await system.tell(who, does(note(many[(i + 1) % 1000] ?? who, i)))
    await system.run()
    assert.is(notesOf(facts).length, 1000)
  }),
)

for (const [act, cause] of [
  ['kill', 'Killed'],
  ['restart', 'Hung'],
] as const) {
  test(`in real time a ${act} of an actor in an endless step returns, and its thread ends`, () =>
    withSystem({ ...REAL, watchdogMs: 300 }, async (system) => {
      const facts = factsOf(system)
      const deaths = new Map<string, string>()
      system.onDeath(({ address, cause: { name } }) => deaths.set(address, name))
      await spawnPuppets(system, ...ALL)
      const path = join(folder, act)
      await system.tell(A, does({ act: 'make file', path }, { act: 'loop' }))
      const run = system.run()
      await until(() => existsSync(path))
      await system[act](A)
      await run
      assert.equal([...deaths].sort(), [
        [A, cause],
        [B, 'Hung'],
        [C, 'Hung'],
      ])
      await system.tell(D, does(note(A, 2)))
      await system.run()
      assert.equal(notesOf(facts, A), act === 'kill' ? [] : [2])
    }))
}

test('in real time an actor begins on a new thread if another actor ends the thread that it was to begin on', () =>
  withSystem(REAL, async (system) => {
    const facts = factsOf(system)
    const deaths: string[] = []
    system.onDeath(({ address }) => deaths.push(address))
    await spawnPuppets(system, ...ALL)
    await system.kill(B)
    const path = join(folder, 'last step')
    await system.tell(A, does({ act: 'make file', path }, { act: 'work', ms: 200 }, { act: 'exit' }))
    const run = system.run()
    await until(() => existsSync(path))
    await system.restart(B)
    await run
    assert.equal(deaths, [B, A, C])
    await system.tell(D, does(note(B, 1)))
    await system.run()
    assert.equal(notesOf(facts, B), [1])
  }))

test('in real time an actor dies with its thread that has begun it and ended before the system heard of either', async () => {
  const { postMessage } = Worker.prototype
  await withSystem(REAL, async (system) => {
    const deaths: string[] = []
    system.onDeath(({ address }) => deaths.push(address))
    await spawnPuppets(system, ...ALL)
    await system.kill(B)
    const path = join(folder, 'begun')
    await system.tell(A, does({ act: 'make file', path }, { act: 'work', ms: 100 }))
    await system.tell(C, does({ act: 'exit' }))
    const run = system.run()
    await until(() => existsSync(path))
    const restarting = system.restart(B)
    Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<typeof postMessage>) {
      Worker.prototype.postMessage = postMessage
      queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)) // main does nothing meanwhile
      return Reflect.apply(postMessage, this, args)
    }
    await restarting
    await run
    assert.equal(deaths, [B, A, B, C])
  }).finally(() => {
    Worker.prototype.postMessage = postMessage
  })
})

test('in real time an actor begins on a new thread if its thread hangs', () =>
  withSystem({ ...REAL, watchdogMs: 300 }, async (system) => {
    const deaths: string[] = []
    system.onDeath(({ address, cause: { name } }) => deaths.push(`${address} ${name}`))
    await spawnPuppets(system, A, D)
    const path = join(folder, 'hangs')
    await system.tell(A, does({ act: 'make file', path }, { act: 'loop' }))
    const run = system.run()
    await until(() => existsSync(path))
    await system.spawn(B, fixture('slow-to-load.ts')) // a module that the thread has not loaded
    await run
    assert.equal(deaths, [`${A} Hung`])
    assert.equal(living(system), [D, B])
  }))

test('in real time a thread that loads a module for longer than a step may take is not taken for hung', () =>
  withSystem({ ...REAL, watchdogMs: 150 }, async (system) => {
    const deaths: string[] = []
    system.onDeath(({ address, cause: { name } }) => deaths.push(`${address} ${name}`))
    await spawnPuppets(system, A)
    const run = system.run()
    await system.spawn(B, fixture('slow-to-load.ts'))
    await run
    await system.run()
    assert.equal([deaths, living(system)], [[], [A, B]])
  }))

test('in real time two busy actors of one thread act in turns', () =>
  withSystem(REAL, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, A, B)
    await system.tell(A, does(...notes(A, 1000), ...notes(B, 1000)))
    await system.run()
    const order = facts.filter(({ type }) => type === 'noted').map(({ who }) => who)
    assert.is(order.length, 2000)
    assert.ok(
      order.indexOf(B) < order.lastIndexOf(A) && order.indexOf(A) < order.lastIndexOf(B),
      'one waited for the other',
    )
    const turns = order.filter((who, i) => who !== order[i - 1]).length
    assert.ok(turns > 100, `${turns} turns`)
  }))

test('in real time an idle actor beside one that works for long is not taken for hung', () =>
  withSystem({ ...REAL, watchdogMs: 1000 }, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, B, A)
    for (let n = 0; n < 15; n++) await system.tell(A, does({ act: 'work', ms: 100 }))
    await system.run()
    assert.is(facts.filter(({ type }) => type === 'worked').length, 15)
    assert.equal(living(system), [B, A])
  }))

test('what a pool cannot do is refused, with the option', async () => {
  const refusals: [SystemInit, RegExp][] = [
    [
      { ...REAL, hosts: HOSTS },
      /^option hosts needs runtime threads, since a host gives each actor a thread of its own$/,
    ],
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
