import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { System } from '../../lib/system.ts'
import { both, type Fact, factsOf, fixture } from './harness.ts'

const MEMBER = fixture('member.ts')

const heard = (facts: readonly Fact[]) =>
  facts.filter(({ type }) => type === 'heard').map(({ who, ...fact }) => `${who}: ${fact['news']}`)
const called = (facts: readonly Fact[]) => facts.filter(({ type }) => type === 'called').map(({ who }) => who)

async function members(system: System): Promise<Fact[]> {
  const facts = factsOf(system)
  for (const i of [1, 2, 3]) await system.spawn(`member@m${i}`, MEMBER)
  await system.run()
  return facts
}

async function call(system: System, from: string): Promise<void> {
  await system.tell(from, { type: 'call', n: 1 })
  await system.run()
}

both('a broadcast sends one message to each member but the sender, in the order of joining', async (system) => {
  const facts = await members(system)
  await call(system, 'member@m2')
  assert.equal(called(facts), ['member@m1', 'member@m3'])
  assert.is(system.messages, 2)
})

both(
  'members of the first run are not announced to each other; later ones are announced to the others',
  async (system) => {
    const facts = await members(system)
    assert.equal(heard(facts), [])
    await system.spawn('member@m4', MEMBER)
    await system.run()
    assert.equal(
      heard(facts),
      [1, 2, 3].map((i) => `member@m${i}: member@m4 joined`),
    )
    await call(system, 'member@m4')
    assert.equal(called(facts), ['member@m1', 'member@m2', 'member@m3'])
  },
)

both('actors spawned at once between runs join in the order of the calls', async (system) => {
  const facts = await members(system)
  await Promise.all([4, 5, 6].map((i) => system.spawn(`member@m${i}`, MEMBER)))
  await system.run()
  await call(system, 'member@m1')
  assert.equal(
    called(facts),
    [2, 3, 4, 5, 6].map((i) => `member@m${i}`),
  )
  const news = heard(facts).filter((line) => line.startsWith('member@m1'))
  assert.equal(
    news,
    [4, 5, 6].map((i) => `member@m1: member@m${i} joined`),
  )
})

both('a member that stops leaves its group, and the others are told', async (system) => {
  const facts = await members(system)
  await system.tell('member@m2', { type: 'stop' })
  await system.run()
  assert.equal(heard(facts), ['member@m1: member@m2 left', 'member@m3: member@m2 left'])
  await call(system, 'member@m1')
  assert.equal(called(facts), ['member@m3'])
})

both('a dead actor stays in its groups and is not announced; its mail becomes dead letters', async (system) => {
  const facts = await members(system)
  await system.kill('member@m2')
  await system.run()
  assert.equal(heard(facts), [])
  await call(system, 'member@m1')
  assert.equal(called(facts), ['member@m3'])
  assert.equal([...system.deadLetters], [['the recipient is dead', 1]])
})

both('a restarted member is announced again and keeps its place', async (system) => {
  const facts = await members(system)
  await system.restart('member@m2')
  await system.run()
  assert.equal(heard(facts), ['member@m1: member@m2 joined', 'member@m3: member@m2 joined'])
  await call(system, 'member@m1')
  assert.equal(called(facts), ['member@m2', 'member@m3'])
})

test.run()
