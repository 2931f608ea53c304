/** What a contractor tells its client and its processor in every turn of a task; test actors play these two. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToContractor } from '../../actors/bidding/messages.ts'
import type { ContractorInput } from '../../actors/bidding/moves.ts'
import type { Terms } from '../../actors/bidding/terms.ts'
import type { FromProcessor } from '../../actors/processor/messages.ts'
import { type Time, units } from '../../lib/actor.ts'
import { messageIn } from '../../lib/core/decode.ts'
import type { System } from '../../lib/system.ts'
import { termsOf } from '../../scenarios/bidding/model.ts'
import { both as bothTraced, does, factsOf, linesOf, spawnPuppets, tellTo } from '../system/harness.ts'

const MODULE = new URL('../../actors/bidding/dsp/contractor.ts', import.meta.url)
const [CONTRACTOR, PROCESSOR, CLIENT] = ['contractor@m1', 'processor@m1', 'client@c1'] as const
const WORK = units(50)

const job = (task: number) => ({ task, attempt: 1, arrival: 0, priority: task, estimate: WORK })
const rfb = (task: number): ToContractor => ({ ...job(task), type: 'rfb' })
const award = (task: number): ToContractor => ({ ...job(task), type: 'task', start: 0, work: WORK })
const about = (type: 'query' | 'cancel', task: number): ToContractor => ({ type, task, attempt: 1 })
const finished = (task: number, more = {}): FromProcessor => ({ type: 'finished', task, attempt: 1, ...more })
const progress = (task: number, running: boolean): FromProcessor => {
  return { type: 'progress', task, attempt: 1, running, done: false }
}

const both = (title: string, use: (system: System) => Promise<void>) => bothTraced(title, use, { trace: true })

/** A contractor of these terms, and what it says. The messages come one unit apart. */
async function trading(system: System, terms: Partial<Terms> = {}) {
  await spawnPuppets(system, PROCESSOR, CLIENT)
  const whole = termsOf('dsp', 0, { timeout: null, ...terms })
  const input: ContractorInput = { index: 1, speed: 1, terms: whole }
  await system.spawn(CONTRACTOR, MODULE, input)
  const sends = linesOf(system, 'send')
  const facts = factsOf(system)
  const hears =
    (from: string) =>
    async (...messages: readonly (ToContractor | FromProcessor)[]) => {
      for (const message of messages) {
        await system.tell(from, does(tellTo(CONTRACTOR, message)))
        await system.run({ until: system.now + units(1) })
      }
    }
  const said = (to: string) =>
    sends.filter((line) => line['from'] === CONTRACTOR && line['to'] === to).map((line) => messageIn(line, 'message'))
  return {
    facts,
    fromClient: hears(CLIENT),
    fromProcessor: hears(PROCESSOR),
    toClient: () => said(CLIENT).map(({ type, task }) => `${type} ${task}`),
    toProcessor: () => said(PROCESSOR).map(({ type, task = '' }) => `${type} ${task}`.trim()),
    said,
  }
}

/** Runs until nothing is left to do, and returns that instant. */
async function restOf(system: System): Promise<Time> {
  await system.run()
  return system.now
}

both('a task that is awarded again while it executes is delivered', async (system) => {
  const { fromClient, fromProcessor, toClient } = await trading(system, { abort: false })
  await fromClient(rfb(1), award(1), about('cancel', 1), award(1))
  await fromProcessor(finished(1))
  assert.equal(toClient(), ['bid 1', 'result 1'])
})

both('the result of a cancelled task that may not be stopped is dropped', async (system) => {
  const { fromClient, fromProcessor, toClient } = await trading(system, { abort: false })
  await fromClient(rfb(1), award(1), about('cancel', 1))
  await fromProcessor(finished(1))
  assert.equal(toClient(), ['bid 1'])
})

both('no queries are expected about a cancelled task that may not be stopped', async (system) => {
  const { fromClient, facts } = await trading(system, { abort: false, silence: units(10) })
  await fromClient(rfb(1), award(1), about('cancel', 1))
  await system.run({ until: units(40) })
  assert.not(facts.some(({ type }) => type === 'abandoned'))
})

both('a task that is stopped is reported with the instant of its last award', async (system) => {
  const { fromClient, facts } = await trading(system)
  await fromClient(rfb(1), award(1), award(1), about('cancel', 1))
  const stops = facts.filter(({ type }) => type === 'stopped')
  assert.equal(
    stops.map(({ heard }) => heard),
    [units(2)],
  )
})

both('after a bid without an answer comes the bid for the next request', async (system) => {
  const { fromClient, toClient } = await trading(system, { clash: 'commit', timeout: units(10) })
  await fromClient(rfb(1), rfb(2))
  assert.equal(toClient(), ['bid 1', 'ack 2'])
  await system.run({ until: units(15) })
  assert.equal(toClient(), ['bid 1', 'ack 2', 'bid 2'])
})

both('the result of a call and its time reach the client', async (system) => {
  const { fromClient, fromProcessor, said } = await trading(system)
  await fromClient(rfb(1), award(1))
  await fromProcessor(finished(1, { outcome: { result: 3 }, work: units(7) }))
  assert.equal(said(CLIENT).at(-1), { type: 'result', task: 1, attempt: 1, outcome: { result: 3 }, work: units(7) })
})

both('the limit of a task ends with the task, whether it finishes or is stopped', async (system) => {
  const { fromClient, fromProcessor } = await trading(system, { cutoff: 1 })
  await fromClient(rfb(1), award(1))
  await fromProcessor(finished(1))
  assert.is(await restOf(system), units(3))
  await fromClient(rfb(2), award(2), about('cancel', 2))
  assert.is(await restOf(system), units(6))
})

both('a task that is held is not waited for once it is cancelled', async (system) => {
  const { fromClient, fromProcessor } = await trading(system, { silence: units(30) })
  await fromClient(rfb(1), award(1), award(2), about('cancel', 2))
  await fromProcessor(finished(1))
  assert.is(await restOf(system), units(5))
})

both('a processor that has lost its task is free, and the client is told', async (system) => {
  const { fromClient, fromProcessor, toClient, toProcessor } = await trading(system, { timeout: units(10) })
  await fromClient(rfb(1), award(1), rfb(2), about('query', 1))
  await fromProcessor(progress(1, false))
  assert.equal(toClient(), ['bid 1', 'ack 2', 'status 1', 'bid 2'])
  await fromClient(award(2))
  assert.equal(toProcessor(), ['reset', 'run 1', 'probe 1', 'abort 1', 'run 2'])
})

both('a processor that does not answer loses all tasks, and each probe has its own time', async (system) => {
  const { fromClient, fromProcessor, toClient, facts } = await trading(system, { timeout: units(10) })
  await fromClient(rfb(1), award(1), award(2), about('query', 1))
  await fromProcessor(progress(1, true))
  await fromClient(about('query', 1))
  await system.run({ until: units(40) })
  assert.equal(toClient(), ['bid 1', 'status 1', 'status 1', 'bump 2'])
  const stranded = facts.filter(({ type }) => type === 'stranded')
  assert.equal(
    stranded.map(({ at }) => at),
    [units(15)],
  )
  await fromProcessor(progress(1, false))
  await fromClient(rfb(3))
  assert.equal(toClient().slice(4), ['bid 3'])
})

test.run()
