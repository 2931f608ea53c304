import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { planFaults, requireConditions } from '../../lib/scenario/fault-injector.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { System } from '../../lib/system.ts'
import {
  both,
  does,
  errorOf,
  type Fact,
  factsOf,
  fixture,
  later,
  linesOf,
  network,
  nextRuntimes,
  note,
  notes,
  notesOf,
  PUPPET,
  RUNTIMES,
  spawnPuppets,
  tellTo,
  withSystem,
} from './harness.ts'

const plan = (system: System, ...faults: readonly string[]) =>
  planFaults(
    system,
    faults.map((fault) => parseFault(fault)),
  )

const seen = (facts: readonly Fact[], who?: string) =>
  facts
    .filter((fact) => fact.type === 'noted' && (who === undefined || who === fact.who))
    .map(({ n, at }) => [n, at / units(1)])

/** Lets a send the notes 1, 2, ... to r at the instants 1, 2, ... */
async function clockwork(system: System, count: number): Promise<Fact[]> {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1', 'r@m9')
  const times = Array.from({ length: count }, (_, i) => i + 1)
  await system.tell('a@m1', does(...times.map((t) => later(units(t), does(note('r@m9', t)), { id: `t${t}` }))))
  return facts
}

both('a paused actor handles nothing for a while; its mail and its timers wait', async (system) => {
  const facts = await clockwork(system, 5)
  await system.tell('r@m9', does(later(units(2.5), { type: 'note', n: 99 })))
  plan(system, 'pause r@m9 for 2 at 2')
  await system.run()
  assert.equal(seen(facts), [
    [1, 1],
    [2, 4],
    [3, 4],
    [99, 4], // due in the same phase as the timer of a that sends 4
    [4, 4],
    [5, 5],
  ])
})

both(
  'mail sent across a partition is lost in both directions, earlier mail arrives, and the end of the partition restores the network',
  async (system) => {
    const facts = await clockwork(system, 6)
    await system.tell('r@m9', does(later(units(3), does(note('a@m1', 33)))))
    plan(system, 'partition m1,m5 | m9 at 2.5 until 4.5')
    await system.run()
    assert.equal(seen(facts), [
      [1, 2],
      [2, 3],
      [5, 6],
      [6, 7],
    ])
    assert.equal([...system.deadLetters], [['a partition separates the machines', 3]])
  },
  { network: network(1) },
)

both(
  'mail over a slow link takes longer, and later mail does not overtake it',
  async (system) => {
    const facts = await clockwork(system, 6)
    await system.spawn('b@m5', fixture('puppet.ts'))
    await system.tell('b@m5', does(later(units(3), does(note('r@m9', 33)))))
    plan(system, 'slow m1 | m9,m7 by 2 at 2.5 until 4.5')
    await system.run()
    assert.equal(seen(facts), [
      [1, 2],
      [2, 3],
      [33, 4],
      [3, 6],
      [4, 7],
      [5, 7],
      [6, 7],
    ])
    assert.is(system.deadLetters.size, 0)
  },
  { network: network(1) },
)

both(
  'of several slow links the slowest counts, and a partition loses what would be late',
  async (system) => {
    const facts = await clockwork(system, 4)
    plan(
      system,
      'slow m1 | m9 by 2 at 0.5 until 1.5',
      'slow m9 | * by 3 at 0.5 until 2.5',
      'cut m9 | * at 2.5 until 3.5',
    )
    await system.run()
    assert.equal(seen(facts), [
      [1, 5],
      [2, 6],
      [4, 6],
    ])
    assert.equal([...system.deadLetters], [['a partition separates the machines', 1]])
  },
  { network: network(1) },
)

both('two partitions at once are independent: each ends at its own time', async (system) => {
  const facts = await clockwork(system, 6)
  const [one, two] = await Promise.all([system.partition([['m1'], ['m9']]), system.partition([['m9'], ['m1']])])
  await system.run({ until: units(2) })
  await one()
  await one()
  await system.run({ until: units(4) })
  await two()
  await system.run()
  assert.equal(seen(facts), [
    [5, 5],
    [6, 6],
  ])
})

both('kills and restarts strike at their instants, before all other events of the instant', async (system) => {
  const facts = await clockwork(system, 6)
  const faults = linesOf(system, 'fault')
  plan(system, 'kill r@m9 at 2', 'restart @m9 at 4')
  await system.run()
  assert.equal(
    seen(facts),
    [1, 4, 5, 6].map((t) => [t, t]),
  )
  assert.equal([...system.deadLetters], [['the recipient is dead', 2]])
  assert.equal(
    faults.map(({ at, fault }) => [at, fault]),
    [
      [units(2), 'kill r@m9 at 2'],
      [units(4), 'restart @m9 at 4'],
    ],
  )
})

both(
  'an act planned for the last instant of an ended run comes first in the next run, with and without listeners',
  async (_, options) => {
    for (const listens of [false, true]) {
      await withSystem(options, async (system) => {
        const facts = await clockwork(system, 3)
        if (listens) system.onDelivery(() => {})
        await system.run({ until: units(2) })
        await system.tell('a@m1', does(note('r@m9', 98)))
        await system.tell('r@m9', { type: 'note', n: 99 })
        system.at(units(2), () => system.kill('r@m9'))
        await system.run()
        assert.equal(seen(facts), [
          [1, 1],
          [2, 2],
        ])
      })
    }
  },
)

both('a fault that counts messages strikes at the end of the round of the last counted message', async (system) => {
  const facts = await clockwork(system, 6)
  plan(system, 'kill r@m9 after 3 note', 'restart r@m9 at 5')
  await system.run()
  assert.equal(
    seen(facts),
    [1, 2, 3, 5, 6].map((t) => [t, t]),
  )
})

both('a fault that counts events counts those of timers', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1')
  const times = [1, 2, 3, 4]
  await system.tell('a@m1', does(...times.map((t) => later(units(t), { type: 'note', n: t }, { id: `t${t}` }))))
  plan(system, 'kill a@m1 after 3 note')
  await system.run()
  assert.equal(
    seen(facts),
    [1, 2, 3].map((t) => [t, t]),
  )
})

both(
  'a fault that counts messages lets the round of the last counted message end, with all else that is handled in it',
  async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    await system.tell('a@m1', does(...notes('r@m9', 5), later(units(1), does(note('r@m9', 6)))))
    plan(system, 'kill r@m9 after 2 note')
    await system.run()
    assert.equal(
      seen(facts).map(([n]) => n),
      [1, 2, 3, 4, 5],
    )
  },
)

/** Lets a press the lamp l at the instants 1, 2, ..., so that the lamp is lit at odd instants. */
async function lamp(system: System, count: number): Promise<Fact[]> {
  const facts = await clockwork(system, count)
  await system.spawn('l@m2', fixture('lamp.ts'))
  const times = Array.from({ length: count }, (_, i) => i + 1)
  const presses = times.map((t) => later(units(t), does(tellTo('l@m2', { type: 'press' })), { id: `p${t}` }))
  await system.tell('a@m1', does(...presses))
  return facts
}

both('a fault that waits for a state strikes at the end of the round that entered the state', async (system) => {
  const facts = await lamp(system, 5)
  const faults = linesOf(system, 'fault')
  plan(system, 'kill r@m9 when l@m2 enters bright', 'restart r@m9 when l@m2 enters off')
  await system.run()
  assert.equal(
    seen(facts),
    [1, 3, 4, 5].map((t) => [t, t]),
  )
  assert.equal(
    faults.map(({ at, fault }) => [at, fault]),
    [
      [units(1), 'kill r@m9 when l@m2 enters bright'],
      [units(2), 'restart r@m9 when l@m2 enters off'],
    ],
  )
})

both(
  'the initial states of an incarnation do not count as entered, and only the first entry counts',
  async (system) => {
    const facts = await lamp(system, 4)
    const deaths = linesOf(system, 'died')
    plan(system, 'restart @m2 when @m2 enters on', 'kill r@m9 when l@m2 enters off')
    await system.run()
    // the new incarnation of the lamp also begins in off: the press at 2 lights it again, and the press at 3 does not
    assert.equal(
      deaths.map(({ at, who }) => [at, who]),
      [
        [units(1), 'l@m2'],
        [units(3), 'r@m9'],
      ],
    )
    assert.is(facts.filter(({ type, who }) => type === 'began' && who === 'l@m2').length, 2)
  },
)

both(
  'a fault with a state that the machine of its actor lacks is refused, and the error lists the states',
  async (system) => {
    await system.spawn('l@m2', fixture('lamp.ts'))
    await spawnPuppets(system, 'a@m1', 'b@m2')
    const refused = (text: string) =>
      errorOf(requireConditions(system, [parseFault(text)])).then(({ message }) => message)
    assert.is(
      await refused('kill a@m1 when l@m2 enters dark'),
      'unknown state of l@m2 "dark" in fault "kill a@m1 when l@m2 enters dark"; known: off, on, on.bright',
    )
    assert.match(await refused('kill l@m2 when a@m1 enters bright'), 'unknown state of a@m1 "bright"')
    assert.match(await refused('kill l@m2 when l@m2 enters ight'), 'unknown state of l@m2 "ight"')
    await requireConditions(
      system,
      ['on', 'bright', 'on.bright'].map((state) => parseFault(`kill l@m2 when @m2 enters ${state}`)),
    )
  },
)

both(
  'random kills strike the same victims at the same times in each run, and end when nothing is left to do',
  async (system) => {
    const deaths = linesOf(system, 'died')
    await clockwork(system, 20)
    await spawnPuppets(system, 'b@m2', 'c@m3', 'd@m4')
    plan(system, 'kill random every 3 until 10')
    const { now } = await system.run()
    assert.equal(
      deaths.map(({ at }) => Number(at) / units(1)).filter((at) => at % 3 !== 0),
      [],
    )
    assert.ok(deaths.length >= 1 && deaths.length <= 3)
    assert.ok(now <= units(20))
  },
)

both(
  'calls of listeners are carried out in the same turn, after all waiting reports have been read',
  async (system) => {
    const lines = linesOf(system)
    system.onFact((fact) => {
      if (fact.type !== 'noted') return
      if (fact['n'] === 1) void system.kill('b@m2')
      if (fact['n'] === 1) void system.tell('a@m1', { type: 'note', n: 5 })
    })
    system.onDeath(({ address }) => {
      void system.restart(address)
    })
    await spawnPuppets(system, 'a@m1', 'b@m2', 'c@m3')
    for (const [i, who] of ['a@m1', 'b@m2', 'c@m3'].entries()) await system.tell(who, { type: 'note', n: i + 1 })
    await system.run()
    const told = lines
      .filter(({ t }) => ['fact', 'died', 'spawn'].includes(t))
      .map(({ t, who, fact }) => `${t} ${who} ${JSON.stringify(fact ?? '')}`)
    const facts = (who: string, ...more: readonly string[]) => [`fact ${who} {"type":"began","records":[]}`, ...more]
    assert.equal(
      told.map((line) => line.replace(/,"from":.*$/, '}')),
      [
        'spawn a@m1 ""',
        'spawn b@m2 ""',
        'spawn c@m3 ""',
        ...facts('a@m1', 'fact a@m1 {"type":"noted","n":1}'),
        ...facts('b@m2', 'fact b@m2 {"type":"noted","n":2}'),
        ...facts('c@m3', 'fact c@m3 {"type":"noted","n":3}'),
        'died b@m2 ""',
        'spawn b@m2 ""',
        'fact a@m1 {"type":"noted","n":5}',
        ...facts('b@m2'),
      ],
    )
  },
  { trace: true },
)

/** Awaits a number of resolved promises, so that no time passes. */
async function promises(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await null
}

for (const runtime of nextRuntimes()) {
  test(`a program that awaits a call and then makes another is served at the same instant, with and without listeners (${runtime})`, async () => {
    for (const count of [0, 4, 50]) {
      for (const listens of [false, true]) {
        await withSystem({ runtime }, async (system) => {
          const facts = await clockwork(system, 4)
          await system.spawn('c@m2', PUPPET)
          await system.tell('c@m2', does(later(units(1.5), does({ act: 'throw', text: 'x' }))))
          if (listens) system.onDelivery(() => {})
          system.onDeath(async () => {
            await system.ask('r@m9', { type: 'question', n: 1 }, { deadline: units(9) })
            await promises(count)
            await system.restart('c@m2')
            await promises(count)
            await system.tell('c@m2', { type: 'note', n: 7 })
          })
          await system.run()
          assert.equal(seen(facts, 'c@m2'), [[7, 1.5]])
        })
      }
    }
  })
}

both('an actor spawned as soon as the first run has begun starts with it', async (system) => {
  const facts = await clockwork(system, 3)
  const run = system.run()
  await system.spawn('b@m2', PUPPET)
  await system.tell('b@m2', { type: 'note', n: 7 })
  assert.is((await run).ended, 'idle')
  assert.equal(seen(facts, 'b@m2'), [[7, 0]])
  assert.is(seen(facts, 'r@m9').length, 3)
})

test('simultaneous calls before the first run are carried out in the order of the calls, on threads and inline', async () => {
  const told = await Promise.all(
    RUNTIMES.map((runtime) =>
      withSystem({ runtime }, async (system) => {
        const lines = linesOf(system)
        const names = ['a@m1', 'b@m2', 'c@m3', 'd@m4']
        await Promise.all(
          names.map(async (name, n) => {
            await system.spawn(name, PUPPET)
            await promises(20 - 5 * n)
            await system.tell(name, { type: 'note', n })
          }),
        )
        await Promise.all(names.map((name) => system.restart(name)))
        await system.run()
        return lines
      }),
    ),
  )
  assert.equal(told[0], told[1])
})

test('a call that a listener makes during another call is carried out after it, before the first run and between runs', async () => {
  const told = await Promise.all(
    RUNTIMES.map((runtime) =>
      withSystem({ runtime }, async (system) => {
        const [lines, facts] = [linesOf(system), factsOf(system)]
        await spawnPuppets(system, 'a@m1')
        for (const name of ['b@m2', 'c@m3']) {
          const unlisten = system.onLine(() => {
            unlisten()
            void system.spawn(name, PUPPET)
            void system.tell(name, { type: 'note', n: 2 })
          })
          await system.tell('a@m1', { type: 'note', n: 1 })
          await system.run()
        }
        return { lines, noted: notesOf(facts) }
      }),
    ),
  )
  assert.equal(told[0], told[1])
  assert.equal(told[0]?.noted, [1, 2, 1, 2])
})

both(
  'a call from outside during a run is carried out between two instants, and the run continues with it',
  async (system) => {
    const facts = factsOf(system)
    await system.spawn('a@m1', fixture('echo.ts'))
    await system.spawn('b@m2', fixture('echo.ts'))
    await spawnPuppets(system, 'r@m9')
    await system.tell('a@m1', { type: 'serve', to: 'b@m2' })
    const run = system.run()
    await system.tell('r@m9', { type: 'note', n: 1 })
    await system.restart('r@m9')
    await system.tell('r@m9', { type: 'note', n: 2 })
    await system.spawn('late@m9', fixture('puppet.ts'))
    await system.kill('a@m1')
    const end = await run
    assert.is(end.ended, 'idle')
    assert.equal(
      seen(facts, 'r@m9').map(([n]) => n),
      [1, 2],
    )
    assert.is(facts.filter(({ type }) => type === 'began').length, 3)
  },
  { network: network(0.001) },
)

test.run()
