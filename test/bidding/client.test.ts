/** What a client tells the contractors in the life of a task; test actors play the contractors. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ClientInput, Job } from '../../actors/bidding/client.ts'
import type { Attempt, Bid, ToClient } from '../../actors/bidding/messages.ts'
import type { Terms } from '../../actors/bidding/terms.ts'
import { machineOf, type Thrown, units } from '../../lib/actor.ts'
import { isObject } from '../../lib/core/data.ts'
import type { System } from '../../lib/system.ts'
import { type PROTOCOLS, termsOf } from '../../scenarios/bidding/model.ts'
import { amongPuppets, does, factsOf, linesOf, type Mail, mailOf, spawnPuppets, tellTo } from '../system/harness.ts'

const CLIENT = 'client@c1'
const [M1, M2, OWN] = ['contractor@m1', 'contractor@m2', 'contractor@c1'] as const

const job = (id: number, arrival = 0, more: Partial<Job> = {}): Job => {
  return { id, arrival: units(arrival), work: units(20), estimate: units(20), ...more }
}
const first = { task: 1, attempt: 1 }
const later = { task: 1, attempt: 2 }
const INDEX: Readonly<Record<string, number>> = { [M1]: 1, [M2]: 2, [OWN]: 3 }

interface Given {
  readonly protocol?: (typeof PROTOCOLS)[number]
  readonly terms?: Partial<Terms>
  readonly tasks?: readonly Job[]
}

/** A message in words. */
function wordsOf({ to, message }: Mail): string {
  const { type, task, attempt, renewed } = message
  return `${machineOf(to)}: ${type} ${task}.${attempt}${renewed ? ' renewed' : ''}`
}

/** What both contractors are told. */
const all = (words: string) => [`m1: ${words}`, `m2: ${words}`]

/** A client with one task at 0, which evaluates bids at 2, and all that it says. Messages to it come one unit apart. */
async function dealing(system: System, { protocol = 'dsp', terms = {}, tasks = [job(1)] }: Given = {}) {
  await spawnPuppets(system, M1, M2)
  const mail = mailOf(system, CLIENT)
  const facts = factsOf(system)
  const persists = linesOf(system, 'persist')
  const whole = termsOf(protocol, 0, { wait: units(2), ties: 'index', retry: null, ...terms })
  const module = new URL(`../../actors/bidding/${protocol}/client.ts`, import.meta.url)
  await system.spawn(CLIENT, module, { tasks, terms: whole } satisfies ClientInput)
  const until = (minute: number) => system.run({ until: units(minute) })
  await until(0)
  const hears = async (from: string, ...told: readonly ToClient[]) => {
    for (const message of told) {
      await system.tell(from, does(tellTo(CLIENT, message)))
      await system.run({ until: system.now + units(1) })
    }
  }
  return {
    until,
    hears,
    /** A contractor bids with a completion, a unit before which it would begin. */
    bids: (from: string, completion: number, attempt: Attempt = first) => {
      const when = { start: units(completion - 1), completion: units(completion) }
      return hears(from, { ...attempt, ...when, type: 'bid', index: INDEX[from] ?? 0 } satisfies Bid)
    },
    /** What it has said since it was asked last. */
    said: () => mail.splice(0).map(wordsOf),
    messages: () => mail.splice(0).map(({ message }) => message),
    /** These fields of the facts of a type. */
    facts: (type: string, ...fields: readonly string[]) =>
      facts.flatMap((fact) => (fact.type === type ? [fields.map((field) => fact[field])] : [])),
    records: () => persists.splice(0).flatMap(({ record }) => (isObject(record) ? [record] : [])),
  }
}

amongPuppets('the best of the bids gets the task, and its result ends it', async (system) => {
  const { bids, until, hears, said, facts, records } = await dealing(system)
  await bids(M1, 30)
  await bids(M2, 40)
  await bids(M1, 31)
  assert.equal(said(), [...all('rfb 1.1'), 'm1: task 1.1'])
  await until(5)
  await hears(M1, { ...first, type: 'result' }, { ...first, type: 'result' })
  assert.equal(said(), all('cancelAll 1.1'))
  assert.equal(records(), [{ type: 'began' }, { type: 'done', task: 1 }])
  assert.equal(facts('announced', 'task', 'attempt'), [[1, 1]])
  assert.equal(facts('awarded', 'task', 'attempt', 'contractor', 'start', 'completion'), [
    [1, 1, M1, units(29), units(30)],
  ])
  assert.equal(facts('done', 'task', 'attempt', 'contractor', 'arrival', 'flow', 'result'), [
    [1, 1, M1, 0, units(5), undefined],
  ])
})

amongPuppets('a request and an award tell what a contractor needs, and nothing more', async (system) => {
  const files = ['a']
  const { bids, until, messages } = await dealing(system, { tasks: [job(1), job(2, 9, { files })] })
  const about = (task: number, arrival: number) => {
    return { task, attempt: 1, priority: units(20), arrival: units(arrival), estimate: units(20) }
  }
  await bids(M1, 30)
  await until(2)
  assert.equal(messages(), [
    { ...about(1, 0), type: 'rfb' },
    { ...about(1, 0), type: 'rfb' },
    { ...about(1, 0), type: 'task', start: units(29), work: units(20) },
  ])
  await until(9)
  await bids(M2, 40, { task: 2, attempt: 1 })
  await until(11)
  assert.equal(messages(), [
    { ...about(2, 9), type: 'rfb', files },
    { ...about(2, 9), type: 'rfb', files },
    { ...about(2, 9), type: 'task', start: units(39), work: units(20), files },
  ])
})

amongPuppets('a later bid of a contractor replaces its earlier one', async (system) => {
  const { bids, until, said } = await dealing(system, { terms: { wait: units(4) } })
  await bids(M2, 30)
  await bids(M1, 20)
  await bids(M1, 40)
  await until(4)
  assert.equal(said().at(-1), 'm2: task 1.1')
})

amongPuppets('of equal bids that of the first contractor wins', async (system) => {
  const { bids, until, said } = await dealing(system, { terms: { wait: units(4) } })
  await bids(M2, 30)
  await bids(M1, 30)
  await until(4)
  assert.equal(said().at(-1), 'm1: task 1.1')
})

amongPuppets('of equal bids a random one wins, if the terms say so', async (system) => {
  const tasks = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => job(id))
  const { bids, until, facts } = await dealing(system, { tasks, terms: { wait: units(20), ties: 'random' } })
  for (const { id } of tasks) for (const one of [M1, M2]) await bids(one, 30, { task: id, attempt: 1 })
  await until(20)
  assert.is(new Set(facts('awarded', 'contractor').flat()).size, 2)
})

amongPuppets('without a bid in time the first one that comes wins', async (system) => {
  const { bids, until, said, facts } = await dealing(system)
  await until(7)
  await bids(M2, 30)
  await bids(M1, 20)
  assert.equal(said(), [...all('rfb 1.1'), 'm2: task 1.1', 'm1: cancel 1.1'])
  assert.equal(facts('awarded', 'contractor'), [[M2]])
})

amongPuppets('a request is repeated at intervals while there is no bid', async (system) => {
  const { bids, until, said, facts } = await dealing(system, { terms: { retry: units(5) } })
  await until(13)
  assert.equal(said(), [...all('rfb 1.1'), ...all('rfb 1.1'), ...all('rfb 1.1')])
  assert.equal(facts('repeated', 'task', 'attempt'), [
    [1, 1],
    [1, 1],
  ])
  await bids(M1, 30)
  await system.run()
  assert.equal(said(), ['m1: task 1.1'])
  assert.is(system.now, units(14))
})

amongPuppets('a request with a bid is not repeated while the bids are awaited', async (system) => {
  const { bids, said } = await dealing(system, { terms: { wait: units(8), retry: units(5) } })
  await bids(M1, 30)
  await system.run()
  assert.equal(said(), [...all('rfb 1.1'), 'm1: task 1.1'])
  assert.is(system.now, units(8))
})

/** A client whose task is with m1 from 2 on. */
async function awarded(system: System, given: Given = {}) {
  const client = await dealing(system, given)
  await client.bids(M1, 30)
  await client.until(3)
  assert.equal(client.said().at(-1), 'm1: task 1.1')
  return client
}

const ASKING = { query: units(3), timeout: units(2) }

amongPuppets('the holder is asked at intervals, and given up when it does not answer', async (system) => {
  const { until, hears, said, facts, records } = await awarded(system, { terms: ASKING })
  await until(5)
  assert.equal(said(), ['m1: query 1.1'])
  await hears(M1, { ...first, type: 'status', state: 'executing' })
  await until(8)
  assert.equal(said(), ['m1: query 1.1'])
  await hears(M2, { ...first, type: 'status', state: 'executing' })
  await until(10)
  assert.equal(said(), all('rfb 1.2'))
  assert.equal(facts('failed', 'task', 'attempt', 'contractor', 'reason'), [[1, 1, M1, 'silent']])
  assert.equal(facts('announced', 'attempt'), [[1], [2]])
  assert.equal(records(), [{ type: 'began' }, { type: 'announced', ...later }])
  await until(30)
  assert.equal(said(), [])
})

amongPuppets('queries go on while an answer is open, and end with the task', async (system) => {
  const { until, hears, said } = await awarded(system, { terms: { query: units(2), timeout: units(7) } })
  await until(8)
  assert.equal(said(), ['m1: query 1.1', 'm1: query 1.1', 'm1: query 1.1'])
  await hears(M1, { ...first, type: 'result' })
  await system.run()
  assert.equal(said(), all('cancelAll 1.1'))
  assert.is(system.now, units(9))
})

amongPuppets('without a timeout the holder is asked for ever, and never given up', async (system) => {
  const { until, said } = await awarded(system, { terms: { query: units(3), timeout: null } })
  await until(12)
  assert.equal(said(), ['m1: query 1.1', 'm1: query 1.1', 'm1: query 1.1'])
})

amongPuppets('a task is announced under a new attempt if its holder does not know it or refuses it', async (system) => {
  const { hears, bids, said, facts } = await awarded(system, { terms: ASKING })
  const unknown = (attempt: Attempt): ToClient => ({ ...attempt, type: 'status', state: 'unknown' })
  const refusal = (attempt: Attempt): ToClient => ({ ...attempt, type: 'bump', kept: false })
  await hears(M2, unknown(first), refusal(first))
  assert.equal(said(), ['m1: query 1.1'])
  await hears(M1, unknown(first))
  assert.equal(said(), all('rfb 1.2'))
  await hears(M1, unknown(first), refusal(first))
  await bids(M2, 40, later)
  assert.equal(said(), ['m2: task 1.2'])
  await hears(M1, refusal(later))
  await hears(M2, refusal(first))
  await hears(M2, refusal(later))
  assert.equal(said(), ['m2: query 1.2', ...all('rfb 1.3')])
  const at = system.now
  await system.run()
  assert.is(system.now, at + units(1))
  assert.equal(facts('failed', 'attempt', 'contractor', 'reason'), [[1, M1, 'lost']])
  assert.equal(facts('bumped', 'attempt', 'contractor'), [[2, M2]])
})

amongPuppets('a task that may not be started twice ends when its holder fails', async (system) => {
  const single = [job(1, 0, { restartable: false })]
  const { hears, said, facts, records } = await awarded(system, { tasks: single, terms: ASKING })
  await hears(M1, { ...first, type: 'status', state: 'unknown' })
  assert.equal(said(), all('cancelAll 1.1'))
  assert.equal(records(), [{ type: 'began' }, { type: 'entrusted', task: 1 }, { type: 'done', task: 1 }])
  assert.equal(facts('failed', 'attempt', 'contractor', 'reason'), [[1, M1, 'lost']])
  assert.equal(facts('ended', 'attempt', 'contractor', 'reason'), [[1, M1, 'not restartable']])
  await system.run()
  assert.is(system.now, units(4))
})

amongPuppets('a task that may not be started twice ends when its holder is silent', async (system) => {
  const single = [job(1, 0, { restartable: false })]
  const { until, said, facts } = await awarded(system, { tasks: single, terms: ASKING })
  await until(7)
  assert.equal(said(), ['m1: query 1.1', ...all('cancelAll 1.1')])
  assert.equal(facts('ended', 'attempt', 'contractor', 'reason'), [[1, M1, 'not restartable']])
})

amongPuppets('only the holder can cut a task off', async (system) => {
  const { hears, said, facts } = await awarded(system, { terms: ASKING })
  await hears(M2, { ...first, type: 'cutOff' })
  await hears(M1, { ...first, type: 'cutOff' })
  await system.run()
  assert.equal(said(), all('cancelAll 1.1'))
  assert.equal(facts('ended', 'attempt', 'contractor', 'reason', 'error'), [[1, M1, 'cut off', undefined]])
  assert.is(system.now, units(5))
})

const bump = { ...first, type: 'bump', kept: true } as const

amongPuppets('a promise that is not kept is renewed by its holder or moved, after new bids', async (system) => {
  const { until, hears, bids, said, facts } = await awarded(system, { terms: { ...ASKING, wait: units(3) } })
  await hears(M2, bump)
  assert.equal(said(), [])
  await hears(M1, bump)
  await bids(M1, 35)
  await bids(M2, 36)
  await until(8)
  // it is asked at 6, and its answer is awaited until the bids are evaluated at 7
  assert.equal(said(), [...all('rfb 1.1'), 'm1: query 1.1', 'm1: task 1.1 renewed'])
  assert.equal(facts('bumped', 'attempt', 'contractor'), [[1, M1]])
  await until(10)
  assert.equal(said(), ['m1: query 1.1'])
  await hears(M1, bump, { ...first, type: 'status', state: 'held' })
  await bids(M2, 38)
  await until(17)
  assert.equal(said(), [...all('rfb 1.1'), 'm1: query 1.1', 'm1: cancel 1.1', 'm2: task 1.1', 'm2: query 1.1'])
  const fields = ['attempt', 'contractor', 'previous', 'start', 'completion']
  assert.equal(facts('replaced', ...fields), [
    [1, M1, M1, units(34), units(35)],
    [1, M2, M1, units(37), units(38)],
  ])
})

amongPuppets('bids for an attempt do not count for the next one', async (system) => {
  const { hears, bids, until, said } = await awarded(system, { terms: { wait: units(3) } })
  await hears(M1, bump)
  await bids(M2, 35)
  await hears(M1, { ...bump, kept: false })
  await bids(M1, 60, later)
  await until(9)
  assert.equal(said(), [...all('rfb 1.1'), ...all('rfb 1.2'), 'm1: task 1.2'])
})

amongPuppets('a bumped task without new bids stays with its holder, which still owes an answer', async (system) => {
  const { until, hears, said } = await awarded(system, { terms: { query: units(3), timeout: units(9) } })
  await hears(M1, bump)
  await until(5)
  await hears(M1, { ...first, type: 'status', state: 'held' })
  await until(8)
  assert.equal(said(), [...all('rfb 1.1'), 'm1: query 1.1', 'm1: query 1.1'])
  await hears(M1, bump)
  await until(16)
  const queries = ['m1: query 1.1', 'm1: query 1.1']
  assert.equal(said(), [...all('rfb 1.1'), ...queries])
  await until(17)
  assert.equal(said(), all('rfb 1.2'))
})

amongPuppets('a late bid that saves enough moves the task, and others are refused', async (system) => {
  const { hears, bids, until, said, facts } = await awarded(system, { terms: { ...ASKING, i0: 0.5 } })
  await bids(M1, 10)
  assert.equal(said(), [])
  await bids(M2, 17)
  assert.equal(said(), ['m2: cancel 1.1', 'm1: query 1.1'])
  await bids(M2, 16)
  assert.equal(said(), ['m1: cancel 1.1', 'm2: task 1.1'])
  const fields = ['attempt', 'contractor', 'completion', 'improvement', 'previous']
  assert.equal(facts('rejected', ...fields), [[1, M2, units(17), 0.5, undefined]])
  assert.equal(facts('moved', ...fields), [[1, M2, units(16), 0.56, M1]])
  await hears(M1, { ...first, type: 'status', state: 'unknown' })
  await until(8)
  assert.equal(said(), ['m2: query 1.1'])
})

for (const [title, given] of [
  ['if no late bid is good enough', { terms: { i0: null } }],
  ['if it may not be started twice', { terms: { i0: 0 }, tasks: [job(1, 0, { restartable: false })] }],
] as const) {
  amongPuppets(`a task does not move for a late bid ${title}`, async (system) => {
    const { bids, said } = await awarded(system, given)
    await bids(M2, 10)
    assert.equal(said(), ['m2: cancel 1.1'])
  })
}

amongPuppets('under commit the losing bidders are dismissed', async (system) => {
  const { bids, until, said } = await dealing(system, { terms: { clash: 'commit' } })
  await bids(M1, 40)
  await bids(M2, 30)
  await until(3)
  assert.equal(said(), [...all('rfb 1.1'), 'm2: task 1.1', 'm1: cancel 1.1'])
})

amongPuppets('a new contractor gets the open requests in the order of their numbers', async (system) => {
  const tasks = [job(7), job(1), job(5), job(3)]
  const { bids, until, hears, said } = await dealing(system, { tasks })
  await bids(M1, 30)
  await bids(M1, 30, { task: 5, attempt: 1 })
  await until(3)
  await hears(M1, { task: 5, attempt: 1, type: 'result' })
  said()
  await spawnPuppets(system, 'contractor@m3', 'processor@m3', 'client@c2')
  await system.restart(M2)
  await until(5)
  assert.equal(said(), ['m3: rfb 3.1', 'm3: rfb 7.1', 'm2: rfb 3.1', 'm2: rfb 7.1'])
  await hears(M1, bump)
  said()
  await system.restart(M2)
  await until(6)
  assert.equal(said(), ['m2: rfb 1.1', 'm2: rfb 3.1', 'm2: rfb 7.1'])
})

amongPuppets('a client that is back announces its open tasks under new attempts', async (system) => {
  const tasks = [job(1), job(2), job(3, 0, { restartable: false }), job(4, 20)]
  const { bids, until, hears, said, facts, records } = await dealing(system, { tasks })
  for (const task of [1, 2, 3]) await bids(M1, 30, { task, attempt: 1 })
  await hears(M1, { ...first, type: 'result' })
  await hears(M1, { task: 2, attempt: 1, type: 'bump', kept: false })
  said()
  records()
  await system.restart(CLIENT)
  await until(19)
  assert.equal(said(), [...all('cancelAll 3.2'), ...all('rfb 2.3')])
  assert.equal(records(), [{ type: 'began' }, { type: 'done', task: 3 }, { type: 'announced', task: 2, attempt: 3 }])
  assert.equal(facts('ended', 'task', 'attempt', 'reason', 'contractor'), [[3, 2, 'not restartable', null]])
  await until(20)
  assert.equal(said(), all('rfb 4.1'))
})

amongPuppets('a priority may cost points, which the work of the own machine earns', async (system) => {
  const terms = { priority: 'points', income: { points: 10, period: units(100) } } as const
  const tasks = [job(1, 0, { value: 6 }), job(2, 0, { value: 6 }), job(3, 9, { value: 6 }), job(4, 9, { value: 6 })]
  const { bids, hears, until, messages, facts, records } = await dealing(system, { terms, tasks })
  await spawnPuppets(system, OWN)
  await bids(M1, 30)
  await hears(OWN, { task: 9, attempt: 1, type: 'earned', points: 4 })
  await until(12)
  const told = messages()
  assert.equal(
    told.filter(({ type }) => type === 'rfb').map(({ priority }) => priority),
    [-6, -6, -4, -4, -6, -4, -4, -4, -4, 0, 0, 0],
  )
  assert.equal(
    told.filter(({ type }) => type === 'task').map(({ points }) => points),
    [6],
  )
  const spent = (task: number, points: number) => ({ type: 'spent', task, points })
  const earned = { type: 'earned', points: 4 }
  assert.equal(records(), [{ type: 'began' }, spent(1, 6), spent(2, 4), earned, spent(3, 4)])
  assert.equal(facts('earned', 'task', 'attempt', 'points'), [[9, 1, 4]])
})

amongPuppets('a bid of the own machine may come too late, since it waits for the local delay', async (system) => {
  const { bids, until, facts } = await dealing(system, { terms: { localDelay: units(3) } })
  await spawnPuppets(system, OWN)
  await bids(OWN, 20)
  await bids(M1, 90)
  await until(5)
  assert.equal(facts('awarded', 'contractor'), [[M1]])
})

amongPuppets('a bid of the own machine waits for the local delay, and counts as later', async (system) => {
  const terms = { wait: units(9), localDelay: units(3), localInflation: 1.5 }
  const tasks = [job(1), job(2, 10), job(3, 20)]
  const { bids, until, facts } = await dealing(system, { terms, tasks })
  await spawnPuppets(system, OWN)
  await bids(OWN, 20)
  await bids(M1, 31)
  await until(10)
  await bids(OWN, 30, { task: 2, attempt: 1 })
  await bids(M1, 51, { task: 2, attempt: 1 })
  await until(20)
  await bids(OWN, 40, { task: 3, attempt: 1 })
  await until(40)
  const completions = facts('awarded', 'contractor', 'completion')
  assert.equal(completions, [
    [OWN, units(30)],
    [OWN, units(50)],
    [OWN, units(70)],
  ])
})

const ERROR: Thrown = { name: 'Error', message: 'no', stack: '' }
const call = (name: string) => ({ module: 'file:///calls.ts', export: name, args: [] })

amongPuppets('a call is estimated by the earlier calls of its function that had a result', async (system) => {
  const [add, other] = [{ work: call('add') }, { work: call('other') }]
  const tasks = [
    job(1, 0, add),
    job(2, 0, add),
    job(3, 0, add),
    job(4, 0, other),
    job(5, 0),
    job(6, 30, add),
    job(7, 30, other),
  ]
  const { bids, hears, messages, until, facts } = await dealing(system, { tasks })
  for (const task of [1, 2, 3, 4, 5]) await bids(M1, 30, { task, attempt: 1 })
  const result = (task: number, more = {}): ToClient => ({ task, attempt: 1, type: 'result', ...more })
  const one = result(1, { outcome: { result: 'one' }, work: units(8) })
  await hears(M1, one, one)
  await hears(M1, result(3, { outcome: { error: ERROR }, work: units(50) }))
  await hears(M1, result(4), result(5, { outcome: { result: 0 }, work: units(50) }))
  messages()
  await hears(M1, { task: 2, attempt: 1, type: 'bump', kept: false })
  assert.equal(
    messages().map(({ task, attempt, estimate }) => [task, attempt, estimate]),
    [1, 2].map(() => [2, 2, units(8)]),
  )
  await bids(M1, 40, { task: 2, attempt: 2 })
  await until(14)
  await hears(M1, { ...result(2, { outcome: { result: 'two' }, work: units(5) }), attempt: 2 })
  messages()
  await until(30)
  assert.equal(
    messages().map(({ task, estimate }) => [task, estimate]),
    [
      [6, units(6.5)],
      [6, units(6.5)],
      [7, units(20)],
      [7, units(20)],
    ],
  )
  assert.equal(facts('done', 'task', 'result', 'estimate', 'work'), [
    [1, 'one', units(20), units(8)],
    [4, undefined, undefined, undefined],
    [5, undefined, undefined, undefined],
    [2, 'two', units(8), units(5)],
  ])
  assert.equal(facts('ended', 'task', 'attempt', 'contractor', 'reason', 'error'), [[3, 1, M1, 'threw', ERROR]])
})

for (const [restartable, title, told] of [
  [true, 'moves', ['m1: cancel 1.1', 'm2: task 1.1']],
  [false, 'stays with its holder if it may not be started twice', ['m1: task 1.1 renewed']],
] as const) {
  amongPuppets(`eager: a task that cannot begin as promised ${title}`, async (system) => {
    const { hears, bids, until, said } = await awarded(system, {
      protocol: 'eager',
      terms: { wait: units(3) },
      tasks: [job(1, 0, { restartable })],
    })
    await hears(M1, bump)
    await bids(M2, 35)
    await bids(M1, 40)
    await until(8)
    assert.equal(said(), [...all('rfb 1.1'), ...told])
    await bids(M2, 10)
    assert.equal(said(), [])
  })
}

amongPuppets('eager: the best bid gets a task that may not be started twice', async (system) => {
  const tasks = [job(1, 0, { restartable: false })]
  const { bids, until, said } = await dealing(system, { protocol: 'eager', tasks })
  await bids(M1, 40)
  await bids(M2, 30)
  await until(3)
  assert.equal(said(), [...all('rfb 1.1'), 'm2: task 1.1'])
})

amongPuppets('the chart of a task tells whether it has a result', async (system) => {
  const entered = linesOf(system, 'entered')
  const { hears } = await dealing(system, {
    tasks: [job(1, 0, { work: call('add') }), job(2, 0, { work: call('add') })],
  })
  await hears(M1, { ...first, type: 'result', outcome: { error: ERROR } })
  await hears(M1, { ...first, task: 2, type: 'result', outcome: { result: 2 } })
  assert.equal(
    entered.map(({ key, state }) => [key, state]),
    [
      [1, 'soliciting'],
      [2, 'soliciting'],
      [1, 'ended'],
      [2, 'done'],
    ],
  )
})

amongPuppets('eager: a task that was refused may go to any contractor', async (system) => {
  const tasks = [job(1, 0, { restartable: false })]
  const { bids, until, hears, said } = await awarded(system, { protocol: 'eager', tasks })
  await hears(M1, { ...first, type: 'bump', kept: false })
  await bids(M2, 35, later)
  await until(6)
  assert.equal(said(), [...all('rfb 1.2'), 'm2: task 1.2'])
})

amongPuppets('eager: a request is repeated after an evaluation without bids', async (system) => {
  const { until, said } = await dealing(system, { protocol: 'eager', terms: { retry: units(5) } })
  await until(6)
  assert.equal(said(), all('rfb 1.1'))
  await until(7)
  assert.equal(said(), all('rfb 1.1'))
})

amongPuppets('random: the first bid gets the task at once, and a request without bids is repeated', async (system) => {
  const { bids, until, said } = await dealing(system, { protocol: 'random', terms: { retry: units(5) } })
  await until(6)
  assert.equal(said(), [...all('rfb 1.1'), ...all('rfb 1.1')])
  await bids(M2, 30)
  assert.equal(said(), ['m2: task 1.1'])
  await bids(M1, 10)
  assert.equal(said(), [])
})

amongPuppets(
  'random: contractors hear of a result only after a second attempt, which an old holder may miss',
  async (system) => {
    const { bids, hears, said } = await dealing(system, { protocol: 'random', tasks: [job(1), job(2)] })
    await bids(M1, 30)
    await bids(M2, 40, { task: 2, attempt: 1 })
    said()
    await hears(M1, { ...first, type: 'result' })
    assert.equal(said(), [])
    await hears(M2, { task: 2, attempt: 1, type: 'bump', kept: false })
    await bids(M1, 40, { task: 2, attempt: 2 })
    assert.equal(said(), [...all('rfb 2.2'), 'm1: task 2.2'])
    await hears(M1, { task: 2, attempt: 2, type: 'result' })
    assert.equal(said(), all('cancelAll 2.2'))
  },
)

amongPuppets(
  'random: contractors hear of a task that ends without a result, which its holder may still execute',
  async (system) => {
    const terms = { query: units(1), timeout: units(2) }
    const { bids, until, said } = await dealing(system, {
      protocol: 'random',
      terms,
      tasks: [job(1, 0, { restartable: false })],
    })
    await bids(M1, 30)
    said()
    await until(5)
    assert.equal(said(), ['m1: query 1.1', ...all('cancelAll 1.1')])
  },
)

test.run()
