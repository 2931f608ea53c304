/** Children: actors that actors spawn, end, restart and watch. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Address, type Message, units } from '../../lib/actor.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { parseFault, printFault, requireKnownActors } from '../../lib/scenario/faults.ts'
import type { System } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { runOf } from '../../lib/trace/steps.ts'
import { summaryReport } from '../../scenarios/lab/trace/summary.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { repeats } from '../repeats.ts'
import {
  both,
  does,
  type Fact,
  factsOf,
  fixture,
  later,
  linesOf,
  network,
  note,
  PUPPET,
  RUNTIMES,
  tellTo,
  withSystem,
} from './harness.ts'

const spawning = (name: string, more: Partial<Extract<Act, { act: 'spawn' }>> = {}): Act => ({
  act: 'spawn',
  name,
  ...more,
})
const CRASH = does({ act: 'throw', text: 'broken' })

/** What an actor saw of others, in order: `started boss.1@m1`, `died boss.1@m1`. */
const seenBy = (facts: readonly Fact[], who: Address): string[] =>
  facts
    .filter((fact) => fact.who === who)
    .flatMap(({ type, address, reason }) => {
      if (type === 'saw start') return [`started ${address}`]
      if (type === 'saw failure') return [`failed ${address}`]
      return type === 'saw end' ? [`${reason} ${address}`] : []
    })

const began = (facts: readonly Fact[]): Address[] => facts.filter(({ type }) => type === 'began').map(({ who }) => who)

/** Lets a boss carry out acts, and returns all facts. */
async function boss(system: System, ...acts: readonly Act[]): Promise<Fact[]> {
  const facts = factsOf(system)
  await system.spawn('boss@m1', PUPPET)
  await system.tell('boss@m1', does(...acts))
  await system.run()
  return facts
}

const after = (t: number, message: Message): Act => later(units(t), message, { id: `t${t}` })

both(
  'a child starts on the machine of its parent, within the same instant, and its parent is told first',
  async (system) => {
    const facts = await boss(system, spawning('1', { start: [note('boss@m1', 7)] }), after(0, { type: 'note', n: 8 }))
    assert.equal(began(facts), ['boss@m1', 'boss.1@m1'])
    const told = facts.filter(({ who, type }) => who === 'boss@m1' && type !== 'began')
    assert.equal(
      told.map(({ type, n, from, at }) => [type, n ?? from, at]),
      [
        ['saw start', 'boss.1@m1', 0],
        ['noted', 7, 0],
        ['noted', 8, 0],
      ],
    )
  },
)

both('a module that fails to load, a taken address and a limit come back as a message', async (system) => {
  const bad = fixture('throws-at-import.ts').href
  const facts = await boss(system, spawning('1', { module: bad }), spawning('2'), spawning('2'), spawning('1'))
  assert.equal(seenBy(facts, 'boss@m1'), [
    'failed boss.1@m1',
    'failed boss.2@m1',
    'started boss.1@m1',
    'started boss.2@m1',
  ])
  assert.match(String(facts.find(({ type }) => type === 'saw failure')?.['error']), 'this module never loads')
})

test('a module that cannot be linked comes back in the same words on threads and inline, and so the trace is the same', async () => {
  const module = (name: string): string => new URL(`../fixtures/modules/${name}`, import.meta.url).href
  for (const [name, says] of [
    ['missing-import.js', 'Could not resolve'],
    ['syntax-error.js', 'cannot bundle test/fixtures/modules/syntax-error.js'],
    ['nowhere.ts', 'there is no such file'],
  ] as const) {
    const seen = new Set<string>()
    for (const runtime of RUNTIMES) {
      await withSystem({ runtime, trace: true }, async (system) => {
        const facts = await boss(system, spawning('1', { module: module(name) }))
        const error = String(facts.find(({ type }) => type === 'saw failure')?.['error'])
        assert.match(error, says)
        await system.stop()
        seen.add(`${error} ${system.traceHash}`)
      })
    }
    assert.is(seen.size, 1, [...seen].join(' '))
  }
})

both(
  'a step that spawns a module without a file: URL fails, also with a trace',
  async (system) => {
    const deaths: string[] = []
    system.onDeath(({ cause }) => void deaths.push(cause.message))
    await boss(system, spawning('1', { module: 'http://m1/worker.ts' }))
    assert.match(deaths.join(), 'spawn needs the address of a child, the file: URL of a module')
  },
  { trace: true },
)

both(
  'a parent spawns no more actors than the system takes, and hears which option that is',
  async (system) => {
    const facts = await boss(system, spawning('1'), spawning('2'))
    assert.equal(seenBy(facts, 'boss@m1'), ['failed boss.2@m1', 'started boss.1@m1'])
    assert.match(String(facts.find(({ type }) => type === 'saw failure')?.['error']), 'option actors')
  },
  { actors: 2 },
)

both('an actor cannot spawn, stop or restart the child of another', async (system) => {
  const facts = factsOf(system)
  const lines = linesOf(system, 'died')
  system.onDeath(() => {})
  await system.spawn('boss@m1', fixture('steals.ts'))
  await system.run()
  assert.equal(began(facts), [])
  assert.match(String(lines[0]?.['message']), 'spawn needs the address of a child of boss@m1, not "boss.1@m2"')
})

for (const [how, end, reason] of [
  ['crashes', tellTo('boss.1@m1', CRASH), 'died'],
  ['stops', tellTo('boss.1@m1', { type: 'stop' }), 'stopped'],
  ['is stopped by its parent', { act: 'stop', name: '1' }, 'ended'],
] as const) {
  both(`a parent is told that its child ${how}`, async (system) => {
    system.onDeath(() => {})
    const facts = await boss(system, spawning('1'), later(units(1), does(end)))
    assert.equal(seenBy(facts, 'boss@m1'), ['started boss.1@m1', `${reason} boss.1@m1`])
    const told = facts.find(({ type }) => type === 'saw end')
    const error = reason === 'died' ? { name: 'RangeError', message: 'broken' } : null
    assert.equal([told?.['error'], told?.['on'], told?.['restarts']], [error, reason === 'died' ? CRASH : null, false])
  })
}

both('a parent that ends or dies ends its children first, the last first', async (system) => {
  for (const [who, end] of [
    ['dies@m1', CRASH],
    ['ends@m1', { type: 'stop' }],
  ] as const) {
    const lines = linesOf(system, 'ended', 'died', 'stopped')
    system.onDeath(() => {})
    await system.spawn(who, PUPPET)
    await system.tell(who, does(spawning('1', { start: [spawning('1'), spawning('2')] }), spawning('2'), later(1, end)))
    await system.run()
    const role = who.slice(0, 4)
    const gone = lines.filter(({ t }) => t !== 'stopped').map((line) => line['who'])
    const children = ['2', '1.2', '1.1', '1'].map((name) => `${role}.${name}@m1`)
    assert.equal(gone, who === 'dies@m1' ? [...children, who] : children)
  }
  assert.is(system.actors.filter(({ status }) => status.type === 'alive').length, 0)
})

both('the mail of a child that was ended is a dead letter, and its group forgets it', async (system) => {
  const facts = await boss(
    system,
    spawning('1'),
    spawning('2'),
    later(units(1), does({ act: 'stop', name: '1' }), { id: 'a' }),
    later(units(2), does(note('boss.*@*', 1), note('boss.1@m1', 2)), { id: 'b' }),
  )
  assert.equal(
    facts.filter(({ type }) => type === 'noted').map(({ who, n }) => [who, n]),
    [['boss.2@m1', 1]],
  )
  assert.equal([...system.deadLetters], [['the actor has stopped', 1]])
})

both('the name of a child that is over may be used again', async (system) => {
  const facts = await boss(
    system,
    spawning('1', { start: [{ act: 'persist', record: 5 }] }),
    later(units(1), does({ act: 'stop', name: '1' }, spawning('1'))),
  )
  assert.equal(seenBy(facts, 'boss@m1'), ['started boss.1@m1', 'ended boss.1@m1', 'started boss.1@m1'])
  const records = facts
    .filter(({ type, who }) => type === 'began' && who === 'boss.1@m1')
    .map((fact) => fact['records'])
  assert.equal(records, [[], [5]])
})

both('a child that was spawned again may use the names of the children that it had before', async (system) => {
  const grand = spawning('1', { start: [spawning('x')] })
  const facts = await boss(system, grand, later(units(1), does({ act: 'stop', name: '1' }, grand)))
  assert.equal(seenBy(facts, 'boss.1@m1'), ['started boss.1.x@m1', 'started boss.1.x@m1'])
})

for (const [parentRestart, seen] of [
  ['stop', ['started boss.1@m1']],
  ['restart', ['started boss.1@m1', 'started boss.1@m1']],
  ['keep', ['started boss.1@m1', 'started boss.1@m1']],
] as const) {
  both(`when its parent is restarted, a child can be given up, restarted or kept: ${parentRestart}`, async (system) => {
    const facts = factsOf(system)
    await system.spawn('boss@m1', PUPPET, null, { restart: 'transient' })
    await system.tell('boss@m1', does(spawning('1', { options: { parentRestart } })))
    system.at(units(1), () => system.kill('boss@m1'))
    await system.run()
    assert.equal(seenBy(facts, 'boss@m1'), seen)
    const lives = began(facts).filter((who) => who === 'boss.1@m1').length
    assert.is(lives, parentRestart === 'restart' ? 2 : 1)
    const isAlive = system.actors.some(({ address, status }) => address === 'boss.1@m1' && status.type === 'alive')
    assert.is(isAlive, parentRestart !== 'stop')
  })
}

for (const [strategy, restarted] of [
  ['one-for-one', ['boss.2@m1']],
  ['one-for-all', ['boss.1@m1', 'boss.2@m1', 'boss.3@m1']],
  ['rest-for-one', ['boss.2@m1', 'boss.3@m1']],
] as const) {
  both(
    `${strategy}: a death restarts ${restarted.length} of three children, in the order of spawning`,
    async (system) => {
      system.onDeath(() => {})
      const options = { restart: 'transient', strategy } as const
      const three = ['1', '2', '3'].map((name) => spawning(name, { options }))
      const facts = await boss(system, ...three, later(units(1), does(tellTo('boss.2@m1', CRASH))))
      assert.equal(began(facts).slice(4), restarted)
      assert.is(facts.find(({ type, address }) => type === 'saw end' && address === 'boss.2@m1')?.['restarts'], true)
    },
  )
}

both('siblings keep their order through restarts, so the rest for one stay the same', async (system) => {
  system.onDeath(() => {})
  const strategies = ['one-for-one', 'one-for-all', 'rest-for-one'] as const
  const three = strategies.map((strategy, i) => spawning(`${i + 1}`, { options: { restart: 'transient', strategy } }))
  const crash = (n: number, t: number) => later(units(t), does(tellTo(`boss.${n}@m1`, CRASH)), { id: `t${t}` })
  const facts = await boss(system, ...three, crash(2, 1), crash(3, 2))
  assert.equal(began(facts).slice(4), ['boss.1@m1', 'boss.2@m1', 'boss.3@m1', 'boss.3@m1'])
  const ends = facts.filter(({ type }) => type === 'saw end')
  assert.equal(ends.map(({ address, restarts }) => `${address} ${restarts}`).sort(), [
    'boss.1@m1 true',
    'boss.2@m1 true',
    'boss.3@m1 true',
    'boss.3@m1 true',
  ])
})

both('children that crash in one round are restarted once: a new incarnation has not crashed', async (system) => {
  let deaths = 0
  system.onDeath(() => void deaths++)
  const options = { restart: 'permanent', strategy: 'one-for-all' } as const
  const three = ['1', '2', '3'].map((name) => spawning(name, { options }))
  const facts = await boss(system, ...three, later(units(1), does(tellTo('boss.*@*', CRASH))))
  assert.equal(began(facts).slice(4), ['boss.1@m1', 'boss.2@m1', 'boss.3@m1'])
  assert.is(deaths, 3)
  assert.equal(
    seenBy(facts, 'boss@m1').filter((text) => text.startsWith('died') || text.startsWith('ended')),
    ['died boss.1@m1', 'died boss.2@m1', 'died boss.3@m1'],
  )
  assert.equal(
    facts.flatMap(({ type, error }) => (type === 'saw end' ? [String(Object(error).message)] : [])),
    ['broken', 'broken', 'broken'],
  )
})

both('a child that ends by itself in the round of a restart or a stop has stopped, and stays over', async (system) => {
  system.onDeath(() => {})
  const end = { type: 'stop' }
  const options = { restart: 'transient', strategy: 'one-for-all' } as const
  const facts = await boss(
    system,
    ...['1', '2', '3'].map((name) => spawning(name, { options })),
    later(units(1), does(tellTo('boss.1@m1', CRASH), tellTo('boss.2@m1', end))),
    later(units(2), does(tellTo('boss.3@m1', end), tellTo('boss@m1', does({ act: 'stop', name: '3' }))), { id: 'b' }),
  )
  const ends = facts.flatMap(({ type, address, reason, restarts }) =>
    type === 'saw end' ? [`${address} ${reason} ${restarts}`] : [],
  )
  assert.equal(ends.sort(), [
    'boss.1@m1 died true',
    'boss.2@m1 stopped false',
    'boss.3@m1 ended true',
    'boss.3@m1 stopped false',
  ])
  assert.equal(began(facts).slice(4), ['boss.1@m1', 'boss.3@m1'])
})

both('a child that is kept waits for its back-off, also when its parent is restarted', async (system) => {
  system.onDeath(() => {})
  const facts = factsOf(system)
  await system.spawn('boss@m1', PUPPET, null, { restart: 'transient' })
  const backoff = { least: units(100), most: units(100) }
  const options = { restart: 'transient', parentRestart: 'keep', backoff } as const
  await system.tell('boss@m1', does(spawning('1', { options })))
  system.at(units(1), () => system.kill('boss.1@m1'))
  system.at(units(5), () => system.kill('boss@m1'))
  await system.run()
  const [, again = 0, ...more] = facts.flatMap(({ type, who, at }) =>
    type === 'began' && who === 'boss.1@m1' ? [at] : [],
  )
  assert.ok(again >= units(51) && again <= units(101), `${again}`)
  assert.equal(more, [])
})

for (const act of ['restart', 'stop'] as const) {
  both(`siblings that wait for a restart come back when a ${act} takes its place`, async (system) => {
    system.onDeath(() => {})
    const backoff = { least: units(9), most: units(9) }
    const options = { restart: 'transient', strategy: 'one-for-all', backoff } as const
    const facts = await boss(
      system,
      ...['1', '2', '3'].map((name) => spawning(name, { options })),
      later(units(1), does(tellTo('boss.2@m1', CRASH)), { id: 'a' }),
      later(units(2), does({ act, name: '2' }), { id: 'b' }),
    )
    const again = facts.filter(({ type, at }) => type === 'began' && at > 0)
    assert.equal(again.map(({ who, at }) => `${who} at ${at / units(1)}`).sort(), [
      'boss.1@m1 at 2',
      ...(act === 'restart' ? ['boss.2@m1 at 2'] : []),
      'boss.3@m1 at 2',
    ])
  })
}

both('a child that is restarted in the round of its crash lives on', async (system) => {
  system.onDeath(() => {})
  const facts = await boss(
    system,
    spawning('1', { options: { restart: 'temporary' } }),
    later(units(1), does(tellTo('boss.1@m1', CRASH), tellTo('boss@m1', does({ act: 'restart', name: '1' })))),
  )
  assert.equal(began(facts).filter((who) => who === 'boss.1@m1').length, 2)
  const { status } = system.actors.find(({ address }) => address === 'boss.1@m1') ?? {}
  assert.is(status?.type, 'alive')
})

both('children that are restarted with their parent start in the order of their spawning', async (system) => {
  const spawned = linesOf(system, 'spawn')
  await system.spawn('boss@m1', PUPPET, null, { restart: 'transient' })
  const options = { parentRestart: 'restart' } as const
  await system.tell('boss@m1', does(...['1', '2', '3'].map((name) => spawning(name, { options }))))
  system.at(units(1), () => system.kill('boss@m1'))
  await system.run()
  assert.equal(
    spawned.slice(5).map((line) => line['who']),
    ['boss.1@m1', 'boss.2@m1', 'boss.3@m1'],
  )
})

both('a child that waits for its restart with a sibling is at work: its name is taken', async (system) => {
  system.onDeath(() => {})
  const options = {
    restart: 'transient',
    strategy: 'one-for-all',
    backoff: { least: units(9), most: units(9) },
  } as const
  const facts = await boss(
    system,
    ...['1', '2'].map((name) => spawning(name, { options })),
    later(units(1), does(tellTo('boss.1@m1', CRASH)), { id: 'a' }),
    later(units(2), does(spawning('2'), { act: 'watch', address: 'boss.1@m1' }), { id: 'b' }),
  )
  assert.equal(
    seenBy(facts, 'boss@m1').filter((text) => text.startsWith('failed')),
    ['failed boss.2@m1'],
  )
  assert.equal(began(facts).slice(3), ['boss.1@m1', 'boss.2@m1'])
  const told = facts.filter(({ type, address }) => type === 'saw end' && address === 'boss.1@m1')
  assert.equal(
    told.map(({ restarts }) => restarts),
    [true, true],
  )
})

both(
  'a new incarnation of a parent is told of the children that it kept, also if the old one watched them',
  async (system) => {
    system.onDeath(() => {})
    const facts = factsOf(system)
    await system.spawn('boss@m1', PUPPET, null, { restart: 'transient' })
    await system.tell('boss@m1', does(spawning('1', { options: { parentRestart: 'keep' } })))
    await system.tell('boss@m1', does({ act: 'watch', address: 'boss.1@m1' }))
    system.at(units(1), () => system.kill('boss@m1'))
    system.at(units(2), () => system.kill('boss.1@m1'))
    await system.run()
    assert.equal(seenBy(facts, 'boss@m1').at(-1), 'died boss.1@m1')
  },
)

both('a child whose parent is over is not restarted', async (system) => {
  system.onDeath(() => {})
  const facts = factsOf(system)
  await system.spawn('boss@m1', PUPPET)
  await system.tell('boss@m1', does(spawning('1')))
  system.at(units(1), () => system.kill('boss@m1'))
  system.at(units(2), () => system.restart('boss.1@m1'))
  await system.run()
  assert.equal(began(facts), ['boss@m1', 'boss.1@m1'])
})

both(
  'when a machine is restarted, the children of an actor stay over until their new parent spawns them',
  async (system) => {
    system.onDeath(() => {})
    const facts = factsOf(system)
    await system.spawn('boss@m1', PUPPET)
    await system.tell('boss@m1', does(spawning('1'), spawning('2', { options: { parentRestart: 'keep' } })))
    planFaults(system, [parseFault('restart @m1 at 1')])
    system.at(units(1), () => system.tell('boss@m1', does(spawning('1'))))
    await system.run()
    assert.equal(
      seenBy(facts, 'boss@m1').filter((text) => text.startsWith('failed')),
      [],
    )
    assert.equal(began(facts), ['boss@m1', 'boss.1@m1', 'boss.2@m1', 'boss@m1', 'boss.2@m1', 'boss.1@m1'])
  },
)

both('a child that died on its own can be restarted as long as its parent has the same incarnation', async (system) => {
  system.onDeath(() => {})
  const facts = factsOf(system)
  await system.spawn('boss@m1', PUPPET)
  await system.tell('boss@m1', does(spawning('1')))
  system.at(units(1), () => system.kill('boss.1@m1'))
  system.at(units(2), () => system.restart('boss.1@m1'))
  system.at(units(3), () => system.kill('boss.1@m1'))
  system.at(units(4), () => system.restart('boss@m1'))
  system.at(units(5), () => system.restart('boss.1@m1'))
  await system.run()
  assert.equal(began(facts), ['boss@m1', 'boss.1@m1', 'boss.1@m1', 'boss@m1'])
})

both(
  'mail to a group of children that are all over is no mistake',
  async (system) => {
    const facts = await boss(
      system,
      spawning('1'),
      later(units(1), does({ act: 'stop', name: '1' }), { id: 'a' }),
      later(units(2), does(note('boss.*@*', 1)), { id: 'b' }),
    )
    assert.equal([began(facts).length, system.misaddressed], [2, 0])
  },
  { strict: true },
)

both('a child that dies too often stays dead; one that escalates takes its parent along', async (system) => {
  system.onDeath(() => {})
  const facts = factsOf(system)
  const gaveUp = linesOf(system, 'gave up')
  const options = { restart: 'permanent', intensity: 1 } as const
  for (const [who, giveUp] of [
    ['calm@m1', 'stop'],
    ['grave@m1', 'escalate'],
  ] as const) {
    await system.spawn(who, PUPPET, null, { restart: 'transient' })
    const crash = tellTo(who.replace('@', '.1@'), CRASH)
    const crashes = [1, 2].map((t) => later(units(t), does(crash), { id: `t${t}` }))
    await system.tell(who, does(spawning('1', { options: { ...options, giveUp } }), ...crashes))
  }
  await system.run()
  assert.equal(
    began(facts).filter((who) => who === 'grave@m1' || who === 'calm@m1'),
    ['calm@m1', 'grave@m1', 'grave@m1'],
  )
  assert.equal(
    gaveUp.map((line) => line['who']),
    ['calm.1@m1', 'grave.1@m1'],
  )
})

both('a restart waits for its back-off, which doubles and has a draw of its own', async (system) => {
  system.onDeath(() => {})
  const backoff = { least: units(4), most: units(8) }
  const options = { restart: 'permanent', intensity: 9, backoff } as const
  const crash = does(tellTo('boss.1@m1', CRASH))
  const crashes = [100, 200, 300].map((t) => later(units(t), crash, { id: `t${t}` }))
  const facts = await boss(system, spawning('1', { options }), ...crashes)
  const pauses = facts
    .filter(({ type, who }) => type === 'began' && who === 'boss.1@m1')
    .map(({ at }) => at % units(100))
    .slice(1)
  assert.is(pauses.length, 3)
  for (const [i, longest] of [4, 8, 8].entries()) {
    const pause = pauses[i] ?? 0
    assert.ok(pause >= units(longest / 2) && pause <= units(longest), `${pause} is within half of ${longest}`)
  }
})

both('a planned restart is forgotten when the parent ends', async (system) => {
  system.onDeath(() => {})
  const options = { restart: 'permanent', backoff: { least: units(50), most: units(50) } } as const
  const facts = await boss(
    system,
    spawning('1', { options }),
    later(units(1), does(tellTo('boss.1@m1', CRASH)), { id: 'a' }),
    later(units(2), { type: 'stop' }, { id: 'b' }),
  )
  assert.equal(began(facts), ['boss@m1', 'boss.1@m1'])
})

both('a supervisor can be a machine: it is told of a death and restarts the child itself', async (system) => {
  system.onDeath(() => {})
  const facts = await boss(
    system,
    spawning('1'),
    later(units(1), does(tellTo('boss.1@m1', CRASH)), { id: 'a' }),
    later(units(2), does({ act: 'restart', name: '1' }), { id: 'b' }),
  )
  assert.equal(seenBy(facts, 'boss@m1'), ['started boss.1@m1', 'died boss.1@m1', 'started boss.1@m1'])
})

both(
  'the end of a watched actor is told after all its mail, however long that takes',
  async (system) => {
    system.onDeath(() => {})
    const facts = factsOf(system)
    await system.spawn('a@m1', PUPPET)
    await system.spawn('b@m2', PUPPET)
    await system.tell('a@m1', does({ act: 'watch', address: 'b@m2' }))
    await system.tell('b@m2', does(...[1, 2, 3].map((n) => note('a@m1', n)), later(1, { type: 'stop' })))
    await system.run()
    const told = facts.filter(({ who, type }) => who === 'a@m1' && type !== 'began')
    assert.equal(
      told.map(({ type, n, reason }) => n ?? `${type}: ${reason}`),
      [1, 2, 3, 'saw end: stopped'],
    )
    assert.ok((told.at(-1)?.at ?? 0) >= units(5))
  },
  { network: network(5, 20) },
)

both('a watch tells once, of the present incarnation, at once if it is over, and after its delay', async (system) => {
  system.onDeath(() => {})
  const facts = factsOf(system)
  await system.spawn('a@m1', PUPPET)
  await system.spawn('b@m2', PUPPET, null, { restart: 'transient' })
  const watch = { act: 'watch', address: 'b@m2', delay: units(3) } as const
  await system.tell('a@m1', does(watch, { act: 'watch', address: 'nobody@m9' }))
  for (const t of [1, 10]) system.at(units(t), () => system.kill('b@m2'))
  await system.run()
  const told = facts.filter(({ type }) => type === 'saw end')
  assert.equal(
    told.map(({ address, reason, restarts, at }) => [address, reason, restarts, at]),
    [
      ['nobody@m9', 'unknown', false, 0],
      ['b@m2', 'died', true, units(4)],
    ],
  )
})

both('a parent is told of an end once, and at once: a watch of its own with a delay adds nothing', async (system) => {
  system.onDeath(() => {})
  const crash = later(units(1), does(tellTo('boss.1@m1', CRASH)))
  const watch = { act: 'watch', address: 'boss.1@m1', delay: units(3) } as const
  const facts = await boss(system, spawning('1'), later(units(0.5), does(watch), { id: 'w' }), crash)
  assert.equal(
    facts.flatMap(({ type, reason, at }) => (type === 'saw end' ? [[reason, at]] : [])),
    [['died', units(1)]],
  )
})

both('an ended watch tells nothing, and a new incarnation of the watcher has no watches', async (system) => {
  system.onDeath(() => {})
  const facts = factsOf(system)
  for (const who of ['a@m1', 'b@m1']) await system.spawn(who, PUPPET, null, { restart: 'transient' })
  await system.spawn('c@m2', PUPPET)
  const watch = { act: 'watch', address: 'c@m2' } as const
  await system.tell('a@m1', does(watch, { act: 'unwatch', address: 'c@m2' }))
  await system.tell('b@m1', does(watch))
  system.at(units(1), () => system.kill('b@m1'))
  system.at(units(2), () => system.kill('c@m2'))
  await system.run()
  assert.equal(
    facts.filter(({ type }) => type === 'saw end'),
    [],
  )
})

both(
  'a run with children has one trace on threads and inline, and replays',
  async (system) => {
    system.onDeath(() => {})
    const options = { restart: 'transient', strategy: 'one-for-all' } as const
    await boss(
      system,
      ...['1', '2'].map((name) => spawning(name, { options, start: [spawning('x')] })),
      { act: 'watch', address: 'boss.1.x@m1' },
      later(units(1), does(tellTo('boss.2@m1', CRASH)), { id: 'a' }),
      later(units(2), does({ act: 'stop', name: '1' }), { id: 'b' }),
    )
    await system.stop()
    const lines = [...system.recorded()]
    assert.is([...(await Replay.open(traceOf(lines)))].length, system.steps)
    hashes.add(system.traceHash)
    assert.is(hashes.size, 1)
  },
  { record: true, trace: true },
)

const hashes = new Set<string>()

// more than the system has slots (31) and pages of mail (256); `npm run kills` ends 10,000
both('hundreds of children that are spawned and ended in turns leave nothing behind', async (system) => {
  const rounds = repeats(600)
  const turns = Array.from({ length: rounds }, (_, i) =>
    later(units(i + 1), does(i % 2 === 0 ? spawning('1') : { act: 'stop', name: '1' }), { id: `t${i}` }),
  )
  const before = process.getActiveResourcesInfo().length
  const facts = await boss(system, ...turns)
  assert.is(began(facts).length, 1 + rounds / 2)
  assert.is(system.actors.length, 2)
  assert.ok(process.getActiveResourcesInfo().length <= before + 4)
})

both('mail to a child that has never started fails the step that sends it', async (system) => {
  const died = linesOf(system, 'died')
  system.onDeath(() => {})
  await boss(system, spawning('1'), note('boss.1@m1', 1))
  assert.match(
    String(died[0]?.['message']),
    'the child boss.1@m1 has not started: send it mail once `started` has come',
  )
})

both(
  'a parent need not handle the news of its children, even if the system is strict',
  async (system) => {
    await system.spawn('deaf@m1', fixture('deaf-parent.ts'))
    const { ended } = await system.run()
    assert.equal([ended, system.unhandled, system.actors.length], ['idle', 0, 2])
  },
  { strict: true },
)

both('a fault may name a child that is yet to come, and none that cannot come', async (system) => {
  const fault = parseFault('kill boss.1@m1 at 2')
  requireKnownActors(fault, ['boss@m1'], '--fault')
  assert.throws(() => requireKnownActors(fault, ['boss@m2'], '--fault'), /boss.1@m1/)
  const missed = planFaults(system, [fault])
  const facts = await boss(system, spawning('1'), later(units(3), { type: 'note', n: 1 }))
  assert.equal(missed(), [])
  assert.equal(seenBy(facts, 'boss@m1'), ['started boss.1@m1', 'died boss.1@m1'])
})

both('a fault has struck an idle actor if its parent hears of it, and not if nobody does', async (system) => {
  system.onDeath(() => {})
  const missed = planFaults(
    system,
    ['kill boss.1@m1 at 2', 'kill boss@m1 at 4'].map((text) => parseFault(text)),
  )
  const facts = await boss(system, spawning('1'))
  assert.equal(seenBy(facts, 'boss@m1'), ['started boss.1@m1', 'died boss.1@m1'])
  assert.equal(missed(), [parseFault('kill boss@m1 at 4')])
})

both('whether a fault has struck is what it has done: records lost, a restart, or nothing', async (system) => {
  system.onDeath(() => {})
  const options = { restart: 'permanent', intensity: 0 } as const
  const persists = does({ act: 'persist', record: 1 })
  const texts = [
    ...['kill boss.1@m1 at 5', 'kill boss.1@m1 at 6 losing 1', 'restart boss.1@m1 at 7'], // dead, and restarted without a record
    ...['restart boss.2@m1 at 8'], // it has reached a final state
    ...['kill boss@m1 at 10', 'kill boss.1@m1 at 11 losing 1', 'restart boss.1@m1 at 12'], // its parent is over
  ]
  const missed = planFaults(
    system,
    texts.map((text) => parseFault(text)),
  )
  const facts = await boss(
    system,
    spawning('1', { options }),
    spawning('2'),
    later(units(1), does(tellTo('boss.1@m1', persists), tellTo('boss.2@m1', { type: 'stop' })), { id: 'a' }),
    later(units(20), { type: 'note', n: 1 }, { id: 'b' }),
  )
  assert.equal(began(facts).slice(3), ['boss.1@m1', 'boss.2@m1'])
  assert.equal(missed().map(printFault), texts.slice(5))
})

both('a child that ends by itself in the round in which its parent restarts it has stopped', async (system) => {
  let deaths = 0
  system.onDeath(() => void deaths++)
  const restarts = does({ act: 'restart', name: '1' })
  const facts = await boss(
    system,
    spawning('1'),
    later(units(1), does(tellTo('boss.1@m1', { type: 'stop' }), tellTo('boss@m1', restarts))),
  )
  assert.equal(seenBy(facts, 'boss@m1'), ['started boss.1@m1', 'stopped boss.1@m1', 'started boss.1@m1'])
  assert.is(deaths, 0)
})

test('an actor that is restarted because of another keeps what it did in that round, and the run replays', async () => {
  const done: Act[] = [{ act: 'persist', record: 'kept' }, note('boss@m1', 5)]
  const options = { restart: 'permanent', strategy: 'one-for-all' } as const
  const [first, second] = [spawning('1', { options }), spawning('2', { options })]
  for (const [why, to, message] of [
    ['ordered', 'boss@m1', does({ act: 'restart', name: '2' })],
    ['one-for-all', 'boss.1@m1', CRASH],
  ] as const) {
    for (const runtime of RUNTIMES) {
      await withSystem({ runtime, record: true }, async (system) => {
        system.onDeath(() => {})
        system.at(units(1), () => system.tell(to, message))
        system.at(units(1), () => system.tell('boss.2@m1', does(...done, { act: 'count' })))
        const facts = await boss(system, first, second)
        const seen = facts.filter(({ who }) => who === 'boss.2@m1')
        assert.equal(
          seen.map(({ type, records }) => [type, records]),
          [
            ['began', []],
            ['counted', undefined],
            ['began', ['kept']],
          ],
          `${why} ${runtime}`,
        )
        await system.stop()
        assert.ok([...(await Replay.open(traceOf([...system.recorded()])))].length > 5)
      })
    }
  }
})

test('trace summary shows children below their parents', () =>
  withSystem({ runtime: 'inline', record: true }, async (system) => {
    await boss(system, spawning('1', { start: [spawning('x')] }), spawning('2'))
    const { text } = summaryReport(runOf(traceOf([...system.recorded()])), 10)
    const rows = text.split('\n').flatMap((line) => line.match(/^ *boss\S*/) ?? [])
    const indents = rows.map((row) => row.search(/\S/))
    const least = Math.min(...indents)
    assert.equal(
      rows.map((row, i) => [row.trim(), ((indents[i] ?? 0) - least) / 2]),
      [
        ['boss@m1', 0],
        ['boss.1@m1', 1],
        ['boss.1.x@m1', 2],
        ['boss.2@m1', 1],
      ],
    )
  }))

test.run()
