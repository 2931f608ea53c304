/** The barrier of a parallel job: its messages and their times; the processors are test actors. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Address } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'
import type { System } from '../../lib/system.ts'
import {
  factsOf,
  linesOf,
  network,
  type Options,
  PROTOCOL_RUNTIMES,
  spawnPuppets,
  tellTo,
  withSystem,
} from '../system/harness.ts'

const BARRIER = new URL('../../actors/shares/barrier.ts', import.meta.url)
const JOB = 'barrier@j'
const MEMBERS: readonly Address[] = ['processor@m1', 'processor@m2', 'processor@m3']
const PATIENCE = 100
const TIMEOUT = 20

/** The messages of the barrier, as `type to` and the round of a release, with instants in units; and its facts. */
async function open(system: System, patient = false) {
  const membership = patient ? null : { patience: units(PATIENCE), timeout: units(TIMEOUT) }
  await spawnPuppets(system, ...MEMBERS)
  await system.spawn(JOB, BARRIER, { job: 'j', members: MEMBERS, membership })
  const sends = linesOf(system, 'send')
  const all = factsOf(system)
  const said = () =>
    sends.flatMap(({ from, to, at, message }) => {
      const { type, round } = Object(message)
      return from === JOB ? [`${Number(at) / 1e6} ${type}${round === undefined ? '' : ` ${round}`} ${to}`] : []
    })
  const facts = () => all.filter(({ who }) => who === JOB)
  return { said, facts }
}

/** Runs with a trace, since only the trace shows the messages. */
function both(title: string, use: (system: System) => Promise<void>, options: Options = {}) {
  for (const runtime of PROTOCOL_RUNTIMES)
    test(`${title} (${runtime})`, () => withSystem({ trace: true, runtime, ...options }, use))
}

const name = (n: number): Address => `processor@m${n}`
const says = (system: System, n: number, message: object) =>
  system.tell(name(n), { type: 'do', acts: [tellTo(JOB, { job: 'j', type: 'none', ...message })] })
const arrives = (system: System, n: number, round: number) => says(system, n, { type: 'arrive', rank: n - 1, round })
const stands = (system: System, n: number, round: number, waiting: boolean) =>
  says(system, n, { type: 'standing', here: true, round, waiting })
const isGone = (system: System, n: number) => says(system, n, { type: 'standing', here: false })

const toAll = (what: string) => MEMBERS.map((member) => `${what} ${member}`)

both('a barrier opens when the last member arrives, and releases all', async (system) => {
  const { said, facts } = await open(system)
  await arrives(system, 2, 1)
  await arrives(system, 1, 1)
  await system.run({ until: units(5) })
  assert.equal(said(), [])
  await arrives(system, 3, 1)
  await system.run({ until: units(6) })
  assert.equal(said(), toAll('5 release 1'))
  assert.equal(
    facts().map(({ type, round }) => [type, round]),
    [['opened', 1]],
  )
})

both('a duplicate arrival counts once, and an arrival for an earlier round is released again', async (system) => {
  const { said } = await open(system)
  for (const n of [1, 1, 1, 2]) await arrives(system, n, 1)
  await system.run({ until: units(1) })
  assert.equal(said(), [])
  await arrives(system, 3, 1)
  await system.run({ until: units(2) })
  await arrives(system, 3, 1)
  await system.run({ until: units(3) })
  assert.equal(said(), [...toAll('1 release 1'), '2 release 1 processor@m3'])
})

both('a processor without a place in the job is told to withdraw it', async (system) => {
  const { said } = await open(system)
  await says(system, 3, { type: 'arrive', rank: 0, round: 1 })
  await system.run({ until: units(1) })
  assert.equal(said(), ['0 withdraw processor@m3'])
})

both('without membership a barrier waits for ever', async (system) => {
  const { said } = await open(system, true)
  await arrives(system, 1, 1)
  assert.is((await system.run({ until: units(1e6) })).ended, 'idle')
  assert.equal(said(), [])
})

both(
  'a missing member is asked; its answer replaces a lost arrival, and a slow member may take its time',
  async (system) => {
    const { said } = await open(system)
    await arrives(system, 1, 1)
    await system.run({ until: units(PATIENCE + 1) })
    assert.equal(said(), ['100 recount processor@m2', '100 recount processor@m3'])
    await stands(system, 2, 1, true)
    await stands(system, 3, 1, false)
    await system.run({ until: units(2 * PATIENCE) })
    await arrives(system, 3, 1)
    await system.run({ until: units(2 * PATIENCE + 1) })
    assert.equal(said().slice(2), toAll('200 release 1'))
  },
)

both('a member that does not answer is asked several times before the job is given up', async (system) => {
  const { said, facts } = await open(system)
  await arrives(system, 1, 1)
  await arrives(system, 2, 1)
  await system.run({ until: units(PATIENCE + TIMEOUT) })
  assert.equal(
    said().slice(0, 4),
    [100, 105, 110, 115].map((at) => `${at} recount processor@m3`),
  )
  assert.equal(said().slice(4, 7), toAll('120 withdraw'))
  assert.equal(
    facts().map(({ type, at, lost }) => [type, at, lost]),
    [['aborted', units(PATIENCE + TIMEOUT), ['processor@m3']]],
  )
})

both('one answer to the last question is enough', async (system) => {
  const { said, facts } = await open(system)
  await arrives(system, 1, 1)
  await arrives(system, 2, 1)
  await system.run({ until: units(PATIENCE + 16) })
  await stands(system, 3, 1, false)
  await system.run({ until: units(2 * PATIENCE) })
  assert.is(said().length, 4)
  assert.is(facts().length, 0)
})

both('after an answer the patience of the barrier starts again', async (system) => {
  const { said } = await open(system)
  for (const n of [1, 2]) await arrives(system, n, 1)
  await system.run({ until: units(PATIENCE + 1) })
  await stands(system, 3, 1, false)
  await system.run({ until: units(2 * PATIENCE + 6) })
  assert.equal(said().slice(1), [`${2 * PATIENCE + 5} recount processor@m3`])
})

both(
  'a lost process ends the job at once: all processes are withdrawn, repeatedly until they are gone',
  async (system) => {
    const { said, facts } = await open(system)
    for (const n of [1, 2]) await arrives(system, n, 1)
    await system.run({ until: units(PATIENCE + 1) })
    await isGone(system, 3)
    await system.run({ until: units(PATIENCE + 2) })
    assert.equal(said().slice(1), [...toAll('101 withdraw'), ...toAll('101 recount')])
    await isGone(system, 3)
    await isGone(system, 2)
    await system.run({ until: units(2 * PATIENCE + 2) })
    assert.equal(said().slice(7), ['201 withdraw processor@m1', '201 recount processor@m1'])
    await stands(system, 1, 1, true)
    await system.run({ until: units(2 * PATIENCE + 3) })
    assert.equal(said().slice(9), ['202 withdraw processor@m1'])
    await isGone(system, 1)
    assert.is((await system.run()).ended, 'idle')
    assert.is(said().length, 10)
    assert.is(facts().length, 1)
  },
)

both('an arrival counts as an answer, and restarts the patience of the barrier too', async (system) => {
  const { said, facts } = await open(system)
  await arrives(system, 1, 1)
  await system.run({ until: units(PATIENCE + 1) })
  await stands(system, 3, 1, false)
  await arrives(system, 2, 1)
  await system.run({ until: units(2 * PATIENCE + 6) })
  assert.equal(facts(), [])
  assert.equal(said().slice(2), ['205 recount processor@m3'])
})

both('a new incarnation learns the round from its members, and continues', async (system) => {
  const { said } = await open(system)
  await system.restart(JOB)
  await arrives(system, 1, 7)
  await system.run({ until: units(1) })
  assert.equal(said(), toAll('0 recount'))
  await stands(system, 1, 7, true)
  await stands(system, 2, 7, false)
  // the release of the round before was lost with the earlier incarnation
  await stands(system, 3, 6, true)
  await system.run({ until: units(2) })
  assert.equal(said().slice(3), ['1 release 6 processor@m3'])
  await arrives(system, 2, 7)
  await arrives(system, 3, 7)
  await system.run({ until: units(3) })
  assert.equal(said().slice(4), toAll('2 release 7'))
})

both('a new incarnation that learns of a later round does not count members in an earlier one', async (system) => {
  const { said } = await open(system)
  await system.restart(JOB)
  await arrives(system, 1, 6)
  await system.run({ until: units(1) })
  await stands(system, 1, 6, true)
  await arrives(system, 2, 7)
  await arrives(system, 3, 7)
  await system.run({ until: units(2) })
  assert.ok(!said().some((line) => line.includes('release 7')), said().join())
  await stands(system, 1, 6, true)
  await stands(system, 2, 7, true)
  await stands(system, 3, 7, true)
  await system.run({ until: units(3) })
  assert.is(said().at(-1), '2 release 6 processor@m1')
})

both(
  'a job that an earlier incarnation gave up stays given up, and its remaining processes are withdrawn',
  async (system) => {
    const { said, facts } = await open(system)
    await arrives(system, 1, 1)
    await isGone(system, 2)
    await system.run({ until: units(5) })
    assert.is(facts().filter(({ type }) => type === 'aborted').length, 1)
    await system.kill(JOB)
    await system.restart(JOB)
    const before = said().length
    for (const n of [1, 2, 3]) await arrives(system, n, 1)
    await system.run({ until: units(10) })
    const [withdrawn, rest] = [said().slice(before, before + 3), said().slice(before)]
    assert.equal(withdrawn, toAll('5 withdraw'))
    assert.not.ok(rest.some((one) => one.includes('release')))
    assert.is(facts().filter(({ type }) => type === 'aborted').length, 1)
  },
)

both('a new incarnation detects members that were lost together with the one before', async (system) => {
  const { facts } = await open(system)
  await system.restart(JOB)
  await arrives(system, 1, 7)
  await system.run({ until: units(1) })
  await stands(system, 1, 7, true)
  await stands(system, 2, 7, false)
  await system.run({ until: units(TIMEOUT + 1) })
  assert.equal(
    facts().map(({ type, at, lost }) => [type, at, lost]),
    [['aborted', units(TIMEOUT), ['processor@m3']]],
  )
})

both('a process that arrives after its job was given up is withdrawn', async (system) => {
  const { said } = await open(system)
  await isGone(system, 3)
  await system.run({ until: units(1) })
  await arrives(system, 1, 1)
  await system.run({ until: units(2) })
  assert.equal(said().slice(2 * MEMBERS.length), ['1 withdraw processor@m1'])
})

both('a new incarnation of a barrier whose job was given up withdraws its processes again', async (system) => {
  const { said } = await open(system)
  await isGone(system, 3)
  await system.run({ until: units(1) })
  await system.restart(JOB)
  await system.run({ until: units(2) })
  assert.equal(said().slice(2 * MEMBERS.length), [...toAll('1 withdraw'), ...toAll('1 recount')])
})

both(
  'a release takes its latency, and so does an arrival',
  async (system) => {
    const { said } = await open(system)
    for (const n of [1, 2, 3]) await arrives(system, n, 1)
    await system.run({ until: units(5) })
    assert.equal(said(), toAll('0.5 release 1'))
  },
  { network: network(0.5) },
)

test.run()
