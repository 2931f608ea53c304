/** Reliable delivery between machines (option reliable), on networks that lose and duplicate. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bridges, patience, type ReliableOptions } from '../../lib/actor/reliable-options.ts'
import { units } from '../../lib/actor.ts'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { System } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { gossip, namesOf } from '../clock/gossip.ts'
import {
  both,
  does,
  errorOf,
  factsOf,
  fixture,
  later,
  linesOf,
  network,
  note,
  notes,
  notesOf,
  type Options,
  spawnPuppets,
  tellTo,
  withSystem,
} from './harness.ts'

const SENDERS = ['a@m1', 'b@m2', 'c@m3']
const BAD = { ...network(1, 2), loss: 0.2, duplicate: 0.1 }
const RELIABLE: Options = { reliable: true, network: BAD }
const TRACED: Options = { ...RELIABLE, trace: true }
const GIVEN_UP = 'no acknowledgement came (options reliable.attempts, reliable.timeout)'

const upTo = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i)
const plan = (system: System, ...faults: readonly string[]) =>
  planFaults(
    system,
    faults.map((fault) => parseFault(fault)),
  )
function optionsOf(system: System): ReliableOptions {
  const { reliable } = system.options
  if (!reliable) throw new Error('reliable delivery is off')
  return reliable
}
const ofType = (lines: readonly Line[], t: string) => lines.filter((line) => line.t === t)

/** Lets a send the notes 1, 2, ... to r at the instants 1, 2, ... */
async function clockwork(system: System, count: number) {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1', 'r@m9')
  await system.tell('a@m1', does(...upTo(count).map((t) => later(units(t), does(note('r@m9', t)), { id: `t${t}` }))))
  return facts
}

both(
  'with 20 % loss, 10 % duplication and jitter every message arrives exactly once and in order',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, ...SENDERS, 'r@m9')
    for (const [i, sender] of SENDERS.entries()) {
      await system.tell(
        sender,
        does(...notes('r@m9', 100, 1000 * i), later(units(3), does(...notes('r@m9', 100, 1000 * i + 100)))),
      )
    }
    assert.is((await system.run()).ended, 'idle')
    for (const [i, sender] of SENDERS.entries()) {
      const got = facts.filter((fact) => fact['from'] === sender).map((fact) => fact['n'])
      assert.equal(got, upTo(200, 1000 * i))
    }
    assert.is(system.deadLetters.size, 0)
    assert.is(system.messages, 600)
    assert.ok(system.overhead.retransmissions > 100 && system.overhead.retransmissions < 600)
    assert.ok(system.overhead.acknowledgements > 0)
  },
  RELIABLE,
)

both(
  'every member answers a broadcast once, however bad the network',
  async (system) => {
    const facts = factsOf(system)
    const members = ['member@m1', 'member@m2', 'member@m3', 'member@m4']
    for (const member of members) await system.spawn(member, fixture('member.ts'))
    for (const n of upTo(20)) await system.tell('member@m1', { type: 'call', n })
    await system.run()
    for (const member of members.slice(1)) {
      assert.equal(
        facts.filter(({ type, who }) => type === 'called' && who === member).map(({ n }) => n),
        upTo(20),
      )
    }
  },
  RELIABLE,
)

test('threads and inline give one trace, with kills, restarts, pauses and partitions', async () => {
  const village = {
    actors: 8,
    rumors: 3,
    depth: 8,
    fragility: 0,
    faults: [
      'restart uncle@m1 at 3',
      'kill aunt@m2 at 4',
      'pause uncle@m0 for 9 at 2',
      'partition m0 | m1,m2 at 2 until 8',
    ],
  }
  const run = (runtime: 'threads' | 'inline') => gossip({ ...RELIABLE, runtime }, village)
  const inline = await run('inline')
  assert.equal(await run('threads'), inline)
  assert.ok(inline.steps > 100, `${inline.steps} steps`)
})

/** The lines of all handled events, facts and states. */
async function deliveriesOf(options: Options): Promise<readonly string[]> {
  return withSystem({ runtime: 'inline', trace: true, ...options }, async (system) => {
    const lines = linesOf(system, 'deliver', 'timer', 'fact', 'state')
    for (const name of namesOf(8)) {
      await system.spawn(name, fixture('gossip.ts'), { peers: namesOf(8), rumors: 4, depth: 9, fragility: 0 })
    }
    await system.run()
    return lines.map((line) => JSON.stringify(line))
  })
}

for (const [name, delays] of [
  ['without delays', network(0)],
  ['with constant delays', network(0.25)],
] as const) {
  test(`on a network that loses nothing, ${name}, reliable delivery changes no event and no instant`, async () => {
    for (const seed of [1, 2]) {
      const plain = await deliveriesOf({ network: delays, seed })
      assert.equal(await deliveriesOf({ network: delays, seed, reliable: true }), plain)
      assert.ok(plain.length > 200, String(plain.length))
    }
  })
}

both(
  'retransmissions and acknowledgements count as neither steps nor messages, and the trace has lines of their own for them',
  async (system) => {
    const lines = linesOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 50)))
    await system.run()
    assert.is(system.messages, 50)
    assert.is(system.steps, 2 + 1 + 50)
    const sends = ofType(lines, 'send').filter(({ from }) => from !== 'system')
    assert.is(sends.length, 50)
    const missed = sends.filter((line) => line['missed'] === 'lost on the network')
    assert.ok(missed.length > 0)
    const copies = ofType(lines, 'copy')
    for (const { id } of missed) assert.ok(copies.some((copy) => copy['id'] === id && Number(copy['attempt']) > 1))
    const again = copies.filter(({ attempt, due, missed }) => Number(attempt) > 1 && (due ?? missed) !== undefined)
    assert.ok(again.length >= system.overhead.retransmissions)
    assert.is(ofType(lines, 'ack').filter(({ from }) => from === 'r@m9').length, system.overhead.acknowledgements)
    assert.ok(ofType(lines, 'held').length > 0)
    assert.ok(ofType(lines, 'suppressed').length > 0)
    assert.equal(
      ofType(lines, 'deliver')
        .filter(({ who }) => who === 'r@m9')
        .map(({ id }) => id),
      sends.map(({ id }) => id),
      'a message is delivered under the id that it was sent with',
    )
  },
  TRACED,
)

both(
  'mail within a machine and to the outside needs no acknowledgement',
  async (system) => {
    await spawnPuppets(system, 'a@m1', 'b@m1')
    await system.tell('a@m1', does(...notes('b@m1', 5)))
    assert.equal(await system.ask('b@m1', { type: 'question', n: 4 }, { deadline: units(9) }), { type: 'answer', n: 8 })
    await system.run()
    assert.equal(system.overhead, { retransmissions: 0, acknowledgements: 0 })
  },
  RELIABLE,
)

both(
  'mail to an actor that stays dead is given up after the configured attempts, with a reason, and the run ends',
  async (system) => {
    const facts = await clockwork(system, 5)
    plan(system, 'kill r@m9 at 2.5')
    const { ended, now } = await system.run()
    assert.equal(notesOf(facts), [1, 2])
    assert.is(ended, 'idle')
    assert.ok(system.quiet)
    assert.equal([...system.deadLetters], [[GIVEN_UP, 3]])
    assert.is(now, units(5) + patience(optionsOf(system)))
  },
  { reliable: true },
)

both(
  'mail that an earlier incarnation did not acknowledge is a dead letter, and the new incarnation gets all of its own',
  async (system) => {
    const facts = await clockwork(system, 20)
    const dead = linesOf(system, 'dead')
    plan(system, 'kill r@m9 at 4.5', 'restart r@m9 at 9.5')
    const { ended } = await system.run()
    assert.is(ended, 'idle')
    const got = notesOf(facts).map(Number)
    const lost = [...system.deadLetters.values()].reduce((sum, count) => sum + count, 0)
    assert.equal([...system.deadLetters.keys()], ['sent to an earlier incarnation'])
    assert.is(dead.length, lost)
    // A message may have been handled although its acknowledgement died with the incarnation.
    assert.ok(got.length + lost >= 20 && got.length + lost <= 21, `${got} and ${lost}`)
    assert.equal(
      got.filter((n) => n >= 10),
      upTo(11, 10),
    )
    assert.equal(
      got,
      [...got].sort((a, b) => a - b),
    )
  },
  RELIABLE,
)

both(
  'the mail of two incarnations of a sender is kept apart: each arrives in order, and that of the second completely',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 30)))
    system.at(units(2), async () => {
      await system.restart('a@m1')
      await system.tell('a@m1', does(...notes('r@m9', 30, 101)))
    })
    assert.is((await system.run()).ended, 'idle')
    const got = notesOf(facts).map(Number)
    const first = got.filter((n) => n <= 30)
    assert.equal(first, upTo(first.length), 'in order and without a gap')
    assert.equal(
      got.filter((n) => n > 100),
      upTo(30, 101),
    )
  },
  RELIABLE,
)

both(
  'a paused receiver acknowledges late, and suppresses the copies that were sent meanwhile',
  async (system) => {
    const facts = await clockwork(system, 10)
    plan(system, 'pause r@m9 for 60 at 2.5')
    await system.run()
    assert.equal(notesOf(facts), upTo(10))
    assert.is(system.deadLetters.size, 0)
    assert.ok(system.overhead.retransmissions > 8)
  },
  { reliable: true, network: network(1) },
)

both(
  'a partition that ends before the last attempt loses nothing',
  async (system) => {
    const facts = await clockwork(system, 30)
    const shortest = bridges(optionsOf(system))
    plan(system, `partition m1 | m9 at 2.5 until ${2.5 + shortest / units(1)}`)
    await system.run()
    assert.equal(notesOf(facts), upTo(30))
    assert.is(system.deadLetters.size, 0)
  },
  { reliable: true, network: network(1) },
)

both(
  'after a partition beyond the last attempt new mail arrives, and mail that was given up does not come late',
  async (system) => {
    const facts = await clockwork(system, 5)
    plan(system, 'partition m1 | m9 at 2.5 until 1000')
    await system.run({ until: units(1000) })
    assert.equal([...system.deadLetters], [[GIVEN_UP, 3]])
    await system.tell('a@m1', does(...notes('r@m9', 5, 50)))
    await system.run()
    assert.equal(notesOf(facts), [1, 2, ...upTo(5, 50)])
  },
  { reliable: true },
)

both(
  'an actor that stops by itself leaves when its last messages are acknowledged, and handles nothing more',
  async (system) => {
    const facts = factsOf(system)
    const stopped = linesOf(system, 'stopped')
    await spawnPuppets(system, 'a@m1', 'b@m2', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 30)))
    await system.tell('a@m1', { type: 'stop' })
    await system.tell('b@m2', does(later(units(2), does(...notes('a@m1', 3)))))
    assert.is((await system.run()).ended, 'idle')
    assert.equal(notesOf(facts, 'r@m9'), upTo(30))
    assert.equal(notesOf(facts, 'a@m1'), [])
    assert.is(stopped.length, 1)
    assert.ok(Number(stopped[0]?.['at']) > units(2))
    assert.is(
      [...system.deadLetters.values()].reduce((sum, count) => sum + count, 0),
      3,
    )
  },
  RELIABLE,
)

both(
  'an actor that waits to leave acknowledges the messages that it has handled',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'b@m2', 'r@m9')
    await system.tell('a@m1', does(note('r@m9', 1)))
    await system.tell('r@m9', does(later(units(2), does(note('b@m2', 2))), later(units(2), { type: 'stop' })))
    plan(system, 'partition m1 | m9 at 0.5 until 5', 'partition m2 | m9 at 0.5 until 2000')
    await system.run({ until: units(100) })
    assert.equal(notesOf(facts), [1])
    assert.is(system.deadLetters.size, 0)
    await system.run()
    assert.equal([...system.deadLetters], [[GIVEN_UP, 1]])
  },
  { reliable: true, network: network(1) },
)

test('mail to an actor that waits to leave is refused until the sender learns of it', async () => {
  for (const seed of upTo(12)) {
    const options: Options = { runtime: 'inline', seed, reliable: true, network: { ...network(1), loss: 0.3 } }
    await withSystem(options, async (system) => {
      await spawnPuppets(system, 'a@m1', 'b@m2', 'r@m9')
      await system.partition([['m1'], ['m9']])
      await system.tell('a@m1', does(note('r@m9', 1)))
      await system.tell('a@m1', { type: 'stop' })
      await system.tell('b@m2', does(later(units(5), does(note('a@m1', 2)))))
      assert.ok(patience(optionsOf(system)) > units(600))
      await system.run({ until: units(600) })
      assert.equal([...system.deadLetters], [['the actor has stopped', 1]])
    })
  }
})

both(
  'a step that fails leaves nothing to retransmit',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(note('r@m9', 1)))
    await system.tell('a@m1', does(note('r@m9', 2), { act: 'throw', text: 'after this' }))
    await system.run()
    await system.restart('a@m1')
    await system.tell('a@m1', does(note('r@m9', 3)))
    await system.run()
    assert.equal(notesOf(facts), [1, 3])
    assert.is(system.messages, 2)
  },
  { reliable: true },
)

both(
  'mail that a full mailbox refuses is sent again until there is room',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 20)))
    await system.run()
    assert.equal(notesOf(facts), upTo(20))
    assert.is(system.deadLetters.size, 0)
  },
  { reliable: true, mailbox: 5 },
)

both(
  'more unacknowledged messages to one actor than the window holds become dead letters whose reason names it',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 20), later(units(9), does(note('r@m9', 99)))))
    await system.run()
    assert.equal(notesOf(facts), [...upTo(5), 99])
    assert.equal(
      [...system.deadLetters],
      [['too many messages to one actor are unacknowledged (option reliable.window)', 15]],
    )
  },
  { reliable: { window: 5 }, network: network(1) },
)

both(
  'pending retransmissions do not delay a stop',
  async (system) => {
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.partition([['m1'], ['m9']])
    await system.tell('a@m1', does(...notes('r@m9', 9)))
    assert.is((await system.run({ until: units(5) })).ended, 'until')
    assert.not(system.quiet)
    await system.stop()
    assert.is((await errorOf(system.run())).message, 'the system has stopped')
  },
  RELIABLE,
)

test('in real time every message arrives once and in order, although the network loses and duplicates', async () => {
  const network = { latency: units(1), jitter: units(2), loss: 0.2, duplicate: 0.1 }
  const reliable = { timeout: units(8) }
  await withSystem({ time: 'real', scale: 1, network, reliable }, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, ...SENDERS, 'r@m9')
    for (const [i, sender] of SENDERS.entries()) await system.tell(sender, does(...notes('r@m9', 100, 1000 * i)))
    await system.tell('r@m9', does(...SENDERS.map((sender) => tellTo(sender, { type: 'note', n: 1 }))))
    assert.is((await system.run()).ended, 'idle')
    for (const [i, sender] of SENDERS.entries()) {
      assert.equal(
        facts.filter((fact) => fact['from'] === sender).map((fact) => fact['n']),
        upTo(100, 1000 * i),
      )
      assert.equal(notesOf(facts, sender), [1])
    }
    assert.is(system.deadLetters.size, 0)
  })
})

test('in real time retransmissions make no timer fire too early', async () => {
  const reliable = { timeout: units(5), cap: units(5), attempts: 4 }
  await withSystem({ time: 'real', scale: 1, reliable }, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.partition([['m1'], ['m9']])
    await system.tell('a@m1', does(note('r@m9', 1), later(units(200), { type: 'note', n: 2 })))
    await system.run()
    const [began, noted] = facts.filter(({ who }) => who === 'a@m1')
    assert.is(noted?.['n'], 2)
    assert.ok((noted?.at ?? 0) >= (began?.at ?? 0) + units(200), `at ${noted?.at}`)
    assert.equal([...system.deadLetters], [[GIVEN_UP, 1]])
  })
})

test('reliable delivery and causal order exclude each other, and an option out of range is named', () => {
  const wrong = (options: Options, message: RegExp) => assert.throws(() => new System(options), message)
  wrong({ reliable: true, order: 'causal' }, /option reliable needs order fifo, not causal/)
  wrong(
    { reliable: { timeout: 0 } },
    /option reliable.timeout must be a time > 0 in whole millionths of a unit, .*, not 0/,
  )
  wrong({ reliable: { timeout: 9, cap: 8 } }, /option reliable.cap must be a time, not less than the timeout, not 8/)
  wrong({ reliable: { attempts: 0 } }, /option reliable.attempts must be an integer >= 1, not 0/)
  wrong({ reliable: { window: 1.5 } }, /option reliable.window must be an integer >= 1, not 1.5/)
})

test.run()
