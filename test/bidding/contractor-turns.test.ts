/** What the contractors of all protocols tell clients and their processor, turn by turn; test actors play these. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Attempt, Rfb, Task, ToContractor } from '../../actors/bidding/messages.ts'
import type { ContractorInput } from '../../actors/bidding/moves.ts'
import type { Terms } from '../../actors/bidding/terms.ts'
import type { FromProcessor } from '../../actors/processor/messages.ts'
import { machineOf, toUnits, units } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import { type PROTOCOLS, termsOf } from '../../scenarios/bidding/model.ts'
import { amongPuppets, does, factsOf, linesOf, type Mail, mailOf, spawnPuppets, tellTo } from '../system/harness.ts'

const [CONTRACTOR, PROCESSOR] = ['contractor@m1', 'processor@m1'] as const
const [C1, C2] = ['client@c1', 'client@c2'] as const

const of = (task: number, attempt = 1): Attempt => ({ task, attempt })
const ranked = (priority: number) => ({ arrival: 0, priority, estimate: units(10) })
const rfb = (task: number, attempt = 1): Rfb => ({ ...of(task, attempt), ...ranked(task), type: 'rfb' })
const award = (task: number, attempt = 1, more: Partial<Task> = {}): Task => {
  return { ...of(task, attempt), ...ranked(task), type: 'task', start: 0, work: units(12), ...more }
}
const about = (type: 'query' | 'cancel' | 'cancelAll', task: number, attempt = 1): ToContractor => {
  return { ...of(task, attempt), type }
}
const finished = (task: number, attempt = 1): FromProcessor => ({ ...of(task, attempt), type: 'finished' })
const progress = (task: number, running: boolean, attempt = 1): FromProcessor => {
  return { ...of(task, attempt), type: 'progress', running, done: false }
}

/** A message in words; a bid with the time that it promises. */
function wordsOf({ to, message }: Mail): string {
  const { type, task, attempt, start, completion, state, kept } = message
  const name = to === PROCESSOR ? 'processor' : machineOf(to)
  if (type === 'reset') return `${name}: reset`
  const promise = type === 'bid' ? ` ${toUnits(Number(start))}-${toUnits(Number(completion))}` : ''
  return `${name}: ${type} ${task}.${attempt}${promise}${state ? ` ${state}` : ''}${kept ? ' kept' : ''}`
}

/** A contractor, and all that it says. Messages to it come one unit apart. */
async function selling(system: System, protocol: (typeof PROTOCOLS)[number], terms: Partial<Terms> = {}) {
  await spawnPuppets(system, PROCESSOR, C1, C2)
  const mail = mailOf(system, CONTRACTOR)
  const facts = factsOf(system)
  const module = new URL(`../../actors/bidding/${protocol}/contractor.ts`, import.meta.url)
  const whole = termsOf(protocol, 0, terms)
  await system.spawn(CONTRACTOR, module, { index: 4, speed: 1, terms: whole } satisfies ContractorInput)
  const until = (minute: number) => system.run({ until: units(minute) })
  await until(0)
  const said = () => mail.splice(0).map(wordsOf)
  assert.equal(said(), ['processor: reset'])
  return {
    until,
    said,
    hears: async (from: string, ...told: readonly (ToContractor | FromProcessor)[]) => {
      for (const message of told) {
        await system.tell(from, does(tellTo(CONTRACTOR, message)))
        await system.run({ until: system.now + units(1) })
      }
    },
    /** These fields of the facts of a type. */
    facts: (type: string, ...fields: readonly string[]) =>
      facts.flatMap((fact) => (fact.type === type ? [fields.map((field) => fact[field])] : [])),
  }
}

amongPuppets('dsp: a contractor bids while it is free, and queues requests while it is not', async (system) => {
  const { hears, said } = await selling(system, 'dsp')
  await hears(C1, rfb(1), rfb(1))
  await hears(C2, rfb(2))
  assert.equal(said(), ['c1: bid 1.1 0-10', 'c1: bid 1.1 1-11', 'c2: bid 2.1 2-12'])
  await hears(C1, award(1), rfb(4), rfb(3), rfb(4), award(5), rfb(5), rfb(1))
  assert.equal(said(), ['processor: run 1.1', 'c1: ack 4.1', 'c1: ack 3.1'])
  await hears(PROCESSOR, finished(2), finished(1, 2), finished(1), finished(1))
  assert.equal(said(), ['c1: result 1.1', 'processor: run 5.1'])
  await hears(PROCESSOR, finished(5))
  assert.equal(said(), ['c1: result 5.1', 'c1: bid 3.1 14-24'])
  await hears(C1, award(3))
  await hears(PROCESSOR, finished(3))
  assert.equal(said(), ['processor: run 3.1', 'c1: result 3.1', 'c1: bid 4.1 16-26'])
  await hears(C1, about('cancelAll', 4), rfb(6))
  assert.equal(said(), ['c1: bid 6.1 18-28'])
})

amongPuppets('dsp: what is said of an older attempt is ignored, and a newer one ends it', async (system) => {
  const { hears, said, facts } = await selling(system, 'dsp')
  await hears(C1, award(1, 2), award(2, 1))
  await hears(C1, rfb(1, 1), award(1, 1), about('cancel', 1, 1), about('cancelAll', 1, 1))
  assert.equal(said(), ['processor: run 1.2'])
  await hears(C1, about('query', 1, 1), about('query', 1, 3))
  assert.equal(said(), ['c1: status 1.1 unknown', 'c1: status 1.3 unknown'])
  await hears(C1, rfb(1, 3))
  assert.equal(said(), ['processor: abort 1.2', 'c1: ack 1.3', 'processor: run 2.1'])
  assert.equal(facts('stopped', 'task', 'attempt', 'heard'), [[1, 2, 0]])
  await hears(C1, award(2, 2))
  assert.equal(said(), ['processor: abort 2.1', 'processor: run 2.2'])
  await hears(PROCESSOR, finished(2, 2))
  assert.equal(said(), ['c1: result 2.2', 'c1: bid 1.3 10-20'])
  await hears(C1, rfb(1, 4))
  assert.equal(said(), ['c1: bid 1.4 11-21'])
})

amongPuppets('dsp: a promise is renewed only for a task that the contractor has', async (system) => {
  const { hears, said } = await selling(system, 'dsp')
  await hears(C1, award(1, 1, { renewed: true }))
  assert.equal(said(), [])
  await hears(C1, award(1), award(2), award(2, 1, { renewed: true }))
  await hears(PROCESSOR, finished(1), finished(2))
  assert.equal(said(), ['processor: run 1.1', 'c1: result 1.1', 'processor: run 2.1', 'c1: result 2.1'])
})

amongPuppets('dsp: under bump an award is refused while a task executes, otherwise held', async (system) => {
  const { hears, said } = await selling(system, 'dsp', { clash: 'bump' })
  await hears(C1, award(1), award(2))
  assert.equal(said(), ['processor: run 1.1', 'c1: bump 2.1'])
})

amongPuppets('dsp: under commit one bid is open at a time, until it lapses', async (system) => {
  const { hears, said, until, facts } = await selling(system, 'dsp', { clash: 'commit', timeout: units(5) })
  await hears(C1, rfb(1), rfb(2))
  await hears(C2, rfb(3))
  assert.equal(said(), ['c1: bid 1.1 0-10', 'c1: ack 2.1', 'c2: ack 3.1'])
  await until(5)
  assert.equal(said(), ['c1: bid 2.1 5-15'])
  await hears(C1, about('cancel', 2))
  assert.equal(said(), ['c2: bid 3.1 5-15'])
  await until(10)
  assert.equal(said(), ['c2: bid 3.1 10-20'])
  await until(15)
  assert.equal(facts('lapsed', 'task', 'attempt', 'client'), [
    [1, 1, C1],
    [3, 1, C2],
    [3, 1, C2],
  ])
  await until(40)
  assert.equal(said(), [])
})

amongPuppets('dsp: a task that exceeds its limit is cut off', async (system) => {
  const { hears, said, until, facts } = await selling(system, 'dsp', { cutoff: 0.2 })
  await hears(C1, award(1), award(2))
  await until(11)
  assert.equal(said(), ['processor: run 1.1'])
  await until(12)
  assert.equal(said(), ['processor: abort 1.1', 'c1: cutOff 1.1', 'processor: run 2.1'])
  assert.equal(facts('tooLong', 'task', 'attempt', 'client'), [[1, 1, C1]])
})

amongPuppets('dsp: the tasks of a client without queries are abandoned', async (system) => {
  const { hears, said, until, facts } = await selling(system, 'dsp', { silence: units(5) })
  await hears(C1, award(1))
  await hears(C2, award(2), rfb(3))
  await until(4)
  await hears(C1, about('query', 1))
  await until(6)
  assert.equal(said(), ['processor: run 1.1', 'c2: ack 3.1', 'processor: probe 1.1'])
  assert.equal(facts('abandoned', 'task', 'attempt', 'client'), [[2, 1, C2]])
  await until(9)
  assert.equal(said(), ['processor: abort 1.1', 'c2: bid 3.1 9-19'])
  assert.equal(facts('abandoned', 'task'), [[2], [1]])
})

amongPuppets(
  'dsp: a query is answered at once for a held task, and by the processor for the executing one',
  async (system) => {
    const { hears, said } = await selling(system, 'dsp', { timeout: units(9) })
    await hears(C1, award(1))
    await hears(C2, award(2), about('query', 2))
    assert.equal(said(), ['processor: run 1.1', 'c2: status 2.1 held', 'processor: probe 1.1'])
    await hears(PROCESSOR, progress(1, true), progress(2, true), progress(1, true, 2))
    assert.equal(said(), ['c1: status 1.1 executing'])
    await hears(PROCESSOR, progress(1, false))
    assert.equal(said(), ['processor: abort 1.1', 'c1: status 1.1 unknown', 'processor: run 2.1'])
  },
)

amongPuppets('dsp: a processor that is back is asked, and other actors that come change nothing', async (system) => {
  const { hears, said, until } = await selling(system, 'dsp', { timeout: units(5) })
  await system.restart(PROCESSOR)
  await until(1)
  assert.equal(said(), [])
  await hears(C1, award(1))
  await system.restart(C2)
  await until(3)
  assert.equal(said(), ['processor: run 1.1'])
  await system.restart(PROCESSOR)
  await until(4)
  assert.equal(said(), ['processor: probe 1.1'])
})

amongPuppets(
  'dsp: without its processor a contractor refuses its tasks, and bids again once it answers',
  async (system) => {
    const { hears, said, until, facts } = await selling(system, 'dsp', { timeout: units(5) })
    await hears(C1, award(1), award(2), about('query', 1))
    said()
    await until(7)
    assert.equal(said(), ['processor: abort 1.1', 'c1: status 1.1 unknown', 'c1: bump 2.1'])
    assert.equal(facts('stranded'), [[]])
    await hears(C1, award(3, 2), rfb(4), rfb(4), rfb(5, 2), rfb(5, 1), award(5, 1), rfb(4, 2), rfb(6), rfb(6, 2))
    assert.equal(said(), ['c1: bump 3.2', 'c1: ack 4.1', 'c1: ack 5.2', 'c1: ack 4.2', 'c1: ack 6.1', 'c1: ack 6.2'])
    await hears(C1, about('cancel', 4, 1), about('cancel', 4, 2), about('query', 2))
    await system.restart(C1)
    await until(20)
    assert.equal(said(), ['c1: status 2.1 unknown'])
    await hears(PROCESSOR, progress(1, false))
    assert.equal(said(), ['c1: bid 5.2 20-30'])
    assert.equal(facts('recovered'), [[]])
    await hears(C1, award(5, 2), about('query', 5, 2))
    said()
    await until(27)
    assert.equal(said(), ['processor: abort 5.2', 'c1: status 5.2 unknown'])
    await system.restart(PROCESSOR)
    await until(28)
    assert.equal(said(), ['c1: bid 6.2 27-37'])
  },
)

amongPuppets('eager: a contractor bids for everything, after what it has promised', async (system) => {
  const { hears, said } = await selling(system, 'eager')
  await hears(C1, rfb(2))
  assert.equal(said(), ['c1: bid 2.1 0-10'])
  await hears(C1, award(2), award(4, 1, { start: units(12) }), rfb(3), rfb(5), rfb(2), rfb(4))
  assert.equal(said(), [
    'processor: run 2.1',
    'c1: bid 3.1 11-21',
    'c1: bid 5.1 21-31',
    'c1: bid 2.1 1-11',
    'c1: bid 4.1 11-21',
  ])
  await hears(PROCESSOR, finished(2))
  assert.equal(said(), ['c1: result 2.1', 'processor: run 4.1'])
})

amongPuppets(
  'eager: clients of late tasks are told one after the other, and each once if it is silent',
  async (system) => {
    const timers = linesOf(system, 'timer')
    const { hears, said, until, facts } = await selling(system, 'eager', { timeout: units(2) })
    await hears(C1, award(1))
    await hears(C1, award(2, 1, { start: units(10) }))
    await hears(C2, award(3, 1, { start: units(20) }))
    await until(10.5)
    assert.equal(said(), ['processor: run 1.1'])
    // a request is no reason to look at the promises before the next check
    await system.tell(C2, does(tellTo(CONTRACTOR, rfb(9))))
    await until(10.6)
    assert.equal(said(), ['c2: bid 9.1 30.5-40.5'])
    await until(11)
    assert.equal(said(), ['c1: bump 2.1 kept'])
    await until(12)
    assert.equal(said(), [])
    await hears(C1, about('cancel', 2))
    assert.equal(said(), [])
    await until(22)
    assert.equal(said(), ['c2: bump 3.1 kept'])
    await until(23)
    const count = timers.length
    await until(60)
    assert.equal(said(), [])
    assert.equal(facts('lapsed', 'task', 'client'), [[3, C2]])
    assert.is(timers.length, count)
    await hears(PROCESSOR, finished(1))
    assert.equal(said(), ['c1: result 1.1', 'processor: run 3.1'])
  },
)

amongPuppets('random: a contractor bids while no task executes, and takes the first award', async (system) => {
  const { hears, said } = await selling(system, 'random')
  await hears(C1, rfb(1))
  await hears(C2, rfb(2))
  await hears(C1, award(1))
  await hears(C2, award(2), rfb(3))
  assert.equal(said(), ['c1: bid 1.1 0-10', 'c2: bid 2.1 1-11', 'processor: run 1.1', 'c2: bump 2.1'])
  await hears(PROCESSOR, finished(1))
  await hears(C2, rfb(3))
  assert.equal(said(), ['c1: result 1.1', 'c2: bid 3.1 6-16'])
})

test.run()
