import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import type { SpawnOptions, System } from '../../lib/system.ts'
import { both, does, factsOf, later, linesOf, PUPPET, spawnPuppets } from './harness.ts'

const CRASH = does({ act: 'throw', text: 'again' })

/** How many lives it had after it was told to die or to stop in some way. */
async function livesAfter(system: System, how: 'crash' | 'kill' | 'stop', options: SpawnOptions): Promise<number> {
  const facts = factsOf(system)
  await system.spawn('r@m9', PUPPET, null, options)
  await system.run()
  if (how === 'kill') await system.kill('r@m9')
  else await system.tell('r@m9', how === 'crash' ? CRASH : { type: 'stop' })
  await system.run()
  return facts.filter(({ type }) => type === 'began').length
}

for (const [restart, crash, kill, stop] of [
  ['temporary', 1, 1, 1],
  ['transient', 2, 2, 1],
  ['permanent', 2, 2, 2],
] as const) {
  const means = `${crash === 1 ? 'stays dead' : 'lives again'} and after it stops ${stop === 1 ? 'stays so' : 'lives again'}`
  both(`a ${restart} actor after a crash or a kill ${means}`, async (system) => {
    assert.is(await livesAfter(system, 'crash', { restart }), crash)
    assert.is(await livesAfter2(system, restart), kill + stop)
  })
}

/** The same for a kill and a stop, of two more actors. */
async function livesAfter2(system: System, restart: 'temporary' | 'transient' | 'permanent'): Promise<number> {
  const facts = factsOf(system)
  await system.spawn('k@m9', PUPPET, null, { restart })
  await system.spawn('s@m9', PUPPET, null, { restart })
  await system.run()
  await system.kill('k@m9')
  await system.tell('s@m9', { type: 'stop' })
  await system.run()
  return facts.filter(({ type, who }) => type === 'began' && who !== 'r@m9').length
}

both(
  'an actor that dies more often than its intensity within its period stays dead, and the trace says so',
  async (system) => {
    const facts = factsOf(system)
    const gaveUp = linesOf(system, 'gave up')
    await spawnPuppets(system, 'a@m1')
    await system.spawn('r@m9', PUPPET, null, { restart: 'permanent', intensity: 2, period: units(10) })
    const crashes = [1, 2, 3, 4].map((t) =>
      later(units(t), does({ act: 'tell', to: 'r@m9', message: CRASH }), { id: `t${t}` }),
    )
    await system.tell('a@m1', does(...crashes))
    await system.run()
    assert.is(facts.filter(({ type, who }) => type === 'began' && who === 'r@m9').length, 3)
    assert.equal(gaveUp, [{ t: 'gave up', at: units(3), who: 'r@m9', intensity: 2, period: units(10) }])
    assert.equal([...system.deadLetters], [['the recipient is dead', 1]])
  },
)

both('deaths further apart than the period are forgotten', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1')
  await system.spawn('r@m9', PUPPET, null, { restart: 'transient', intensity: 1, period: units(10) })
  const crashes = [0, 10, 20, 30].map((t) =>
    later(units(t), does({ act: 'tell', to: 'r@m9', message: CRASH }), { id: `t${t}` }),
  )
  await system.tell('a@m1', does(...crashes))
  await system.run()
  assert.is(facts.filter(({ type, who }) => type === 'began' && who === 'r@m9').length, 5)
})

both('an actor that fails at its start is restarted within its intensity and no further', async (system) => {
  const crashes = linesOf(system, 'crash')
  const start = [{ act: 'throw', text: 'at the start' }] as const
  await system.spawn('r@m9', PUPPET, { start }, { restart: 'permanent', intensity: 3 })
  await system.run()
  assert.is(crashes.length, 4)
})

test.run()
