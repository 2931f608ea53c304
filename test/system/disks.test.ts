/** Disks that are slow, and disks that lose what was written last. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Plain, units } from '../../lib/actor.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { System } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import {
  both,
  does,
  errorOf,
  type Fact,
  factsOf,
  fixture,
  later,
  network,
  note,
  notesOf,
  PUPPET,
  RUNTIMES,
  spawnPuppets,
  withSystem,
} from './harness.ts'

const persist = (record: Plain): Act => ({ act: 'persist', record })
const snapshot = (record: Plain): Act => ({ act: 'snapshot', record })

const plan = (system: System, ...faults: readonly string[]) =>
  planFaults(
    system,
    faults.map((fault) => parseFault(fault)),
  )

/** The notes of an actor with their instants in units. */
const noted = (facts: readonly Fact[], who: string) =>
  facts.flatMap(({ type, who: own, n, at }) => (type === 'noted' && own === who ? [[n, at / units(1)]] : []))

const beganWith = (facts: readonly Fact[], who = 'a@m1'): unknown[] =>
  facts.filter((fact) => fact.type === 'began' && fact.who === who).map((fact) => fact['records'])

/** Lets a act at the instants 1, 2, ..., each time with the given acts. */
async function acting(system: System, ...steps: readonly (readonly Act[])[]): Promise<Fact[]> {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1', 'r@m9')
  const timers = steps.map((acts, i) => later(units(i + 1), does(...acts), { id: `step ${i}` }))
  await system.tell('a@m1', does(...timers))
  return facts
}

both(
  'while a disk is slow, a step that persists is taken when it has written, and later events wait',
  async (system) => {
    const facts = await acting(
      system,
      [persist(1), note('r@m9', 1)],
      [note('r@m9', 2)],
      [note('r@m9', 3)],
      [note('r@m9', 4)],
    )
    plan(system, 'slow a@m1 by 2.5 at 1 until 3', 'restart a@m1 at 9')
    await system.run()
    assert.equal(noted(facts, 'r@m9'), [
      [1, 3.5],
      [2, 3.5],
      [3, 3.5],
      [4, 4],
    ])
    assert.equal(beganWith(facts), [[], [1]])
  },
)

both('a slow disk delays no step that persists nothing, and no other actor', async (system) => {
  const facts = await acting(system, [note('r@m9', 1)], [note('r@m9', 2)])
  await system.tell('r@m9', does(later(units(1), does(persist(1), note('a@m1', 7)))))
  plan(system, 'slow @m1 by 5 at 0 until 99')
  await system.run()
  assert.equal(noted(facts, 'r@m9'), [
    [1, 1],
    [2, 2],
  ])
  assert.equal(noted(facts, 'a@m1'), [[7, 1]])
})

both('a death before a slow disk has written loses the whole step: no record, no message', async (system) => {
  const facts = await acting(system, [persist(1), note('r@m9', 1)], [persist(2), note('r@m9', 2)])
  await system.tell('r@m9', does(later(units(2), does(note('a@m1', 7)))))
  plan(system, 'slow a@m1 by 3 at 1.5 until 3', 'restart a@m1 at 4.9')
  await system.run()
  assert.equal(notesOf(facts, 'r@m9'), [1])
  assert.equal(beganWith(facts), [[], [1]])
  assert.equal([...system.deadLetters], [['the recipient is dead', 1]]) // 7 waited behind the step
})

both('the steps of one round are written together, and what comes meanwhile is written after them', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1', 'r@m9')
  plan(system, 'slow a@m1 by 10 at 0.5 until 99')
  const tells = (at: number, n: number) =>
    system.at(units(at), () => system.tell('a@m1', does(persist(n), note('r@m9', n))))
  for (const n of [1, 2, 3]) tells(1, n)
  for (const n of [4, 5]) tells(2, n)
  tells(30, 6)
  await system.run()
  assert.equal(noted(facts, 'r@m9'), [
    [1, 11],
    [2, 11],
    [3, 11],
    [4, 21],
    [5, 21],
    [6, 40],
  ])
})

both('the first step of an actor waits for a slow disk, too, and its mail waits for that step', async (system) => {
  const facts = factsOf(system)
  await system.spawn('a@m1', PUPPET, { start: [persist('began')] }, { restart: 'transient' })
  plan(system, 'slow a@m1 by 4 at 1 until 9', 'kill a@m1 at 2', 'kill a@m1 at 5', 'kill a@m1 at 20')
  await system.tell('a@m1', { type: 'note', n: 1 })
  system.at(units(6), () => system.tell('a@m1', { type: 'note', n: 2 }))
  await system.run()
  assert.equal(beganWith(facts), [[], ['began'], ['began', 'began']])
  assert.equal(
    facts.flatMap(({ type, at }) => (type === 'began' ? [at / units(1)] : [])),
    [0, 9, 20],
  )
  assert.equal(noted(facts, 'a@m1'), [
    [1, 0],
    [2, 9],
  ])
})

both(
  'with reliable delivery a message that waits for a disk is not acknowledged: if its actor dies, its sender hears of that',
  async (system) => {
    await spawnPuppets(system, 'a@m1', 'r@m9')
    plan(system, 'slow a@m1 by 30 at 0.5 until 99', 'kill a@m1 at 20')
    const tell = (n: number): Act => ({ act: 'tell', to: 'a@m1', message: does(persist(n)) })
    await system.tell('r@m9', does(later(units(1), does(tell(1), tell(2)))))
    await system.run()
    assert.equal([...system.deadLetters.values()], [2])
  },
  { reliable: { attempts: 3 }, network: network(0.5) },
)

test('deferred messages that persist wait for a slow disk before newer mail', async () => {
  for (const runtime of RUNTIMES) {
    await withSystem({ runtime, record: true }, async (system) => {
      const facts = factsOf(system)
      await system.spawn('s@m1', fixture('ledger.ts'))
      plan(system, 'slow s@m1 by 5 at 0.5 until 99')
      for (const [at, message] of [
        [1, { type: 'customer', n: 1 }],
        [1, { type: 'customer', n: 2 }],
        [2, { type: 'open' }],
        [3, { type: 'customer', n: 3 }],
      ] as const) {
        system.at(units(at), () => system.tell('s@m1', message))
      }
      await system.run()
      assert.equal(
        facts.map(({ n, at }) => [n, at / units(1)]),
        [
          [1, 7],
          [2, 7],
          [3, 12],
        ],
      )
      await system.stop()
      assert.is([...(await Replay.open(traceOf([...system.recorded()])))].length, 7)
    })
  }
})

test('in real time a step that persists waits for a slow disk', async () => {
  for (const schedule of ['fifo', { holds: [], lost: [], doubled: [] }] as const) {
    await withSystem({ time: 'real', scale: 1, schedule }, async (system) => {
      const facts = factsOf(system)
      await spawnPuppets(system, 'a@m1', 'r@m9')
      const heal = await system.slowDisk('a@m1', units(50))
      await system.tell(
        'a@m1',
        does(later(units(5), does(persist(1), note('r@m9', 1))), later(units(6), { type: 'note', n: 2 })),
      )
      await system.run()
      await heal()
      const [first, second] = ['r@m9', 'a@m1'].map((who) => noted(facts, who)[0])
      assert.ok(first && Number(first[1]) >= 55, `${first}`)
      assert.ok(second && Number(second[1]) >= 55, `${second}`)
    })
  }
})

// --- losses -----------------------------------------------------------------------------------------------------------

both('a death may lose the last writes, though their messages have left', async (system) => {
  const facts = await acting(
    system,
    [persist(1)],
    [persist(2), persist(3), note('r@m9', 3)],
    [persist(4)],
    [],
    [persist(5)],
    [persist(6)],
  )
  plan(system, 'restart a@m1 at 4.5 losing 2', 'kill a@m1 at 5', 'kill a@m1 at 6 losing 9', 'restart @m1 at 7')
  await system.run()
  assert.equal(notesOf(facts, 'r@m9'), [3])
  assert.equal(beganWith(facts), [[], [1], []])
})

both('a lost snapshot brings the records before it back', async (system) => {
  const facts = await acting(system, [persist(1), persist(2)], [snapshot(3)], [persist(4)])
  plan(system, 'restart a@m1 at 3.5 losing 1', 'restart a@m1 at 4 losing 1', 'restart a@m1 at 5 losing 1 torn')
  await system.run()
  assert.equal(beganWith(facts), [[], [3], [1, 2], []])
})

test('the trace tells what was lost, is the same on threads and inline, and replays', async () => {
  const hashes = new Set<string>()
  for (const runtime of RUNTIMES) {
    await withSystem({ runtime, record: true, trace: true }, async (system) => {
      await acting(system, [persist(1)], [snapshot(2)], [persist(3), persist(4)], [persist(5)])
      plan(system, 'restart a@m1 at 3.5 losing 1 torn', 'restart a@m1 at 4 losing 5')
      await system.run()
      await system.stop()
      hashes.add(system.traceHash)
      const trace = traceOf([...system.recorded()])
      assert.equal(
        trace.lines.filter(({ t }) => t === 'lost records').map(({ who, writes }) => [who, writes]),
        [
          ['a@m1', 1],
          ['a@m1', 2],
        ],
      )
      const replay = await Replay.open(trace)
      assert.ok([...replay].length > 5)
      assert.equal(
        replay.run.incarnations.filter(({ who }) => who === 'a@m1').map(({ records }) => records),
        [[], [2], []],
      )
    })
  }
  assert.is(hashes.size, 1)
})

both('a loss of an impossible number of writes is refused', async (system) => {
  await spawnPuppets(system, 'a@m1')
  for (const writes of [0, 101, 1.5]) {
    assert.match(
      (await errorOf(system.kill('a@m1', { writes }))).message,
      /writes of the loss must be an integer from 1 to 100/,
    )
  }
  assert.match((await errorOf(system.slowDisk('a@m1', 0))).message, /slowDisk: the time of a write must be a time > 0/)
})

test.run()
