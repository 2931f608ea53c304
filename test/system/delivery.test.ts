import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { both, does, factsOf, later, linesOf, network, note, notes, notesOf, spawnPuppets } from './harness.ts'

const SENDERS = ['a@m1', 'b@m2', 'c@m3']

both(
  'mail between two actors arrives in the order of sending, also with jitter',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, ...SENDERS, 'r@m9')
    for (const [i, sender] of SENDERS.entries()) {
      await system.tell(
        sender,
        does(...notes('r@m9', 20, 100 * i), later(units(1), does(...notes('r@m9', 20, 100 * i + 20)))),
      )
    }
    await system.run()
    for (const [i, sender] of SENDERS.entries()) {
      const got = facts.filter((fact) => fact['from'] === sender).map((fact) => fact['n'])
      assert.equal(
        got,
        Array.from({ length: 40 }, (_, k) => 100 * i + k),
      )
    }
    const senders = facts.filter(({ type }) => type === 'noted').map((fact) => fact['from'])
    assert.ok(
      senders.some((from, i) => i > 0 && from !== senders[i - 1] && senders.lastIndexOf(senders[i - 1]) > i),
      'mixed',
    )
  },
  { network: network(1, 5) },
)

both(
  'on a network that loses messages each arrives at most once, and each lost one is a dead letter',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 200)))
    await system.run()
    const got = notesOf(facts)
    assert.is(new Set(got).size, got.length)
    assert.ok(got.length > 100 && got.length < 200, String(got.length))
    assert.is(system.deadLetters.get('lost on the network'), 200 - got.length)
  },
  { network: { ...network(1, 5), loss: 0.3 } },
)

both(
  'duplication makes a second envelope of a message, and each envelope arrives at most once and in order',
  async (system) => {
    const lines = linesOf(system, 'deliver')
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 200)))
    await system.run()
    const delivered = lines.filter(({ who }) => who === 'r@m9').map(({ id }) => String(id))
    assert.ok(delivered.length > 220, String(delivered.length))
    assert.is(new Set(delivered).size, delivered.length)
    const sequence = delivered.map((id) => Number(id.split('.')[2]))
    assert.equal(
      sequence,
      [...sequence].sort((a, b) => a - b),
    )
  },
  { trace: true, network: { ...network(1, 5), duplicate: 0.3 } },
)

both(
  'an actor handles one message at a time, to completion, in the state that the previous one left',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, ...SENDERS, 'r@m9')
    for (const sender of SENDERS) await system.tell(sender, does(note('r@m9', 1), note('r@m9', 2)))
    await system.run()
    await system.tell('r@m9', does({ act: 'count' }))
    await system.run()
    assert.is(facts.find(({ type }) => type === 'counted')?.['n'], 2 * SENDERS.length)
  },
)

both(
  'a step that fails after two tells leaves none of its effects',
  async (system) => {
    const facts = factsOf(system)
    const sends = linesOf(system, 'send')
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell(
      'a@m1',
      does(
        note('r@m9', 1),
        note('r@m9', 2),
        later(units(1), { type: 'note', n: 3 }),
        { act: 'persist', record: 4 },
        { act: 'throw', text: 'after all this' },
      ),
    )
    await system.run()
    assert.equal(notesOf(facts), [])
    assert.equal(
      sends.filter(({ from }) => from !== 'system'),
      [],
    )
    assert.is(system.messages, 0)
    await system.restart('a@m1')
    await system.run()
    assert.equal(
      facts.filter(({ type, who }) => type === 'began' && who === 'a@m1').map((fact) => fact['records']),
      [[], []],
    )
  },
  { trace: true },
)

both('a step that fails leaves the effects of earlier steps of its round in place', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1', 'r@m9')
  await system.tell('a@m1', does(note('r@m9', 1)))
  await system.tell('a@m1', does(note('r@m9', 2), { act: 'throw', text: 'second' }))
  await system.tell('a@m1', does(note('r@m9', 3)))
  await system.run()
  assert.equal(notesOf(facts), [1])
  assert.is(system.deadLetters.get('the recipient is dead'), 1)
})

both(
  'a message that is not plain data fails the step that sends it, and the error names the path in the message',
  async (system) => {
    const crashes = linesOf(system, 'crash')
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(note('r@m9', 1), { act: 'tell function', to: 'r@m9' }))
    await system.run()
    assert.is(crashes.length, 1)
    assert.is(crashes[0]?.['error'], 'NotPlainError')
    assert.match(String(crashes[0]?.['message']), /^message\.a\[0\]\.f is a function/)
  },
)

both('mail told before the first run waits for the start', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'r@m9')
  await system.tell('r@m9', { type: 'note', n: 1 })
  await system.run()
  assert.equal(
    facts.map(({ type }) => type),
    ['began', 'noted'],
  )
})

both('a message without a matching transition is recorded', async (system) => {
  const unhandled = linesOf(system, 'unhandled')
  await spawnPuppets(system, 'a@m1', 'r@m9')
  await system.tell('a@m1', does({ act: 'tell', to: 'r@m9', message: { type: 'gibberish' } }))
  await system.run()
  assert.equal(unhandled, [{ t: 'unhandled', at: 0, who: 'r@m9', type: 'gibberish' }])
})

both(
  'mail beyond the limit of a mailbox becomes dead letters whose reason names it',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 20)))
    await system.run()
    assert.equal(notesOf(facts), [1, 2, 3, 4, 5])
    assert.equal([...system.deadLetters], [['the mailbox is full', 15]])
  },
  { mailbox: 5 },
)

both('mail to an address without an actor is a dead letter', async (system) => {
  await spawnPuppets(system, 'a@m1')
  await system.tell('a@m1', does(note('nobody@m9', 1)))
  await system.run()
  assert.equal([...system.deadLetters], [['no such actor', 1]])
})

test.run()
