import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import type { Death } from '../../lib/system.ts'
import {
  both,
  does,
  factsOf,
  later,
  linesOf,
  network,
  note,
  notes,
  notesOf,
  spawnPuppets,
  withSystem,
} from './harness.ts'

both(
  'a killed actor sends nothing more, and its earlier messages are delivered',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 10), later(units(1), does(note('r@m9', 11)))))
    await system.run({ until: 0 })
    await system.kill('a@m1')
    await system.run()
    assert.equal(notesOf(facts), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    assert.is(system.now, units(5))
    assert.is(system.deadLetters.size, 0)
  },
  { network: network(5) },
)

both(
  'mail on its way to an actor that is killed, and all later mail, becomes dead letters with the reason',
  async (system) => {
    const facts = factsOf(system)
    const dead = linesOf(system, 'dead')
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 3), later(units(9), does(note('r@m9', 4)))))
    await system.run({ until: units(2) })
    await system.kill('r@m9')
    await system.run()
    assert.equal(notesOf(facts), [])
    assert.equal([...system.deadLetters], [['the recipient is dead', 4]])
    assert.equal(
      dead.map(({ from, to, type, reason }) => [from, to, type, reason]),
      Array.from({ length: 4 }, () => ['a@m1', 'r@m9', 'note', 'the recipient is dead']),
    )
  },
  { trace: true, network: network(5) },
)

both(
  'mail to an earlier incarnation never reaches a later one',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 3), later(units(3), does(note('r@m9', 4)))))
    await system.run({ until: units(2) })
    await system.restart('r@m9')
    await system.run()
    assert.equal(notesOf(facts), [4])
    assert.is(
      [...system.deadLetters.values()].reduce((sum, n) => sum + n, 0),
      3,
    )
  },
  { network: network(5) },
)

both(
  'a message written to one incarnation and linked after a restart is a dead letter with its own reason',
  async (system) => {
    // r restarts at the same instant as a sends, and the system acts first in an instant.
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(later(units(3), does(note('r@m9', 1)))))
    system.at(units(3), () => system.restart('r@m9'))
    const facts = factsOf(system)
    await system.run()
    assert.equal(notesOf(facts), [1])
  },
)

both('a restart is a new incarnation with empty memory, and without the timers of the old', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'r@m9')
  await system.tell('r@m9', { type: 'note', n: 1 })
  await system.tell('r@m9', does(later(units(5), { type: 'note', n: 2 })))
  await system.run({ until: units(1) })
  await system.restart('r@m9')
  await system.tell('r@m9', does({ act: 'count' }))
  await system.run()
  assert.equal(notesOf(facts), [1])
  assert.is(facts.find(({ type }) => type === 'counted')?.['n'], 0)
})

both('later incarnations of an actor get its persisted records as `records` of the input', async (system) => {
  const facts = factsOf(system)
  await system.spawn('r@m9', new URL('../fixtures/actors/puppet.ts', import.meta.url), {
    start: [{ act: 'persist', record: 'started' }],
  })
  await system.tell('r@m9', does({ act: 'persist', record: { n: 1 } }, { act: 'persist', record: [2] }))
  await system.run()
  await system.restart('r@m9')
  await system.run()
  await system.kill('r@m9')
  await system.restart('r@m9')
  await system.run()
  const records = facts.filter(({ type }) => type === 'began').map((fact) => fact['records'])
  const first = ['started', { n: 1 }, [2]]
  assert.equal(records, [[], first, [...first, 'started']])
})

both('a watcher is told of a death once, with its cause, and at once if the actor is dead already', async (system) => {
  const deaths: Death[] = []
  await spawnPuppets(system, 'a@m1', 'r@m9')
  system.watch('r@m9', (death) => deaths.push(death))
  const deaf = system.watch('r@m9', () => assert.unreachable('this watcher has been removed'))
  deaf()
  await system.run()
  await system.kill('r@m9')
  await system.kill('r@m9')
  assert.equal(deaths, [{ address: 'r@m9', at: 0, cause: { name: 'Killed', message: 'killed', stack: '' } }])
  system.watch('r@m9', (death) => deaths.push(death))
  assert.is(deaths.length, 2)
  assert.equal(deaths[1]?.cause, deaths[0]?.cause)
})

both(
  'a crash is reported with its class, its message, the handled event and its place in the .ts file',
  async (system) => {
    const deaths: Death[] = []
    await spawnPuppets(system, 'r@m9')
    system.watch('r@m9', (death) => deaths.push(death))
    await system.tell('r@m9', does({ act: 'throw', text: 'on purpose' }))
    await system.run()
    assert.is(deaths.length, 1)
    const cause = deaths[0]?.cause
    assert.is(cause?.name, 'RangeError')
    assert.is(cause?.message, 'on purpose')
    assert.equal(cause?.on, { mail: [0, 0, 0], type: 'do' })
    assert.match(cause?.stack ?? '', /test\/fixtures\/actors\/puppet\.ts:\d+:\d+/)
  },
)

both(
  'an actor that stops by itself is not dead: its mail has another reason, and no watcher is called',
  async (system) => {
    await spawnPuppets(system, 'a@m1', 'r@m9')
    system.watch('r@m9', () => assert.unreachable())
    await system.tell('r@m9', { type: 'stop' })
    await system.run()
    await system.tell('a@m1', does(note('r@m9', 1)))
    await system.run()
    assert.equal([...system.deadLetters], [['the actor has stopped', 1]])
  },
)

test('thousands of deaths in the middle of a step leak no page of mail memory', async () => {
  const options = { runtime: 'inline', memoryMB: 1 } as const
  await withSystem(options, async (system) => {
    await spawnPuppets(system, 'a@m1', 'r@m9')
    for (let i = 0; i < 500; i++) {
      await system.tell('a@m1', does(...notes('r@m9', 50), { act: 'throw', text: 'again' }))
      await system.run()
      await system.restart('a@m1')
    }
  })
})

test.run()
