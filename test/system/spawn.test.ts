import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { BourseError } from '../../lib/system.ts'
import { lossy } from '../fixtures/lossy.ts'
import { both, does, errorOf, factsOf, fixture, note, notesOf, PUPPET, spawnPuppets, tellTo } from './harness.ts'

const SYNTAX_ERROR = new URL('../fixtures/modules/syntax-error.js', import.meta.url)

both(
  'a module that throws when it loads fails the spawn with the class, the message and the .ts file of its error',
  async (system) => {
    const error = await errorOf(system.spawn('a@m1', fixture('throws-at-import.ts')))
    assert.is(error.name, 'TooEarly')
    assert.is(error.message, 'this module never loads')
    assert.match(error.stack ?? '', /throws-at-import\.ts:5:\d+/)
  },
)

both(
  'an actor that is spawned with the type of its module is told, asked and restarted by its reference',
  async (system) => {
    const facts = factsOf(system)
    const till = await system.spawn<typeof import('../fixtures/actors/till.ts')>('till@m1', fixture('till.ts'), {
      first: 1,
    })
    assert.is(till, 'till@m1')
    await system.tell(till, { type: 'add', amount: 2 })
    const { sum } = await system.ask(till, { type: 'add', amount: 3 }, { deadline: units(1) })
    assert.is(sum, 6)
    await system.kill(till)
    await system.restart(till)
    await system.run()
    assert.equal(facts, [{ type: 'closed', sum: 6, who: 'till@m1', at: units(10) }])
  },
)

both('a module that exports no machine fails the spawn, and the error names it', async (system) => {
  const error = await errorOf(system.spawn('a@m1', fixture('no-machine.ts')))
  assert.is(error.name, 'NotAMachine')
  assert.match(error.message, /no-machine\.ts does not export a machine/)
})

both('a module that cannot be parsed fails the spawn, and the error names it', async (system) => {
  const error = await errorOf(system.spawn('a@m1', SYNTAX_ERROR))
  assert.match(`${error.message} ${error.stack}`, /syntax-error\.js/)
})

both('a module that does not exist fails the spawn, and the error names it', async (system) => {
  const error = await errorOf(system.spawn('a@m1', fixture('missing.ts')))
  assert.match(error.message, /missing\.ts/)
})

for (const [name, what] of [
  ['invokes.ts', "invokes an actor in state 'calling': spawn actors with the effect `spawn`, or make child charts"],
  ['remembers.ts', "has a history state in state 'on.last': keep the name of the last state in the context"],
  ['spawns.ts', "uses spawnChild on entry in state 'idle': spawn actors with the effect `spawn`, or make child charts"],
] as const) {
  both(
    `a machine that ${what.replace(/ (on entry )?in state.*/, '')} is refused when it is spawned`,
    async (system) => {
      const error = await errorOf(system.spawn('a@m1', fixture(name)))
      assert.is(error.name, 'NotAMachine')
      assert.ok(error.message.endsWith(`${name}: machine '(machine)' ${what}`), error.message)
    },
  )
}

both('an address that is taken, malformed or a group is refused', async (system) => {
  await spawnPuppets(system, 'a@m1')
  assert.match((await errorOf(system.spawn('a@m1', PUPPET))).message, "the address 'a@m1' is taken")
  for (const address of ['a', '@m1', 'a@', 'a@*', 'a b@m1', 'a@m1@m2']) {
    const { message } = await errorOf(system.spawn(address, PUPPET))
    assert.ok(message.startsWith(`the address "${address}" must be role@machine, such as client@m1, `), message)
  }
})

both('a failed spawn leaves its address free, and another spawn takes it', async (system) => {
  const facts = factsOf(system)
  await errorOf(system.spawn('a@m1', fixture('throws-at-import.ts')))
  await errorOf(system.spawn('a@m1', fixture('no-machine.ts')))
  await spawnPuppets(system, 'b@m2', 'a@m1')
  assert.match((await errorOf(system.spawn('a@m1', PUPPET))).message, "the address 'a@m1' is taken")
  await system.tell('b@m2', does(note('a@m1', 1)))
  await system.run()
  assert.equal(notesOf(facts, 'a@m1'), [1])
  assert.equal(
    system.actors.map(({ address, status }) => [address, status.type]),
    [
      ['a@m1', 'alive'],
      ['b@m2', 'alive'],
    ],
  )
})

both('the errors of calls have one base class, and each has a code', async (system) => {
  const codeOf = async (call: () => Promise<unknown>) => {
    const error = await errorOf(Promise.resolve().then(call))
    assert.instance(error, BourseError)
    return error instanceof BourseError ? error.code : ''
  }
  await spawnPuppets(system, 'a@m1')
  assert.is(await codeOf(() => system.spawn('a@m1', PUPPET)), 'BOURSE_ADDRESS')
  assert.is(await codeOf(() => system.kill('b@m1')), 'BOURSE_ADDRESS')
  assert.is(await codeOf(() => system.spawn('b@m1', fixture('no-machine.ts'))), 'BOURSE_NOT_A_MACHINE')
  assert.is(await codeOf(() => system.run({ until: -1 })), 'BOURSE_OPTION')
  assert.is(await codeOf(() => system.ask('a@m1', does(), { deadline: 5 })), 'BOURSE_ASK_TIMEOUT')
  assert.is(await codeOf(() => system.tell('a@m1', { type: 'note', lost: lossy('symbol') })), 'BOURSE_NOT_PLAIN')
  await system.stop()
  assert.is(await codeOf(() => system.run()), 'BOURSE_STOPPED')
})

both('an address with the role of the system or beyond the length limit is refused', async (system) => {
  const fails = async (address: string) => (await errorOf(system.spawn(address, PUPPET))).message
  const ours = 'the address "system@m1" has the role of the runtime itself: choose another role than system'
  assert.is(await fails('system@m1'), ours)
  const long = `a@${'m'.repeat(4998)}`
  const limit = 'has 5000 characters, and the limit ADDRESS_LENGTH is 200: shorten its role or its machine'
  assert.is(await fails(long), `the address "${long.slice(0, 60)}..." ${limit}`)
  await spawnPuppets(system, `a@${'m'.repeat(198)}`, 'a@system', 'systems@m1')
})

both(
  'an actor beyond the limit is refused, and the error names the limit',
  async (system) => {
    await spawnPuppets(system, 'a@m1', 'a@m2', 'a@m3')
    assert.is(
      (await errorOf(system.spawn('a@m4', PUPPET))).message,
      'too many actors: 3 (option actors): raise it, or use the names of children again that are over',
    )
    const facts = factsOf(system)
    await system.run()
    assert.is(facts.length, 3)
  },
  { actors: 3 },
)

both(
  'after a failed spawn the other actors keep running, and mail to the failed one is a dead letter',
  async (system) => {
    await spawnPuppets(system, 'a@m1')
    await errorOf(system.spawn('b@m2', fixture('throws-at-import.ts')))
    const facts = factsOf(system)
    await system.tell('a@m1', does(note('b@m2', 1), note('a@m1', 2)))
    await system.run()
    assert.equal(notesOf(facts), [2])
    assert.equal([...system.deadLetters], [['the recipient is dead', 1]])
  },
)

both('a machine of XState itself whose target is no state is refused with the mend, on one line', async (system) => {
  const { name, message } = await errorOf(system.spawn('a@m1', fixture('astray-target.ts')))
  assert.is(name, 'NotAMachine')
  assert.match(
    message,
    "astray-target.ts: machine 'lamp' cannot be made: Invalid transition definition for state node 'lamp.off': Child state 'onn' does not exist on 'lamp'; a target is the name of a state beside this one, ",
  )
})

both('an actor spawned during a run starts in this run, and can reach all other actors', async (system) => {
  const facts = factsOf(system)
  await spawnPuppets(system, 'a@m1')
  system.at(5, () => system.spawn('b@m2', PUPPET, { start: [note('a@m1', 7), tellTo('a@m1', does(note('b@m2', 8)))] }))
  await system.run()
  assert.equal(notesOf(facts, 'a@m1'), [7])
  assert.equal(notesOf(facts, 'b@m2'), [8])
  assert.is(facts.find(({ type, who }) => type === 'began' && who === 'b@m2')?.at, 5)
})

test.run()
