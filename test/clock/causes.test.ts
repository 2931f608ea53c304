import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import type { Death, System } from '../../lib/system.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { repeats } from '../repeats.ts'
import {
  does,
  factsOf,
  later,
  linesOf,
  note,
  notes,
  notesOf,
  PUPPET,
  spawnPuppets,
  withSystem,
} from '../system/harness.ts'

/** Runs two actors and one for each of `killers`. Those all die in one round, and the two must finish. */
async function deathsOf(system: System, killers: readonly Act[]): Promise<{ deaths: Death[]; notes: unknown[] }> {
  const deaths: Death[] = []
  system.onDeath((death) => deaths.push(death))
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1', 'b@m2')
  for (const [i] of killers.entries()) {
    await system.spawn(`x${i}@m${i + 3}`, PUPPET, null, { resourceLimits: { maxOldGenerationSizeMb: 20 } })
  }
  for (const [i, killer] of killers.entries()) {
    await system.tell(`x${i}@m${i + 3}`, does(later(units(2), does(note('a@m1', 99), note('b@m2', 99), killer))))
  }
  for (const who of ['a@m1', 'b@m2']) {
    const other = who === 'a@m1' ? 'b@m2' : 'a@m1'
    await system.tell(
      who,
      does(...[1, 2, 3].map((t) => later(units(t), does(...notes(other, 2, 10 * t)), { id: `t${t}` }))),
    )
  }
  const end = await system.run()
  assert.equal(end, { ended: 'idle', now: units(3), limit: null, waiting: [] })
  return { deaths, notes: notesOf(facts) }
}

const UNTOUCHED = [10, 11, 10, 11, 20, 21, 20, 21, 30, 31, 30, 31]

for (const [what, act, name, message] of [
  ['throws', { act: 'throw', text: 'on purpose' }, 'RangeError', /^on purpose$/],
  ['calls process.exit', { act: 'exit' }, 'Exit', /^the thread called process\.exit\(7\)$/],
  ['runs out of memory', { act: 'fill memory' }, 'Error', /memory limit/],
  ['loops for ever', { act: 'loop' }, 'Hung', /^a step took longer than 400 ms \(option watchdogMs\)$/],
] as const) {
  test(`an actor that ${what} in the middle of a round dies without ending the run, and is reported once`, async () => {
    await withSystem(act.act === 'loop' ? { watchdogMs: 400 } : {}, async (system) => {
      const { deaths, notes } = await deathsOf(system, [act])
      assert.equal(notes, UNTOUCHED)
      assert.equal(
        deaths.map(({ address, at }) => [address, at]),
        [['x0@m3', units(2)]],
      )
      assert.is(deaths[0]?.cause.name, name)
      assert.match(deaths[0]?.cause.message ?? '', message)
      const shown = linesOf(system, 'died')
      await system.kill('x0@m3')
      assert.equal(shown, [])
    })
  })
}

test('several actors that die in one round, each in another way, are reported once each, and the run continues', async () => {
  await withSystem({ watchdogMs: 400 }, async (system) => {
    const killers: Act[] = [
      { act: 'exit' },
      { act: 'throw', text: 'too' },
      { act: 'loop' },
      { act: 'fill memory' },
      { act: 'exit' },
      { act: 'loop' },
    ]
    const { deaths, notes } = await deathsOf(system, killers)
    assert.equal(notes, UNTOUCHED)
    assert.equal(
      deaths.map(({ address }) => address).sort(),
      killers.map((_, i) => `x${i}@m${i + 3}`),
    )
  })
})

test('an actor whose thread dies is restarted like one that crashed, and mail of its next incarnation arrives', async () => {
  await withSystem({}, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1')
    await system.spawn('x@m2', PUPPET, { start: [note('a@m1', 1)] }, { restart: 'transient' })
    await system.tell('x@m2', does(later(units(1), does({ act: 'exit' }))))
    await system.run()
    assert.equal(notesOf(facts), [1, 1])
    await system.tell('x@m2', { type: 'note', n: 2 })
    await system.run()
    assert.equal(notesOf(facts, 'x@m2'), [2])
  })
})

test('the mail memory of steps that died with their thread is reused', async () => {
  await withSystem({ memoryMB: 1 }, async (system) => {
    await spawnPuppets(system, 'a@m1')
    await system.spawn('x@m2', PUPPET, null, { restart: 'transient', intensity: 100 })
    for (let incarnation = 0; incarnation < repeats(40); incarnation++) {
      await system.tell('x@m2', does(...notes('a@m1', 20), { act: 'exit in sending', to: 'a@m1' }))
      await system.run()
    }
    assert.is(system.messages, 0)
  })
})

for (const time of ['virtual', 'real'] as const) {
  test(`an actor with many slow steps at one instant does not count as one that hangs (${time} time)`, async () => {
    await withSystem({ watchdogMs: 400, time }, async (system) => {
      const facts = factsOf(system)
      await spawnPuppets(system, 'a@m1')
      for (let step = 0; step < 5; step++) await system.tell('a@m1', does({ act: 'work', ms: 120 }))
      assert.is((await system.run()).ended, 'idle')
      assert.is(facts.length, 6) // with that of the start
    })
  })
}

test('when the threads of all actors die the run ends', async () => {
  await withSystem({}, async (system) => {
    await spawnPuppets(system, 'a@m1', 'b@m2', 'c@m3')
    for (const who of ['a@m1', 'b@m2', 'c@m3']) {
      await system.tell(who, does(later(units(5), { type: 'note', n: 1 }, { id: 'never' })))
      await system.tell(who, does({ act: 'exit' }))
    }
    assert.is((await system.run()).ended, 'idle')
    assert.is(system.quiet, true)
  })
})

test.run()
