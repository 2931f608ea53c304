/** The promises of a market: each is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Message, units } from '../../lib/actor.ts'
import { keyedDraws } from '../../lib/core/random.ts'
import { runUndisturbed } from '../../lib/explore/undisturbed.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { collect } from '../../lib/scenario/flags.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Market, type MarketTask, termsOf } from '../../scenarios/bidding/model.ts'
import { OF_ALL_MARKETS, promisesOf } from '../../scenarios/bidding/oracle/promises.ts'
import { brokenBy, type Told } from '../histories.ts'
import { repeats } from '../repeats.ts'

const test = suite('the promises of a market')

const job = (n: number, work: number, more: Partial<MarketTask> = {}): MarketTask => {
  const time = units(work)
  return { id: `t${n}`, client: 'c1', arrival: units(n), work: time, estimate: time, ...more }
}
const MARKET: Market = {
  protocol: 'dsp',
  speeds: [1, 2],
  clients: ['c1'],
  jobs: [job(0, 8), job(1, 4, { restartable: false }), job(2, 2)],
  terms: termsOf('dsp', units(1), { query: units(3), timeout: units(3), i0: 0.5 }),
}

interface Setting {
  readonly market?: Partial<Market>
  readonly options?: SystemInit
  readonly faults?: readonly string[]
}

function broken(
  history: readonly Told[],
  { market, options, faults = [] }: Setting = {},
  outcome: Partial<RunOutcome> = {},
): string[] {
  const circumstances = {
    options: complete({ network: { latency: units(1) }, ...options }),
    faults: faults.map((fault) => parseFault(fault)),
  }
  return brokenBy([...OF_ALL_MARKETS, ...promisesOf({ ...MARKET, ...market }, circumstances)], history, outcome)
}

const by = (role: 'client' | 'processor' | 'contractor', machine: string) => `${role}@${machine}`
const client = (at: number, type: string, task: number, more: object = {}): Told => [
  at,
  by('client', 'c1'),
  { type, task, attempt: 1, ...more } as Message,
]
const awarded = (at: number, task: number, machine: string, completion = 9): Told =>
  client(at, 'awarded', task, { contractor: by('contractor', machine), completion: units(completion) })
const processor = (at: number, machine: string, type: string, task: number, more: object = {}): Told => [
  at,
  by('processor', machine),
  { type, task, attempt: 1, ...more } as Message,
]
const started = (at: number, machine: string, task: number): Told =>
  processor(at, machine, 'started', task, { work: MARKET.jobs[task]?.work ?? null })
const finished = (at: number, machine: string, task: number, busy: number): Told =>
  processor(at, machine, 'finished', task, { busy: units(busy) })
const bumped = (at: number, task: number): Told => client(at, 'bumped', task, { contractor: by('contractor', 'm1') })
const stopped = (at: number, machine: string, task: number): Told => [
  at,
  by('contractor', machine),
  { type: 'stopped', task, attempt: 1, heard: units(5) },
]
const done = (at: number, task: number, machine: string): Told =>
  client(at, 'done', task, { contractor: by('contractor', machine), flow: units(at - task) })

/** Task 0 on m1: awarded at 4, started at 5, done at 14. */
const WHOLE = [
  client(0, 'announced', 0),
  awarded(4, 0, 'm1'),
  started(5, 'm1', 0),
  finished(13, 'm1', 0, 8),
  done(14, 0, 'm1'),
]

test('are kept by a task that is announced, awarded, executed and done', () => {
  assert.equal(broken(WHOLE), [])
})

test('an attempt follows the last one, and no task is announced before it arrives', () => {
  assert.equal(broken([client(0, 'announced', 0), bumped(2, 0), client(3, 'announced', 0, { attempt: 2 })]), [])
  assert.equal(broken([client(0, 'announced', 0), client(3, 'announced', 0)]), [
    'a new announcement has a greater attempt: task 0 has 1 after 1, at 3',
  ])
  assert.equal(broken([client(0, 'announced', 0), client(3, 'announced', 0, { attempt: 3 })]), [
    'a new announcement has a greater attempt: task 0 has 3 after 1, at 3',
  ])
  assert.equal(broken([client(0.5, 'announced', 1)]), [
    'no task is announced before it arrives: task 1 at 0.5, arrival 1',
  ])
  assert.equal(broken([client(0.5, 'announced', 1)], {}, { clocksJumped: true }), [])
})

test('a machine executes one task at a time, and only those that it was awarded', () => {
  assert.equal(broken([awarded(4, 0, 'm1'), awarded(4, 2, 'm1'), started(5, 'm1', 0), started(5, 'm1', 2)]), [
    'a machine executes one task at a time: m1 is held by task 0, attempt 1, on m1 since 5, and task 2, attempt 1, on m1 enters at 5',
  ])
  const [violation = ''] = broken([awarded(4, 0, 'm1'), started(5, 'm2', 0)])
  assert.is(
    violation,
    'a task starts only where it was awarded: task 0, attempt 1, on m2 at 5 by processor@m2, without a cause',
  )
})

test('a task ends once, with a reason if it has no result, and its flow time is that of its client', () => {
  assert.equal(broken([...WHOLE, client(15, 'ended', 0, { reason: 'threw' })]), [
    'a task ends once: task 0 at 14 by client@c1, and again at 15 by client@c1',
    'a task ends without a result only for a reason: task 0: threw',
  ])
  for (const [task, reason, market, count] of [
    [1, 'not restartable', {}, 0],
    [0, 'not restartable', {}, 1],
    [0, 'cut off', {}, 1],
    [0, 'cut off', { terms: { ...MARKET.terms, cutoff: 1 } }, 0],
    [0, 'threw', { jobs: [job(0, 8, { work: { module: 'm', export: 'f', args: [] } })] }, 0],
  ] as const) {
    assert.is(broken([client(9, 'ended', task, { reason })], { market }).length, count, reason)
  }
  const late = client(14, 'done', 0, { contractor: by('contractor', 'm1'), flow: units(13) })
  assert.equal(broken([...WHOLE.slice(0, -1), late]), [
    'the flow time of a task is counted from its arrival: task 0: 13000000, not 14000000',
  ])
})

test('a task is announced again only after a failure, and replaced only after a bump, unless its client died', () => {
  const announced = (attempt: number): Told => client(attempt, 'announced', 0, { attempt })
  const failed = client(1.5, 'failed', 0, { contractor: by('contractor', 'm1'), reason: 'lost' })
  const lossy = { options: { network: { loss: 0.1 } } }
  assert.equal(broken([announced(1), failed, announced(2)], lossy), [])
  assert.equal(broken([announced(1), announced(2)]), [
    'a task is announced again only if its last attempt failed: task 0, attempt 2 at 2',
  ])
  assert.equal(broken([announced(1), [1.5, 'client@c1', 'dies'], announced(2)]), [])
  const replaced = client(8, 'replaced', 0, { contractor: by('contractor', 'm1'), completion: units(9) })
  assert.equal(broken([bumped(7, 0), replaced]), [])
  assert.equal(broken([replaced]), [
    'a task is replaced only after a bump: task 0, attempt 1 at 8 by client@c1, without a cause',
  ])
})

test('in a calm run a fact is told once at one instant', () => {
  assert.equal(broken([bumped(7, 0), bumped(8, 0), bumped(8, 1)]), [])
  const twice = [bumped(7, 0), bumped(7, 0)]
  assert.equal(broken(twice), ['a fact is told once: bumped of client@c1 at 7'])
  assert.equal(broken(twice, { faults: ['restart contractor@m1 at 3'] }), [], 'what is done again is told again')
})

test('a task that may not be begun twice is begun once', () => {
  const once = [
    awarded(4, 1, 'm1'),
    started(5, 'm1', 1),
    stopped(6, 'm1', 1),
    processor(6, 'm1', 'aborted', 1, { busy: units(1) }),
  ]
  assert.equal(broken(once), [])
  assert.ok(
    broken([...once, awarded(8, 1, 'm2'), started(9, 'm2', 1)]).includes(
      'a task that may not be begun twice is begun once: task 1 at 5 by processor@m1, and again at 9 by processor@m2',
    ),
  )
})

test('an execution has the work of its task, and takes it, unless its processor is paused', () => {
  assert.equal(broken([awarded(4, 0, 'm1'), processor(5, 'm1', 'started', 0, { work: units(7) })]), [
    'an execution is given the work of its task: task 0: 7000000, not 8000000',
  ])
  const short = [awarded(4, 0, 'm2'), started(5, 'm2', 0), finished(8, 'm2', 0, 3)]
  assert.equal(broken(short), ['an execution takes the work of its task: task 0 took 3000000, not 4000000'])
  assert.equal(broken(short, { faults: ['pause processor@m2 for 1 at 5'] }), [])
})

test('points are earned once, for tasks of other clients that were done, and not more than these are worth', () => {
  const market = { jobs: [job(0, 8, { value: 3 })] }
  const earned = (at: number, points = 3, owner = 'm1'): Told => [
    at,
    by('client', owner),
    { type: 'earned', task: 0, attempt: 1, points },
  ]
  assert.equal(broken([...WHOLE, earned(15)], { market }), [])
  assert.is(broken([...WHOLE, earned(15), earned(16)], { market }).length, 1)
  assert.equal(broken([earned(1)], { market }), [
    'points are earned for tasks that were done: task 0 at 1 by client@m1, without a cause',
  ])
  assert.equal(broken([...WHOLE, earned(15, 4)], { market }), [
    'a machine earns at most what the task of another client is worth: task 0: 4 for client@m1, worth 3',
  ])
  assert.is(broken([...WHOLE, earned(15, 0)], { market }).length, 1)
  assert.is(broken([...WHOLE, earned(15, 3, 'c1')], { market }).length, 1)
})

test('an eager machine bumps a task that it begins late, one at a time', () => {
  const name = 'a machine bumps a task that it begins late'
  const market = { protocol: 'eager', terms: termsOf('eager', units(1), { tolerance: units(1) }) } as const
  const placed = (at: number, task: number, start: number): Told =>
    client(at, 'awarded', task, {
      contractor: by('contractor', 'm1'),
      start: units(start),
      completion: units(start + 8),
    })
  const brokenBy = (begins: number, ...between: readonly Told[]) =>
    broken([placed(2, 0, 5), ...between, started(begins, 'm1', 0), finished(30, 'm1', 0, 8), done(31, 0, 'm1')], {
      market,
    }).filter((one) => one.startsWith(name))
  const late = [`${name}: task 0 began on m1 at 22, and 5 was promised`]
  assert.equal(brokenBy(7), [])
  assert.equal(brokenBy(22), late)
  assert.equal(brokenBy(22, bumped(6, 0)), [])
  // another task is bumped meanwhile, or its bump is over when the task is placed
  assert.equal(brokenBy(22, placed(2, 2, 5), bumped(6, 2)), [])
  assert.equal(brokenBy(22, placed(2, 2, 5), bumped(24, 2)), late)
  // it waited for its award, and not for the machine
  assert.equal(brokenBy(7.5, placed(6.5, 0, 5)), [])
  assert.equal(
    broken([placed(2, 0, 5), started(22, 'm1', 0), done(31, 0, 'm1')]).filter((one) => one.startsWith(name)),
    [],
  )
})

test('a silent holder is given up only after its time to answer', () => {
  const failed = (at: number, reason: string): Told =>
    client(at, 'failed', 0, { contractor: by('contractor', 'm2'), reason })
  const moved = client(6, 'moved', 0, {
    contractor: by('contractor', 'm2'),
    previous: by('contractor', 'm1'),
    completion: units(6),
    improvement: 1,
  })
  const name = 'a holder is given up as silent only after its time to answer'
  const brokenAt = (...end: readonly Told[]) =>
    broken([client(0, 'announced', 0), awarded(4, 0, 'm1', 30), ...end], { faults: ['kill @m2 at 4'] }).filter((one) =>
      one.startsWith(name),
    )
  assert.equal(brokenAt(failed(10, 'silent')), [])
  assert.equal(brokenAt(failed(9, 'lost')), [])
  assert.equal(brokenAt(moved, failed(12, 'silent')), [])
  assert.equal(brokenAt(moved, failed(10, 'silent')), [
    `${name}: task 0 is with contractor@m2 since 6, which is given up at 10`,
  ])
})

test('a late bid moves its task if it saves enough of the remaining time', () => {
  const late = (type: string, task: number, completion: number, improvement: number | null): Told =>
    client(5, type, task, {
      contractor: by('contractor', 'm2'),
      previous: by('contractor', 'm1'),
      completion: units(completion),
      improvement,
    })
  const held = (task: number, ...more: readonly Told[]) =>
    broken([awarded(4, task, 'm1', 15), ...more], { options: { network: { loss: 0.1 } } })
  // of the 10 units that are left, these save 6 and 5
  assert.equal(held(0, late('moved', 0, 9, 0.6)), [])
  assert.equal(held(0, late('rejected', 0, 10, 0.5)), [])
  assert.is(held(0, late('rejected', 0, 9, 0.6)).length, 1)
  assert.is(held(0, late('moved', 0, 10, 0.5)).length, 1)
  assert.is(held(0, late('moved', 0, 9, 0.7)).length, 1)
  assert.is(held(1, late('moved', 1, 9, 0.6)).length, 1, 'a task that may not be begun twice')
  assert.equal(broken([awarded(4, 0, 'm1', 4.5), late('rejected', 0, 9, null)]), [], 'an overdue task stays')
})

/** A contractor that takes its processor for dead until it answers. */
const STRANDED: readonly Told[] = [
  [9, by('contractor', 'm2'), { type: 'stranded' }],
  [10, by('contractor', 'm2'), { type: 'recovered' }],
]

test('no living machine and no living client is taken for dead, unless a fault strikes it or mail is lost', () => {
  const failed = client(9, 'failed', 0, { contractor: by('contractor', 'm1'), reason: 'silent' })
  const abandoned: Told = [9, 'contractor@m1', { type: 'abandoned', task: 0, attempt: 1, client: 'client@c1' }]
  assert.is(broken([failed, abandoned, ...STRANDED]).length, 3)
  assert.equal(broken([failed, abandoned], { faults: ['partition c1 | m1 at 2 until 5'] }), [])
  assert.equal(broken(STRANDED, { faults: ['kill processor@m2 at 3'] }), [])
  assert.is(broken(STRANDED, { faults: ['kill processor@m1 at 3'] }).length, 1)
  assert.equal(broken([failed], { options: { network: { loss: 0.1 } } }), [])
  assert.equal(broken([[2, 'contractor@m1', 'dies'], failed]), [])
})

test('a contractor whose processor lives works again in the end', () => {
  const contractor = (at: number, type: string): Told => [at, by('contractor', 'm2'), { type }]
  const dies: Told = [2, by('processor', 'm2'), 'dies']
  const setting = { faults: ['kill processor@m2 at 2'] }
  assert.equal(broken([dies, contractor(9, 'stranded')], setting), [])
  assert.equal(broken(STRANDED, setting), [])
  assert.equal(broken([contractor(9, 'stranded'), [12, by('contractor', 'm2'), 'dies']], setting), [])
  assert.equal(broken([contractor(9, 'stranded')], setting, { lost: 1 }), [])
  assert.equal(broken([contractor(9, 'stranded')], setting), [
    'a contractor whose processor lives works again in the end: contractor@m2 takes processor@m2 for dead, and it lives',
  ])
})

test('promises about times are asked until an actor dies that no planned fault strikes', () => {
  const early = [awarded(4, 0, 'm1'), started(6, 'm1', 0)]
  assert.is(broken(early).length, 1)
  assert.equal(broken([[2, 'processor@m2', 'dies'], ...early]), [])
  assert.is(broken([[2, 'processor@m1', 'dies'], ...STRANDED], { faults: ['kill processor@m1 at 2'] }).length, 1)
  assert.is(broken([...early, [6, 'processor@m2', 'dies']]).length, 1, 'it was broken before')
})

test('an awarded task starts as soon as its machine is free, the best first', () => {
  assert.is(broken([awarded(4, 0, 'm1'), started(6, 'm1', 0)]).length, 1, 'the machine was free at 5')
  const both = [
    awarded(4, 2, 'm1'),
    started(5, 'm1', 2),
    awarded(5, 0, 'm1'),
    awarded(5, 1, 'm1'),
    finished(7, 'm1', 2, 2),
  ]
  assert.equal(broken([...both, started(7, 'm1', 1)]), [])
  assert.equal(broken([...both, started(7, 'm1', 0)]), [
    'an awarded task starts as soon as its machine is free, the best first: task 0, attempt 1, on m1 starts at 7, before task 1, which waits there',
  ])
  assert.equal(broken([...both, started(7, 'm1', 0)], { market: { terms: { ...MARKET.terms, priority: 'fcfs' } } }), [])
  assert.equal(broken([...both, started(7, 'm1', 0)], { options: { network: { jitter: 1 } } }), [])
})

test('an award that is renewed after its task has started does not wait', () => {
  const renewed = client(8, 'replaced', 1, {
    contractor: by('contractor', 'm1'),
    previous: by('contractor', 'm1'),
    completion: units(12),
  })
  const running = [awarded(4, 2, 'm1'), started(5, 'm1', 2), awarded(5, 0, 'm1'), awarded(5, 1, 'm1')]
  const history = [...running, finished(7, 'm1', 2, 2), started(7, 'm1', 1)]
  assert.equal(broken([...history, bumped(7, 1), renewed, finished(11, 'm1', 1, 4), started(11, 'm1', 0)]), [])
  // an execution that was stopped waits again
  const again = [...history, stopped(8, 'm1', 1), processor(8, 'm1', 'aborted', 1, { busy: units(1) }), renewed]
  assert.ok(
    String(broken([...again, started(9, 'm1', 2), finished(11, 'm1', 2, 2), started(11, 'm1', 0)])).includes(
      'before task 1',
    ),
  )
})

test('no machine begins a task that is over, and a cancelled execution is stopped', () => {
  const over = [...WHOLE, awarded(4, 0, 'm2')]
  assert.ok(
    broken([...over, started(16, 'm2', 0)]).some((text) => text.startsWith('no machine begins a task that is over')),
  )
  const moved = client(6, 'moved', 0, {
    contractor: by('contractor', 'm2'),
    previous: by('contractor', 'm1'),
    completion: units(7),
    improvement: 0.75,
  })
  const running = [awarded(4, 0, 'm1', 10), started(5, 'm1', 0), moved]
  const aborted = processor(7, 'm1', 'aborted', 0, { busy: units(2) })
  assert.equal(broken([...running, stopped(7, 'm1', 0), aborted]), [])
  assert.equal(broken([...running, aborted]), [
    'an execution ends early only if its contractor stops it: task 0, attempt 1, on m1 at 7 by processor@m1, without a cause',
  ])
  assert.equal(broken([...running, finished(13, 'm1', 0, 8)]), [
    'a cancelled execution is stopped: task 0, attempt 1, on m1 ran on until 13, and was cancelled at 6',
  ])
  assert.equal(
    broken([...running, finished(13, 'm1', 0, 8)], { market: { terms: { ...MARKET.terms, abort: false } } }),
    [],
  )
})

/** The facts of each role, by their types. */
const FACTS: { readonly [role: string]: readonly string[] } = {
  client: 'announced awarded moved rejected bumped replaced repeated failed ended earned done'.split(' '),
  processor: 'started finished aborted'.split(' '),
  contractor: 'lapsed abandoned tooLong stopped stranded recovered'.split(' '),
}

/** A history without sense: any facts of three tasks on two machines, with some deaths. */
function senseless(seed: number): Told[] {
  const draw = keyedDraws(seed, 'senseless', 0)
  const one = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(draw() * list.length)] ?? list[0]
  return Array.from({ length: 60 }, (_, at): Told => {
    const role = one(['client', 'processor', 'contractor'])
    const who = `${role}@${role === 'client' ? 'c1' : one(['m1', 'm2'])}`
    const [first = '', ...others] = FACTS[role] ?? []
    if (draw() < 0.03) return [at, who, 'dies']
    const fact = {
      type: one([first, ...others]),
      task: one([0, 1, 2]),
      attempt: one([0, 1]),
      contractor: one(['contractor@m1', 'contractor@m2']),
      previous: one(['contractor@m1', 'contractor@m2']),
      client: 'client@c1',
      completion: units(one([2, 9, 90])),
      improvement: one([0.1, 0.75]),
      work: units(one([8, 4])),
      busy: units(one([8, 4])),
      flow: units(at),
      reason: one(['cut off', 'threw', 'not restartable']),
      points: one([0, 1]),
      heard: units(at),
    }
    return [at, who, fact]
  })
}

test('say the same of any history when they hear the facts of other types too', () => {
  const circumstances = { options: complete({ network: { latency: units(1) } }), faults: [] }
  const properties = [...OF_ALL_MARKETS, ...promisesOf(MARKET, circumstances)]
  const seen = new Set<string>()
  for (let seed = 1; seed <= 60; seed++) {
    const history = senseless(seed)
    for (const property of properties) {
      const found = brokenBy([property], history)
      assert.equal(found, brokenBy([{ ...property, types: undefined }], history), property.name)
      if (found.length > 0) seen.add(property.name)
    }
  }
  assert.ok(seen.size > properties.length / 2, [...seen].join())
})

test('no machine begins a task of a client that is dead for longer than the silence and a delay', () => {
  const market = { terms: { ...MARKET.terms, silence: units(10) } }
  const orphan = (at: number): Told[] => [
    client(0, 'announced', 0),
    awarded(4, 0, 'm1'),
    [5, 'client@c1', 'dies'],
    started(at, 'm1', 0),
  ]
  const name = 'no machine begins a task of a client that is dead for longer than the silence'
  const told = (history: Told[], setting: Setting = { market, faults: ['kill client@c1 at 5'] }): string[] =>
    broken(history, setting).filter((text) => text.startsWith(name))
  assert.equal(told(orphan(16)), [])
  assert.equal(told(orphan(17)), [`${name}: task 0 begins at 17 on processor@m1, and client@c1 is dead since 5`])
  assert.equal(told(orphan(17), {}), [], 'without --silence contractors wait for ever')
  const restarted = client(12, 'announced', 0, { attempt: 2 })
  assert.equal(told([...orphan(16).slice(0, 3), restarted, started(17, 'm1', 0)]), [])
})

test('no market begins tasks of a dead client too late, whatever dies', async () => {
  const { flags, specification } = biddingMarket
  for (let run = 0; run < repeats(60); run++) {
    const protocol = ['dsp', 'eager', 'random'][run % 3]
    const terms = '--latency 1 --speeds 1,1,2 --load 5 --tasks 12 --clients 2 --query 20 --timeout 10 --silence 30'
    const line = `--protocol ${protocol} ${terms} --seed ${run}`.split(' ')
    const faults = ['--kill', `client@c1 at ${(7 * run) % 90}`]
    if (run % 2 === 0) faults.push('--fault', `restart client@c1 at ${60 + ((13 * run) % 120)}`)
    if (run % 4 === 1) faults.push('--kill', `contractor@m1 at ${(11 * run) % 90}`)
    const { broken } = await runUndisturbed(specification(collect(flags, [...line, ...faults]).given))
    assert.equal(broken, [], `run ${run}`)
  }
})

test('a client takes the best bid that it has heard since it asked', () => {
  const heard = (at: number, machine: string, start: number, completion: number): Told =>
    client(at, 'heard', 0, {
      contractor: by('contractor', machine),
      start: units(start),
      completion: units(completion),
    })
  const places = (type: string, machine: string, start: number, completion: number, more: object = {}): Told =>
    client(4, type, 0, {
      contractor: by('contractor', machine),
      start: units(start),
      completion: units(completion),
      ...more,
    })
  const asked = [client(0, 'announced', 0), heard(2, 'm1', 4, 12), heard(3, 'm2', 8, 12)]
  const NAME = 'a client takes the best bid that it has heard'
  const eager = { market: { protocol: 'eager' } } as const
  const random = { market: { protocol: 'random' } } as const
  const of = (history: readonly Told[], setting?: Setting) =>
    broken(history, setting).filter((text) => text.startsWith(NAME))

  assert.equal(of([...asked, places('awarded', 'm1', 4, 12)]), [])
  assert.equal(of([...asked, places('awarded', 'm1', 4, 12)], eager), [
    `${NAME}: task 0: contractor@m1 from 4 to 12, not contractor@m2 from 8 to 12`,
  ])
  const better = heard(3.5, 'm1', 4, 11)
  assert.equal(of([...asked, better, places('awarded', 'm2', 8, 12)]), [
    `${NAME}: task 0: contractor@m2 from 8 to 12, not contractor@m1 from 4 to 11`,
  ])
  assert.equal(of([...asked, better, places('awarded', 'm2', 8, 12)], random), [])
  // a new bid replaces the old one, a new announcement forgets all
  assert.equal(of([...asked, better, places('awarded', 'm1', 4, 12)], random).length, 1)
  const again = [client(3.7, 'announced', 0, { attempt: 2 }), heard(3.8, 'm2', 8, 12)]
  assert.equal(of([...asked, better, ...again, places('awarded', 'm2', 8, 12)]), [])
  // of equal bids a task stays with its holder
  const bumped = [client(0, 'bumped', 0, { contractor: by('contractor', 'm1') }), ...asked.slice(1)]
  const previous = { previous: by('contractor', 'm1') }
  assert.equal(of([...bumped, places('replaced', 'm1', 4, 12, previous)], eager), [])
  assert.equal(of([...bumped, places('replaced', 'm2', 8, 12, previous)], eager).length, 1)
})

test.run()
