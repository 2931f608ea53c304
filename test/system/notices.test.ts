import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { BourseError, type System } from '../../lib/system.ts'
import { both, does, errorOf, fixture, note, PUPPET, spawnPuppets, tellTo, withSystem } from './harness.ts'

/** Runs a system, and returns what it printed on stderr. */
async function warningsOf(system: System): Promise<string> {
  const { write } = process.stderr
  let printed = ''
  process.stderr.write = (text: string | Uint8Array) => {
    printed += String(text)
    return true
  }
  try {
    await system.run()
  } finally {
    process.stderr.write = write
  }
  return printed
}

both('a message that no state of its recipient handles is counted, and told once', async (system, { runtime }) => {
  const [a, r] = [`a@${runtime}`, `r@${runtime}`]
  await spawnPuppets(system, a, r)
  const typo = tellTo(r, { type: 'questoin', n: 1 })
  await system.tell(a, does(typo, typo, tellTo(a, { type: 'gibberish!' })))
  const printed = await warningsOf(system)
  assert.is(
    printed,
    `bourse: no state of ${a} handles 'gibberish!' from ${a}; to ignore it on purpose, write "gibberish!": {} among its handlers\n` +
      `bourse: no state of ${r} handles 'questoin' from ${a}; did you mean 'question'? (to ignore it on purpose, write "questoin": {} among its handlers)\n`,
  )
  assert.equal([system.unhandled, system.misaddressed], [3, 0])
})

both('a message that only another state handles is counted, and not told', async (system, { runtime }) => {
  const who = `lamp@${runtime}`
  await system.spawn(who, fixture('one-way.ts'))
  for (let i = 0; i < 3; i++) await system.tell(who, { type: 'leave' })
  for (let i = 0; i < 3; i++) await system.tell(who, { type: 'ignored' })
  assert.is(await warningsOf(system), '')
  assert.equal([system.unhandled, system.misaddressed], [2, 0])
})

both('mail to an address or group that no actor has had is counted, and told once', async (system, { runtime }) => {
  const [a, r] = [`asker@${runtime}`, `receiver@${runtime}`]
  await spawnPuppets(system, a, r)
  const typo = note(`reciever@${runtime}`, 1)
  await system.tell(a, does(typo, typo, note('q@*', 1), note('receivers@*', 1)))
  await system.spawn(`desk@${runtime}`, fixture('desk.ts'))
  const message = { type: 'question', n: 1 }
  await system.tell(`desk@${runtime}`, { type: 'ask', id: 'q', to: `nobody@${runtime}`, message, deadline: units(1) })
  const printed = await warningsOf(system)
  const missing = ', which no actor has had; '
  assert.is(
    printed,
    `bourse: ${a} sent 'note' to the address reciever@${runtime}${missing}did you mean ${r}?\n` +
      `bourse: ${a} sent 'note' to the group q@*${missing}spawn an actor there, or correct the address\n` +
      `bourse: ${a} sent 'note' to the group receivers@*${missing}did you mean receiver@*?\n` +
      `bourse: desk@${runtime} sent 'question' to the address nobody@${runtime}${missing}spawn an actor there, or correct the address\n`,
  )
  assert.equal([system.unhandled, system.misaddressed], [0, 5])
})

both('mail to a dead actor, a stopped one, or the rest of a group without others is no mistake', async (system) => {
  await spawnPuppets(system, 'alone@m1', 'dead@m2', 'stopped@m3')
  await system.kill('dead@m2')
  await system.tell('stopped@m3', { type: 'stop' })
  await system.run()
  await system.spawn('later@m4', PUPPET)
  for (const who of ['alone@m1', 'later@m4']) {
    const group = `${who.slice(0, who.indexOf('@'))}@*`
    await system.tell(who, does(note('dead@m2', 1), note('stopped@m3', 1), note('stopped@*', 1), note(group, 1)))
  }
  assert.is(await warningsOf(system), '')
  assert.is(system.misaddressed, 0)
})

both(
  'with option strict such a message ends the run with an error',
  async (system, options) => {
    await spawnPuppets(system, 'a@m1', 'r@m2')
    await system.tell('a@m1', does(tellTo('r@m2', { type: 'nite', n: 1 })))
    const error = await errorOf(system.run())
    assert.match(error.message, "no state of r@m2 handles 'nite' from a@m1; did you mean 'note'?")
    assert.is(error instanceof BourseError && error.code, 'BOURSE_STRICT')
    await withSystem(options, async (other) => {
      await spawnPuppets(other, 'a@m1')
      await other.tell('a@m1', does(note('b@m1', 1)))
      assert.match((await errorOf(other.run())).message, "a@m1 sent 'note' to the address b@m1, which no actor has had")
    })
  },
  { strict: true },
)

test('mistakes change no trace, which is the same on threads and inline', async () => {
  const hashes = new Set<string>()
  for (const runtime of ['threads', 'inline'] as const) {
    await withSystem({ runtime, trace: true }, async (system) => {
      await spawnPuppets(system, 'a@m1', 'r@m2')
      await system.tell('a@m1', does(tellTo('r@m2', { type: 'gibberish' }), note('nobody@m2', 1), note('r@m2', 2)))
      await warningsOf(system)
      await system.stop()
      hashes.add(system.traceHash)
    })
  }
  assert.is(hashes.size, 1)
})

test('in real time unhandled events are counted, and nothing is told', () =>
  withSystem({ time: 'real' }, async (system) => {
    await spawnPuppets(system, 'a@real', 'r@real')
    await system.tell('a@real', does(tellTo('r@real', { type: 'nite' }), note('b@real', 1)))
    assert.is(await warningsOf(system), '')
    assert.equal([system.unhandled, system.misaddressed], [1, 0])
  }))

test.run()
