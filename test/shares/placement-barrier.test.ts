/** A barrier whose members a placer chooses; test actors play its processors. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Address, Message } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'
import type { System } from '../../lib/system.ts'
import { factsOf, linesOf, PROTOCOL_RUNTIMES, spawnPuppets, tellTo, withSystem } from '../system/harness.ts'

const BARRIER = new URL('../../actors/shares/barrier.ts', import.meta.url)
const JOB = 'barrier@j'
const name = (n: number): Address => `processor@m${n}`
const PLACER = 'placer@p'

/**
 * Starts a barrier without members; returns a function that gives its messages since the last call: type, round,
 * recipient.
 */
async function open(system: System): Promise<() => string[]> {
  await spawnPuppets(system, name(1), name(2), name(3), PLACER)
  const membership = { patience: units(100), timeout: units(20) }
  await system.spawn(JOB, BARRIER, { job: 'j', members: [], membership })
  const sends = linesOf(system, 'send')
  return () =>
    sends.splice(0).flatMap(({ from, to, message }) => {
      const { type, round } = Object(message)
      return from === JOB ? [`${type}${round === undefined ? '' : ` ${round}`} ${to}`] : []
    })
}

async function says(system: System, who: Address, message: Message) {
  await system.tell(who, { type: 'do', acts: [tellTo(JOB, message)] })
  await system.run({ until: system.now + units(1) })
}

const arrives = (system: System, n: number, rank: number, round = 1) =>
  says(system, name(n), { type: 'arrive', job: 'j', rank, round })
const enlists = (system: System, ...members: readonly number[]) =>
  says(system, PLACER, { type: 'enlist', members: members.map(name) })

function both(title: string, use: (system: System) => Promise<void>) {
  for (const runtime of PROTOCOL_RUNTIMES)
    test(`${title} (${runtime})`, () => withSystem({ trace: true, runtime }, use))
}

both('a process that arrives before the barrier has members waits for them', async (system) => {
  const said = await open(system)
  await arrives(system, 2, 1)
  await arrives(system, 1, 0)
  assert.equal(said(), [])
  await enlists(system, 1, 2)
  assert.equal(said(), ['release 1 processor@m1', 'release 1 processor@m2'])
})

both(
  'if a member is replaced after it arrived, its arrival does not count, and it is told to withdraw the job',
  async (system) => {
    const said = await open(system)
    await enlists(system, 1, 2)
    await arrives(system, 2, 1)
    await enlists(system, 1, 3)
    await arrives(system, 1, 0)
    assert.equal(said(), [])
    await arrives(system, 2, 1)
    assert.equal(said(), ['withdraw processor@m2'])
    await arrives(system, 3, 1)
    assert.equal(said(), ['release 1 processor@m1', 'release 1 processor@m3'])
  },
)

both('a new incarnation of a barrier knows its members', async (system) => {
  const said = await open(system)
  await enlists(system, 1, 2)
  await enlists(system, 1, 3)
  await system.restart(JOB)
  await arrives(system, 1, 0)
  await arrives(system, 3, 1)
  assert.equal(said(), ['release 1 processor@m1', 'release 1 processor@m3'])
})

both('the patience of a barrier does not start before it has members', async (system) => {
  const said = await open(system)
  const all = factsOf(system)
  const facts = () => all.flatMap(({ who, type }) => (who === JOB ? [type] : []))
  await system.run({ until: units(500) })
  assert.equal([said(), facts()], [[], []])
  await enlists(system, 1, 2)
  await system.run({ until: units(1000) })
  assert.ok(said().includes('recount processor@m2'))
  assert.is(facts().at(-1), 'aborted')
})

test.run()
