import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { type Death, System } from '../../lib/system.ts'
import {
  does,
  errorOf,
  factsOf,
  later,
  network,
  note,
  notes,
  notesOf,
  type Options,
  PUPPET,
  spawnPuppets,
  tellTo,
  withSystem,
} from '../system/harness.ts'

/** Options for real time, with a millisecond per unit. */
const REAL: Options = { time: 'real', scale: 1 }
const POOL: Options = { ...REAL, runtime: 'pool', poolThreads: 2 }

/** Declares a test for threads and one for a pool of two threads. */
function both(title: string, use: (options: Options) => Promise<void>): void {
  test(title, () => use(REAL))
  test(`${title}, in a pool`, () => use(POOL))
}

const SENDERS = ['a@m1', 'b@m2', 'c@m3']

both(
  'in real time mail between two actors arrives once and in order, with and without delays, and the run ends when all is quiet',
  async (options) => {
    for (const delays of [network(0), network(1, 5)]) {
      await withSystem({ ...options, network: delays }, async (system) => {
        const facts = factsOf(system)
        await spawnPuppets(system, ...SENDERS, 'r@m9')
        for (const [i, sender] of SENDERS.entries()) await system.tell(sender, does(...notes('r@m9', 300, 1000 * i)))
        const end = await system.run()
        assert.is(end.ended, 'idle')
        for (const [i, sender] of SENDERS.entries()) {
          const got = facts.filter((fact) => fact['from'] === sender).map((fact) => fact['n'])
          assert.equal(
            got,
            Array.from({ length: 300 }, (_, k) => 1000 * i + k),
          )
        }
        assert.is(system.deadLetters.size, 0)
      })
    }
  },
)

both('in real time timers fire in the order of their instants, and none fires too early', async (options) => {
  await withSystem(options, async (system) => {
    const facts = factsOf(system)
    const delays = [30, 10, 20, 0, 10, 5]
    const kinds = ['protocol', 'completion', 'arrival', 'protocol', 'protocol', 'arrival'] as const
    await system.spawn('a@m1', PUPPET, {
      start: delays.map((delay, n) =>
        later(units(delay), { type: 'note', n }, { id: `t${n}`, ...(kinds[n] && { kind: kinds[n] }) }),
      ),
    })
    await system.run()
    assert.equal(notesOf(facts), [3, 5, 1, 4, 2, 0])
    const began = facts.find(({ type }) => type === 'began')?.at ?? 0
    for (const { n, at } of facts.filter(({ type }) => type === 'noted')) {
      assert.ok(at >= began + units(delays[Number(n)] ?? 0), `timer ${n} at ${at}`)
    }
  })
})

both('in real time without delays no effect is seen before its cause', async (options) => {
  await withSystem(options, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'b@m2', 'c@m3')
    const story = Array.from({ length: 200 }, (_, i) => [
      note('c@m3', 2 * i),
      tellTo('b@m2', does(note('c@m3', 2 * i + 1))),
    ])
    await system.tell('a@m1', does(...story.flat()))
    await system.run()
    const seen = notesOf(facts, 'c@m3').map(Number)
    assert.is(seen.length, 400)
    for (let i = 0; i < 200; i++) assert.ok(seen.indexOf(2 * i) < seen.indexOf(2 * i + 1))
  })
})

both(
  'in real time a killed actor sends nothing more, mail to it is a dead letter, and a restart restores its records',
  async (options) => {
    await withSystem(options, async (system) => {
      const deaths: Death[] = []
      const facts = factsOf(system)
      await spawnPuppets(system, 'a@m1')
      await system.spawn('r@m9', PUPPET)
      system.watch('r@m9', (death) => deaths.push(death))
      const records = Array.from({ length: 50 }, (_, record) => ({ act: 'persist', record }) as const)
      await system.tell('r@m9', does(...records, later(units(1e6), { type: 'note', n: 1 })))
      // its answer shows that everything sent before it is done
      await system.ask('r@m9', { type: 'question', n: 1 }, { deadline: units(10_000) })
      await system.kill('r@m9')
      await system.tell('a@m1', does(note('r@m9', 2)))
      await system.run()
      assert.equal(notesOf(facts), [])
      assert.equal([...system.deadLetters], [['the recipient is dead', 1]])
      assert.equal(
        deaths.map(({ cause }) => cause.name),
        ['Killed'],
      )
      await system.restart('r@m9')
      await system.tell('a@m1', does(note('r@m9', 3)))
      await system.run()
      assert.equal(notesOf(facts), [3])
      assert.equal(
        facts.findLast(({ type }) => type === 'began')?.['records'],
        Array.from({ length: 50 }, (_, i) => i),
      )
    })
  },
)

both('in real time an actor that is restarted in the middle of its work keeps all it persisted', async (options) => {
  await withSystem(options, async (system) => {
    const facts = factsOf(system)
    await system.spawn('r@m9', PUPPET)
    await spawnPuppets(system, 'a@m1')
    for (let incarnation = 0; incarnation < 5; incarnation++) {
      const work = Array.from({ length: 400 }, (_, i) =>
        tellTo('r@m9', does({ act: 'persist', record: 400 * incarnation + i }, { act: 'count' })),
      )
      await system.tell('a@m1', does(...work))
      const counted = facts.length
      const run = system.run()
      while (facts.length < counted + 20) await new Promise((resolve) => setImmediate(resolve))
      await system.restart('r@m9')
      await run
    }
    await system.run()
    // Every step that was reported in a fact has its record.
    const records = facts.findLast(({ type }) => type === 'began')?.['records']
    const told = facts
      .slice(
        0,
        facts.findLastIndex(({ type }) => type === 'began'),
      )
      .filter(({ type }) => type === 'counted')
    assert.ok(Array.isArray(records))
    assert.is(records.length, told.length)
    assert.equal(
      records,
      [...records].sort((a, b) => a - b),
    )
  })
})

both('in real time a sequence of awaited calls sets no timeout', async (options) => {
  await withSystem(options, async (system) => {
    await spawnPuppets(system, 'r@m9')
    await system.tell('r@m9', does(later(units(60_000), { type: 'note', n: 1 })))
    const run = system.run()
    await system.tell('r@m9', { type: 'note', n: 0 })
    const { setTimeout } = globalThis
    let timeouts = 0
    const counting: typeof setTimeout = Object.assign((...given: Parameters<typeof setTimeout>) => {
      timeouts++
      return setTimeout(...given)
    }, setTimeout)
    globalThis.setTimeout = counting
    try {
      for (let n = 1; n < 100; n++) await system.tell('r@m9', { type: 'note', n })
    } finally {
      globalThis.setTimeout = setTimeout
    }
    assert.is(timeouts, 0)
    await system.stop()
    await run
  })
})

both('in real time a paused actor handles nothing until its pause is over', async (options) => {
  await withSystem(options, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    let end = 0
    system.at(0, async () => {
      await system.pause('r@m9', units(80))
      end = system.now
    })
    await system.tell('a@m1', does(later(units(20), does(note('r@m9', 1)))))
    await system.run()
    const noted = facts.find(({ type }) => type === 'noted')
    assert.ok(noted && noted.at >= end + units(79), `${noted?.at} after ${end}`)
  })
})

both('in real time an ask gets its answer or fails at its deadline', async (options) => {
  await withSystem(options, async (system) => {
    await spawnPuppets(system, 'r@m9')
    assert.is((await system.ask('r@m9', { type: 'question', n: 21 }, { deadline: units(10_000) }))['n'], 42)
    const error = await errorOf(system.ask('r@m9', { type: 'note', n: 1 }, { deadline: units(5) }))
    assert.is(error.name, 'AskTimeout')
  })
})

test('in real time an actor that throws, exits or loops for ever dies without ending the run', async () => {
  await withSystem({ ...REAL, watchdogMs: 400 }, async (system) => {
    const deaths: Death[] = []
    system.onDeath((death) => deaths.push(death))
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'x@m2', 'y@m3', 'z@m4')
    await system.tell('x@m2', does(note('a@m1', 99), { act: 'throw', text: 'on purpose' }))
    await system.tell('y@m3', does(note('a@m1', 99), { act: 'exit' }))
    await system.tell('z@m4', does(note('a@m1', 99), { act: 'loop' }))
    await system.tell('a@m1', does(later(units(3), { type: 'note', n: 1 })))
    assert.is((await system.run()).ended, 'idle')
    assert.equal(notesOf(facts), [1])
    const causes = deaths.map(({ address, cause }) => `${address} ${cause.name}`).sort()
    assert.equal(causes, ['x@m2 RangeError', 'y@m3 Exit', 'z@m4 Hung'])
  })
})

test('real time needs threads or a pool', () => {
  const inline = () => new System({ time: 'real', runtime: 'inline' })
  assert.throws(inline, /^option runtime must be threads or pool for time real: inline has virtual time only$/)
})

test.run()
