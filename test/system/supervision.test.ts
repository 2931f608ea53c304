import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RestartPolicy } from '../../lib/actor/supervision.ts'
import { units } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import { both, does, factsOf, later, linesOf, PUPPET, spawnPuppets } from './harness.ts'

const CRASH = does({ act: 'throw', text: 'again' })

/** The numbers of incarnations of three actors: one crashed, one was killed, and one stopped by itself. */
async function livesOf(system: System, restart: RestartPolicy): Promise<number[]> {
  const facts = factsOf(system)
  const who = ['crashed@m1', 'killed@m2', 'stopped@m3']
  for (const address of who) await system.spawn(address, PUPPET, null, { restart })
  await system.tell('crashed@m1', CRASH)
  await system.tell('stopped@m3', { type: 'stop' })
  system.at(1, () => system.kill('killed@m2'))
  await system.run()
  return who.map((address) => facts.filter((fact) => fact.type === 'began' && fact.who === address).length)
}

for (const [restart, lives] of [
  ['temporary', [1, 1, 1]],
  ['transient', [2, 2, 1]],
  ['permanent', [2, 2, 2]],
] as const) {
  const [dead, , stopped] = lives.map((count) => (count === 1 ? 'stays down' : 'is restarted'))
  both(
    `a ${restart} actor that crashed or was killed ${dead}, and one that stopped by itself ${stopped}`,
    async (system) => {
      assert.equal(await livesOf(system, restart), lives)
    },
  )
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

both('an actor that fails at its start is restarted only within its intensity', async (system) => {
  const crashes = linesOf(system, 'crash')
  const start = [{ act: 'throw', text: 'at the start' }] as const
  await system.spawn('r@m9', PUPPET, { start }, { restart: 'permanent', intensity: 3 })
  await system.run()
  assert.is(crashes.length, 4)
})

test.run()
