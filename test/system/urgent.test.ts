/** Urgent messages: a mailbox hands out one type of message before all others. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Message } from '../../lib/actor.ts'
import { register } from '../../lib/core/code-registry.ts'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { Replay } from '../../lib/replay/replay.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import type { System } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { traceOf } from '../../lib/trace/read.ts'
import {
  both,
  does,
  errorOf,
  type Fact,
  factsOf,
  fixture,
  network,
  type Options,
  PUPPET,
  spawnPuppets,
  tellTo,
  withSystem,
} from './harness.ts'

const CLERK = fixture('clerk.ts')
register({ actors: [CLERK, PUPPET] })

const work = (n: number): Message => ({ type: 'work', n })
const cancel = (n: number): Message => ({ type: 'cancel', n })
const didOf = (facts: readonly Fact[]) => facts.flatMap(({ type, what }) => (type === 'did' ? [what] : []))

/** Lets two actors send to a clerk at the same instant: a works 1 and 2 and a cancel, b a work 3, a cancel and a work 4. */
async function office(system: System): Promise<readonly unknown[]> {
  const facts = factsOf(system)
  await system.spawn('clerk@m1', CLERK)
  await spawnPuppets(system, 'a@m2', 'b@m3')
  const send = (...messages: readonly Message[]) => does(...messages.map((message) => tellTo('clerk@m1', message)))
  await system.tell('a@m2', send(work(1), work(2), cancel(1)))
  await system.tell('b@m3', send(work(3), cancel(2), work(4)))
  await system.run()
  return didOf(facts)
}

const FIRST = ['cancel 1', 'cancel 2', 'work 1', 'work 2', 'work 3', 'work 4']

both('urgent mail goes before all mail that is due with it, also of its own sender', async (system) => {
  assert.equal(await office(system), FIRST)
})

both(
  'urgent mail goes first after the delays of a network, too',
  async (system) => {
    assert.equal(await office(system), FIRST)
  },
  { network: network(2) },
)

for (const schedule of [1, 2, 3]) {
  both(
    `urgent mail goes first under schedule ${schedule}, and the rest keeps the order of each sender`,
    async (system) => {
      const did = await office(system)
      assert.equal(did.slice(0, 2).sort(), ['cancel 1', 'cancel 2'])
      const rest = did.slice(2)
      assert.ok(rest.indexOf('work 1') < rest.indexOf('work 2') && rest.indexOf('work 3') < rest.indexOf('work 4'))
    },
    { schedule },
  )
}

both(
  'with reliable delivery urgent mail waits for the earlier mail of its own sender',
  async (system) => {
    assert.equal(await office(system), ['work 1', 'work 2', 'cancel 1', 'work 3', 'cancel 2', 'work 4'])
    const facts = factsOf(system)
    await system.tell('a@m2', does(tellTo('clerk@m1', work(5))))
    await system.tell('b@m3', does(tellTo('clerk@m1', cancel(5))))
    await system.run()
    assert.equal(didOf(facts), ['cancel 5', 'work 5'])
  },
  { reliable: {}, network: network(1) },
)

both('urgent mail does not go before mail of an earlier instant, nor before the start', async (system) => {
  const facts = factsOf(system)
  await system.spawn('clerk@m1', CLERK)
  await system.tell('clerk@m1', work(1))
  system.at(1, () => system.tell('clerk@m1', cancel(1)))
  await system.run()
  assert.equal(didOf(facts), ['work 1', 'cancel 1'])
})

test('in real time urgent mail goes before all that waits while its actor is busy', () =>
  withSystem({ time: 'real', scale: 1 }, async (system) => {
    const facts = factsOf(system)
    await system.spawn('clerk@m1', CLERK)
    await system.tell('clerk@m1', { type: 'work', n: 0, ms: 300 })
    for (let n = 1; n <= 5; n++) await system.tell('clerk@m1', work(n))
    await system.tell('clerk@m1', cancel(1))
    await system.run()
    const did = didOf(facts)
    assert.equal(did.filter((what) => String(what).startsWith('work')).length, 6)
    assert.ok(did.indexOf('cancel 1') <= 1, did.join())
  }))

test('the trace tells the urgent type, is the same on threads and inline, and replays', async () => {
  const linesOn = (options: Options): Promise<Line[]> =>
    withSystem({ record: true, ...options }, async (system) => {
      await office(system)
      return [...system.recorded()]
    })
  const lines = await linesOn({ runtime: 'inline' })
  for (const other of [{ runtime: 'threads' }, { runtime: 'inline', engine: 'xstate' }] as const) {
    const [, ...theirs] = await linesOn(other)
    assert.equal(theirs, lines.slice(1))
  }
  assert.is(lines.find(({ t, who }) => t === 'start' && who === 'clerk@m1')?.['urgent'], 'cancel')
  assert.ok([...(await Replay.open(traceOf(lines)))].length > 8)
})

both('an urgent type that no state handles is refused, with the type that was meant', async (system) => {
  const error = await errorOf(system.spawn('hasty@m1', fixture('hasty.ts')))
  assert.match(
    error.message,
    /machine 'hasty' declares 'cancle' as urgent, but no state handles it: did you mean 'cancel'\?/,
  )
})

test('the exhaustive search refuses actors with urgent messages, and actors that spawn', async () => {
  const searched = (open: (system: System) => Promise<void>) => {
    const specification: Specification = {
      options: {},
      faults: [],
      addresses: ['clerk@m1', 'boss@m1', 'boss.1@m1'],
      tasks: 1,
      only: () => specification,
      open: async (system) => {
        await open(system)
        return { outcome: () => '', violations: () => [] }
      },
    }
    return errorOf(exhaust({ specification, reduce: true, depth: 1, schedules: 9 }))
  }
  const urgent = await searched(async (system) => {
    await system.spawn('clerk@m1', CLERK)
  })
  assert.match(urgent.message, /exhaustive needs actors without urgent messages, but clerk@m1 has them/)
  const parent = await searched(async (system) => {
    await system.spawn('boss@m1', PUPPET, { start: [{ act: 'spawn', name: '1' }] })
  })
  assert.match(
    parent.message,
    /exhaustive needs actors without the effect spawn, but boss@m1 used it: take random, pct:D or delay:K/,
  )
})

test.run()
