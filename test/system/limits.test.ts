import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import type { RunEnd } from '../../lib/system.ts'
import { Clock } from '../clock/milliseconds.ts'
import {
  both,
  does,
  errorOf,
  factsOf,
  fixture,
  later,
  nextRuntimes,
  note,
  notes,
  notesOf,
  type Options,
  PUPPET,
  spawnPuppets,
  tellTo,
  withSystem,
} from './harness.ts'

both(
  'a run that reaches its limit of rounds ends, and lists what each actor waits for',
  async (system) => {
    await system.spawn('a@m1', fixture('echo.ts'))
    await system.spawn('b@m2', fixture('echo.ts'))
    await system.tell('a@m1', { type: 'serve', to: 'b@m2' })
    const end = await system.run()
    assert.is(end.ended, 'rounds')
    assert.is(end.waiting.length, 1)
    assert.match(end.waiting[0] ?? '', /^([ab]@m[12]) waits for (?!\1)[ab]@m[12] to read 'ball'$/)
    assert.is((await system.run()).ended, 'rounds')
  },
  { rounds: 1000 },
)

both(
  'at the limit of rounds the list also has an actor that waits only for its own timers, and time stands still',
  async (system) => {
    await spawnPuppets(system, 'a@m1')
    // A timer without delay that sets itself again, nested as deeply as data may be.
    const again = Array.from({ length: 12 }).reduce<ReturnType<typeof does>>(
      (event) => does(later(0, event)),
      does(note('a@m1', 1)),
    )
    await system.tell('a@m1', again)
    const end = await system.run({ until: units(5) })
    const limit = '6 rounds (option rounds)'
    assert.equal(end, { ended: 'rounds', now: 0, limit, waiting: ['a@m1 waits for its protocol timer'] })
  },
  { rounds: 6 },
)

both(
  'a listener of rounds is called once for each time that it asks',
  async (system) => {
    await system.spawn('a@m1', fixture('echo.ts'))
    await system.spawn('b@m2', fixture('echo.ts'))
    await system.tell('a@m1', { type: 'serve', to: 'b@m2' })
    const heard: number[] = []
    const ask = (): void =>
      system.afterRounds(system.rounds + 30, () => {
        heard.push(system.rounds)
        ask()
      })
    ask()
    assert.is((await system.run()).ended, 'rounds')
    assert.equal(heard, [31, 62, 93])
  },
  { rounds: 100 },
)

/** Whether this process has said that the time of a run does not move on. */
let hasSaid = false

both(
  'a run whose time does not move on ends at its limit of rounds at one instant, and says so on stderr',
  async (system) => {
    const written: string[] = []
    const { write } = process.stderr
    process.stderr.write = (text: unknown) => written.push(String(text)) > 0
    try {
      await spawnPuppets(system, 'b@m1')
      await system.spawn('a@m1', fixture('echo.ts'))
      // more warnings of messages than a process prints
      for (let n = 0; n < 110; n++) await system.tell('b@m1', { type: `odd ${n}` })
      await system.tell('b@m1', does(later(3, does(tellTo('a@m1', { type: 'serve', to: 'a@m1' })))))
      const end = await system.run()
      const limit = `50 rounds at instant 0.000003, so that time does not move on (option subrounds)`
      const waiting = ["a@m1 waits for a@m1 to read 'ball'"]
      assert.equal(end, { ended: 'subrounds', now: 3, limit, waiting })
      const line = `bourse: the run ended at its limit of ${limit}; ${waiting}\n`
      // one line for each process
      assert.equal(
        written.filter((text) => text.startsWith('bourse: the run')),
        hasSaid ? [] : [line],
      )
      hasSaid = true
      assert.is((await system.run()).ended, 'subrounds')
    } finally {
      process.stderr.write = write
    }
  },
  { subrounds: 50 },
)

both(
  'a run may have more rounds than its limit at one instant',
  async (system) => {
    await spawnPuppets(system, 'a@m1')
    const ticks = Array.from({ length: 60 }, (_, t) => later(t, { type: 'note', n: t }, { id: `t${t}` }))
    await system.tell('a@m1', does(...ticks))
    const { ended, limit } = await system.run()
    assert.equal([ended, limit], ['idle', null])
  },
  { subrounds: 50 },
)

both(
  'listeners do not change the number of rounds, and the waiting actors are listed in the order of sending',
  async (_, options) => {
    const ends = await Promise.all(
      [{}, { trace: true }, { listens: true }].map(({ listens, ...more }: Options & { listens?: boolean }) =>
        withSystem({ ...options, ...more }, async (system) => {
          if (listens) system.onDelivery(() => {})
          const names = ['a@m1', 'b@m2', 'c@m3', 'd@m4']
          await spawnPuppets(system, ...names)
          const text = 'long'.repeat(10_000) // takes pages of its own, after the pages of all others
          const to = (i: number) => names[(i + 1) % 4] ?? ''
          for (const [i, name] of names.entries()) {
            const last = tellTo(to(i), { type: 'note', n: 0, ...(i === 0 && { text }) })
            await system.tell(name, does(tellTo(to(i), does(tellTo(name, does(last))))))
          }
          return system.run()
        }),
      ),
    )
    const [first] = ends
    assert.is(first?.ended, 'rounds')
    const read = ['a@m1 waits for b@m2', 'b@m2 waits for c@m3', 'c@m3 waits for d@m4', 'd@m4 waits for a@m1']
    assert.equal(
      first?.waiting,
      read.map((line) => `${line} to read 'note'`),
    )
    for (const end of ends) assert.equal(end, first)
  },
  { rounds: 3 },
)

both(
  'calls from outside do not keep a run from ending at its limit of rounds',
  async (_, options) => {
    for (const listens of [false, true]) {
      await withSystem(options, async (system) => {
        if (listens) system.onDelivery(() => {})
        await spawnPuppets(system, 'a@m1')
        let end: RunEnd | undefined
        void system.run().then((it) => {
          end = it
        })
        let n = 0
        while (!end && n < 1000) await system.tell('a@m1', { type: 'note', n: n++ })
        assert.is(end?.ended, 'rounds')
        assert.is(n, 10) // the first round is the start, and the last one is reported after the run
      })
    }
  },
  { rounds: 10 },
)

both('a run ends when it is idle, or at the given instant', async (system) => {
  await spawnPuppets(system, 'a@m1')
  await system.tell('a@m1', does(later(units(2), { type: 'note', n: 1 }), later(units(4), { type: 'stop' })))
  assert.equal(await system.run({ until: units(3) }), { ended: 'until', now: units(3), limit: null, waiting: [] })
  assert.equal(await system.run({ until: units(3.5) }), { ended: 'until', now: units(3.5), limit: null, waiting: [] })
  assert.equal(await system.run(), { ended: 'idle', now: units(4), limit: null, waiting: [] })
  assert.equal(await system.run({ until: units(9) }), { ended: 'idle', now: units(9), limit: null, waiting: [] })
})

both(
  'a timer, a message or a wait beyond the largest time is refused, and the error names the limit',
  async (system) => {
    const deaths: string[] = []
    system.onDeath(({ cause }) => deaths.push(`${cause.name}: ${cause.message}`))
    await spawnPuppets(system, 'a@m1', 'b@m2')
    const limit = 'beyond the largest time TIME_MAX, 9007199254.740992 units: choose a shorter delay'
    await system.tell('a@m1', does(later(units(5), does(later(Number.MAX_SAFE_INTEGER, { type: 'note', n: 1 })))))
    await system.tell('b@m2', does(later(units(5), does(note('a@m1', 1)))))
    assert.is((await system.run()).ended, 'idle')
    assert.equal(deaths, [`RangeError: timer note would be due 9007199254.740992 units after 5, ${limit}`])
    const late = Number.MAX_SAFE_INTEGER
    const paused = await errorOf(system.pause('b@m2', late))
    assert.is(paused.message, `pause: the end would be due 9007199254.740992 units after 5, ${limit}`)
    const asked = await errorOf(system.ask('b@m2', { type: 'question', n: 1 }, { deadline: late }))
    assert.is(asked.message, `ask: the deadline would be due 9007199254.740992 units after 5, ${limit}`)
  },
)

both(
  'a message that the network would deliver beyond the largest time fails its step, and the error names the limit',
  async (system) => {
    const deaths: string[] = []
    system.onDeath(({ cause }) => deaths.push(cause.message))
    await spawnPuppets(system, 'a@m1', 'b@m2')
    await system.tell('a@m1', does(later(units(5), does(note('b@m2', 1)))))
    await system.run()
    assert.is(deaths.length, 1)
    assert.match(deaths[0] ?? '', /^a message \(option network\.latency, network\.jitter\) would be due .* TIME_MAX/)
  },
  { network: { latency: Number.MAX_SAFE_INTEGER } },
)

test('memory for the shapes of messages that is full ends the run, not an actor, and the error names the limit', async () => {
  const deaths: string[] = []
  await withSystem({ runtime: 'threads', memoryMB: 0.5 }, async (system) => {
    await spawnPuppets(system, 'a@m1')
    system.onDeath(({ address }) => deaths.push(address))
    // Each type is a shape. There is room for the shapes of the system, but not also for those of a thread.
    const types = Array.from({ length: 700 }, (_, i) => `${'long'.repeat(10)} ${i}`)
    await system.tell('a@m1', does(...types.map((type) => tellTo('a@m1', { type }))))
    const error = await errorOf(system.run())
    assert.is(error.name, 'DefinitionsFull')
    assert.is(error.message, 'definitions memory full: 16384 words (option memoryMB, --max-memory)')
  })
  assert.equal(deaths, [])
})

for (const runtime of nextRuntimes()) {
  test(`mail memory that is full ends the run, not an actor, and the error names the limit (${runtime})`, async () => {
    const deaths: string[] = []
    await withSystem({ runtime, memoryMB: 1 }, async (system) => {
      await spawnPuppets(system, 'a@m1', 'r@m9')
      system.onDeath(({ address }) => deaths.push(address))
      await system.tell('a@m1', does(later(units(1), does(...notes('r@m9', 10))), later(units(2), { type: 'stop' })))
      system.at(0, () => system.pause('r@m9', units(100)))
      const many = does(...notes('r@m9', 500))
      for (let i = 0; i < 20; i++) await system.tell('a@m1', many)
      const error = await errorOf(system.run())
      assert.is(error.name, 'MailMemoryFull')
      assert.match(error.message, /^mail memory full: .* \(option memoryMB, --max-memory\); .* piles up/)
    })
    assert.equal(deaths, [])
  })

  test(`mail memory is reused: a run sends much more mail than fits at once (${runtime})`, async () => {
    await withSystem({ runtime, memoryMB: 1, rounds: 20_000 }, async (system) => {
      await system.spawn('a@m1', fixture('echo.ts'))
      await system.spawn('b@m2', fixture('echo.ts'))
      await system.tell('a@m1', { type: 'serve', to: 'b@m2' })
      assert.is((await system.run()).ended, 'rounds')
      assert.ok(system.messages > 19_000)
    })
  })

  test(`a message larger than a page of mail memory arrives (${runtime})`, async () => {
    await withSystem({ runtime }, async (system) => {
      await spawnPuppets(system, 'r@m9', 'a@m1')
      let news = 0
      system.onFact(({ type }) => {
        if (type === 'noted') news++
      })
      const notesForR = does(...notes('r@m9', 3000))
      await system.tell('a@m1', does(tellTo('a@m1', notesForR)))
      await system.run()
      assert.is(news, 3000)
    })
  })

  test(`a trace ends at its limit of bytes and says so, and the run continues (${runtime})`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-test-'))
    try {
      const trace = join(folder, 'trace.jsonl')
      await withSystem({ runtime, trace, traceBytes: 5000 }, async (system) => {
        await spawnPuppets(system, 'a@m1', 'r@m9')
        await system.tell('a@m1', does(...notes('r@m9', 100)))
        await system.run()
        assert.is(system.messages, 100)
      })
      const lines = readFileSync(trace, 'utf8').trimEnd().split('\n')
      assert.equal(JSON.parse(lines.at(-1) ?? ''), { t: 'truncated', limit: 5000, option: 'traceBytes' })
      assert.ok(lines.slice(0, -1).join('\n').length < 5000)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

for (const [watchdogMs, patience] of [
  [1000, 60_000],
  [90_000, 90_000],
] as const) {
  test(`an actor whose module has not loaded after ${patience} ms is not spawned, with a watchdog of ${watchdogMs} ms`, () =>
    withSystem({ watchdogMs }, async (system) => {
      const clock = new Clock('setTimeout')
      try {
        let error: Error | undefined
        const spawned = errorOf(system.spawn('a@m1', fixture('never-loads.ts'))).then((why) => {
          error = why
        })
        while (!error) await clock.pass(patience)
        await spawned
        const limit = `${patience} ms (option watchdogMs allows more)`
        assert.is(`${error.name}: ${error.message}`, `Hung: the module of a@m1 did not load within ${limit}`)
      } finally {
        clock.release()
      }
    }))
}

test('four thousand actors know each other in 160 MB', () =>
  withSystem({ runtime: 'inline', memoryMB: 160, actors: 4000 }, async (system) => {
    const facts = factsOf(system)
    await Promise.all(Array.from({ length: 4000 }, (_, i) => system.spawn(`a@m${i + 1}`, PUPPET)))
    await system.tell('a@m1', does(note('a@m4000', 1)))
    await system.tell('a@m4000', does(note('a@*', 2)))
    await system.run()
    assert.equal(notesOf(facts, 'a@m4000'), [1])
    assert.is(notesOf(facts).length, 4000)
  }))

test.run()
