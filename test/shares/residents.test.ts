/** The facts and answers of a processor about its jobs, for all names and all ways of leaving. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Program, ToScheduler } from '../../actors/processor/jobs.ts'
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import type { Message } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'
import { both, factsOf, spawnPuppets, tellTo } from '../system/harness.ts'

const PROCESSOR = new URL('../../actors/processor/processor.ts', import.meta.url)
const TICKET_SERVER = new URL('../../actors/shares/tickets/ticket-server.ts', import.meta.url)
const FOREVER: Program = { kind: 'compute', work: null }
const NAPS: Program = { kind: 'bursts', bursts: [{ run: units(5), sleep: units(50) }], cycles: null }

const sharing = (funding: Sharing['funding']): Sharing => ({ ...STANDARD, switching: 0, funding })
const submit = (job: string, currency: string, program: Program): ToScheduler => {
  return { type: 'submit', job, currency, amount: 2, program }
}

both('a currency may be called like a property of every object', async (system) => {
  for (const currency of ['constructor', 'toString']) {
    const machine = `m${currency.length}`
    const facts = factsOf(system)
    await system.spawn(`processor@${machine}`, PROCESSOR, {
      speed: 1,
      sharing: sharing(Object.fromEntries([[currency, 100]])),
    })
    await system.tell(`processor@${machine}`, submit(`${currency}.1`, currency, FOREVER))
    await system.tell(`processor@${machine}`, submit(`${currency}.2`, currency, FOREVER))
    await system.run({ until: system.now + units(1) })
    const last = facts.filter(({ type }) => type === 'joined' || type === 'funded').at(-1)
    assert.is(last?.['total'], 100, currency)
  }
})

both('a job or currency is refused if no message can carry its name as a key', async (system) => {
  const input = { speed: 1, sharing: { ...sharing({ A: 100 }), tick: { every: units(10), patience: 0 } } }
  await system.spawn('processor@m1', PROCESSOR, input)
  await system.spawn('ticket-server@m1', TICKET_SERVER, { keep: units(30), funding: { A: 100 } })
  const say = (to: string, message: Message) => system.ask(to, message, { deadline: units(1) })
  const reason = '__proto__ cannot be a name'
  const job = submit('__proto__', 'A', FOREVER)
  assert.equal(await say('processor@m1', job), { type: 'refused', job: '__proto__', reason })
  const issue = { type: 'issue', ticket: 't', currency: 'A', amount: 1, holder: '__proto__' }
  assert.equal(await say('ticket-server@m1', issue), { type: 'refused', ticket: 't', reason })
  await system.run({ until: units(30) })
  assert.ok(system.actors.every(({ status }) => status.type === 'alive'))
})

both('a sleeper that is withdrawn has left, and no other job has changed', async (system) => {
  const facts = factsOf(system)
  await system.spawn('processor@m1', PROCESSOR, { speed: 1, sharing: sharing({}) })
  await spawnPuppets(system, 'user@m1')
  await system.tell('user@m1', { type: 'do', acts: [tellTo('processor@m1', submit('A', 'base', NAPS))] })
  await system.tell('processor@m1', submit('B', 'base', FOREVER))
  await system.run({ until: units(40) })
  await system.tell('processor@m1', { type: 'withdraw', job: 'A' })
  await system.run({ until: units(41) })
  const leaving = facts.filter(({ type, job }) => type === 'left' && job === 'A')
  assert.equal(
    leaving.map(({ why, total }) => [why, total]),
    [
      ['asleep', 2],
      ['withdrawn', 2],
    ],
  )
})

test.run()
