/** The promises of an economy: each is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { type Address, type Message, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import { type Economy, SCHEDULER } from '../../scenarios/economy/model.ts'
import { OF_ALL_ECONOMIES, promisesOf } from '../../scenarios/economy/oracle/promises.ts'
import { schedulerDecisions } from '../../scenarios/economy/oracle/scheduler-decisions.ts'
import { Watch } from '../../scenarios/economy/oracle.ts'
import type { EconomyJob } from '../../scenarios/economy/workload/job.ts'
import { brokenBy, type Told } from '../histories.ts'

const test = suite('the promises of an economy')

const job = (id: number, processors: number, service: number): EconomyJob => ({
  id,
  user: 'u1',
  class: 1,
  processors,
  deposit: 0,
  arrival: units(id),
  service: units(service),
})

const ECONOMY: Economy = {
  processors: 3,
  jobs: [job(0, 2, 8), job(1, 1, 4), job(2, 4, 2)],
  durable: true,
  patience: null,
  overrun: { lasts: units(3), alpha: 0.1, grace: units(2) },
  policy: policyOf('ECON'),
  market: { sharing: STANDARD_SHARING, statistics: null },
  users: { u1: { income: 3, savings: 50, cap: 60, coefficients: [1, 1, 1], targets: null } },
}

interface Setting {
  readonly economy?: Partial<Economy>
  readonly options?: SystemInit
  readonly faults?: readonly string[]
  readonly outcome?: Partial<RunOutcome>
}

/** Promises about times and deaths are not asked where mail is lost. */
const LOSSY: Setting = { options: { network: { loss: 0.1 } } }

/** Promises that need whole histories: decisions.test.ts has them. */
const DECISIONS = new Set(schedulerDecisions(ECONOMY).map(({ name }) => name))

/** The names of the promises that a history breaks. */
function broken(history: readonly Told[], { economy, options, faults = [], outcome }: Setting = {}): string[] {
  const circumstances = {
    options: complete({ network: { latency: units(1) }, ...options }),
    faults: faults.map((fault) => parseFault(fault)),
  }
  const all = [...OF_ALL_ECONOMIES, ...promisesOf({ ...ECONOMY, ...economy }, circumstances)]
  const texts = brokenBy(
    all.filter(({ name }) => !DECISIONS.has(name)),
    history,
    outcome,
  )
  return texts.map((text) => text.slice(0, text.indexOf(':')))
}

const user = (at: number, type: string, of: number): Told => [at, 'user@u1', { type, job: of } as Message]
const ACCOUNTS = { received: 0, savings: 50, expenses: 0, paid: 0, forfeited: 0 }
const booked = (at: number, what: string, of: number, accounts: Partial<typeof ACCOUNTS> = {}): Told => [
  at,
  'bank@hub',
  { type: 'booked', what, user: 'u1', job: of, ...ACCOUNTS, ...accounts } as Message,
]
const scheduler = (at: number, type: string, more: object): Told => [at, SCHEDULER, { type, ...more } as Message]
const accepted = (at: number, of: number): Told => scheduler(at, 'accepted', { request: { job: of } })
const given = (at: number, of: number, processors: readonly number[], attempt = 1): Told =>
  scheduler(at, 'started', { job: of, attempt, processors })
const ended = (at: number, of: number, why = 'finished'): Told => scheduler(at, 'ended', { job: of, attempt: 1, why })
const failed = (at: number, of: number): Told => scheduler(at, 'failed', { job: of, attempt: 1 })
const executed = (at: number, place: number, type: string, task: number, work = ECONOMY.jobs[task]?.service): Told => [
  at,
  `processor@p${place + 1}`,
  { type, task, attempt: 1, ...(type === 'started' ? { work } : { busy: 0 }) } as Message,
]

/** Job 0 gets two processors at 1, which end at 10. */
const WHOLE = [
  user(0, 'submitted', 0),
  booked(1, 'opened', 0),
  accepted(1, 0),
  given(1, 0, [0, 1]),
  executed(2, 0, 'started', 0),
  executed(2, 1, 'started', 0),
  executed(10, 0, 'finished', 0),
  executed(10, 1, 'finished', 0),
  ended(11, 0),
  user(12, 'heard', 0),
]

test('are kept by a job that is submitted, accepted, executed and heard of', () => {
  assert.equal(broken(WHOLE), [])
})

test('a job is accepted once, ends once and is heard of once', () => {
  assert.equal(broken([...WHOLE, accepted(12, 0)], LOSSY), ['a job is accepted once'])
  assert.equal(broken([...WHOLE, ended(12, 0)], LOSSY), ['a job ends once'])
  assert.equal(broken([...WHOLE, user(13, 'heard', 0)], LOSSY), ['a user hears of an end once'])
})

test('a user that has lost its records may hear of an end again', () => {
  const again: Told[] = [...WHOLE, [12, 'user@u1', 'dies'], user(13, 'heard', 0)]
  const search: SystemInit = { runtime: 'inline', scheduler: { next: () => 0, outcomeOf: () => 'once' } }
  assert.equal(broken(again, LOSSY), ['a user hears of an end once'])
  assert.equal(broken(again, { ...LOSSY, economy: { durable: false } }), [])
  assert.equal(broken(again, { ...LOSSY, faults: ['restart user@u1 at 12 losing 1'] }), [])
  assert.equal(broken(again, { options: search }), [])
  assert.equal(broken([...again, user(14, 'heard', 0)], { options: search }).length, 1)
})

test('a processor runs the jobs that it was given, one at a time', () => {
  const both = [given(1, 0, [0, 1]), executed(2, 0, 'started', 0)]
  assert.equal(broken([...both, executed(3, 2, 'started', 0)], LOSSY), [
    'a processor runs only the jobs that it was given',
  ])
  assert.equal(broken([...both, given(3, 1, [0])], LOSSY), ['a processor belongs to one job'])
  assert.equal(broken([...both, failed(3, 0), given(3, 1, [0]), executed(4, 0, 'started', 1)], LOSSY), [
    'a processor runs one job at a time',
  ])
  assert.equal(
    broken(
      [...both, failed(3, 0), given(3, 1, [0]), executed(4, 0, 'aborted', 0), executed(4, 0, 'started', 1)],
      LOSSY,
    ),
    [],
  )
})

test('no job gets a processor that is lost', () => {
  const lost = scheduler(0, 'lost', { processor: 1 })
  assert.equal(broken([lost, given(1, 0, [0, 1])], LOSSY), ['no job gets a processor that is lost'])
  assert.equal(broken([lost, given(1, 1, [0])], LOSSY), [])
  assert.equal(broken([lost, scheduler(1, 'found', { processor: 1 }), given(1, 0, [0, 1])], LOSSY), [])
})

test('no job is submitted before it arrives', () => {
  assert.equal(broken([user(1, 'submitted', 1)]), [])
  const early = [user(0.5, 'submitted', 1)]
  assert.equal(broken(early), ['no job is submitted before it arrives'])
  assert.equal(broken(early, { outcome: { clocksJumped: true } }), [])
})

test('no job starts before it arrives, as long as no clock has jumped', () => {
  const early = [given(0.5, 1, [0])]
  assert.ok(broken(early, LOSSY).includes('no job starts before it arrives'))
  assert.not(broken([given(1, 1, [0])], LOSSY).includes('no job starts before it arrives'))
  assert.not(broken(early, { ...LOSSY, outcome: { clocksJumped: true } }).includes('no job starts before it arrives'))
})

test('only a job that cannot start is refused', () => {
  const refused = (of: number, who = 'u1') => scheduler(9, 'refused', { job: of, user: who })
  const lost = (processor: number) => scheduler(5, 'lost', { processor })
  assert.equal(broken([refused(2)], LOSSY), [])
  assert.equal(broken([refused(0)], LOSSY), ['only a job that cannot start is refused'])
  assert.equal(broken([refused(0, 'u9')], LOSSY), [])
  assert.equal(broken([refused(0, 'u9')], { ...LOSSY, economy: { market: null } }).length, 1)
  assert.equal(broken([lost(0), lost(1), refused(0)], LOSSY), [])
  assert.equal(broken([lost(0), lost(1), scheduler(6, 'found', { processor: 0 }), refused(0)], LOSSY).length, 1)
})

test('extra time is sold piece by piece, and a job is stopped only if it was declined', () => {
  const extended = (end: number) => scheduler(9, 'extended', { job: 0, end: units(end) })
  const begun = given(1, 0, [0, 1])
  const paid = booked(9, 'extend', 0)
  const name = 'extra time is sold piece by piece'
  assert.equal(broken([begun, paid, extended(12), booked(12, 'extend', 0), extended(15)], LOSSY), [])
  assert.equal(broken([begun, paid, extended(12), extended(15)], LOSSY), [name])
  assert.equal(broken([begun, extended(12), extended(15)], { ...LOSSY, economy: { market: null } }), [])
  assert.equal(broken([begun, paid, extended(13)], LOSSY), [name])
  assert.equal(broken([begun, paid, extended(12)], { ...LOSSY, economy: { overrun: null } }), [name])
  assert.equal(broken([begun, booked(9, 'declined', 0), ended(9, 0, 'overrun')], LOSSY), [])
  assert.equal(broken([begun, paid, ended(9, 0, 'overrun')], LOSSY), [
    'a job is stopped only if its extra time was declined',
  ])
})

test('extra time is booked only when the paid time is over', () => {
  const name = 'extra time is booked only when the paid time is over'
  const paid = (at: number) => booked(at, 'extend', 0)
  const [begun, late] = [given(1, 0, [0, 1]), { ...LOSSY, outcome: { clocksJumped: true } }]
  assert.equal(broken([begun, paid(9), paid(12), paid(15)], LOSSY), [])
  assert.equal(broken([begun, paid(8.9)], LOSSY), [name])
  assert.equal(broken([begun, paid(9), paid(11.9)], LOSSY), [name], 'a piece lasts for 3')
  assert.equal(broken([begun, paid(9), paid(11.9)], late), [])
  assert.equal(broken([begun, paid(9), failed(10, 0), given(11, 0, [0, 1], 2), paid(19)], LOSSY), [])
  assert.equal(broken([begun, paid(9), failed(10, 0), given(11, 0, [0, 1], 2), paid(18)], LOSSY), [name])
})

test('no money is made or lost, and no account is overdrawn, as long as the bank keeps its book', () => {
  const [name, dies]: [string, Told] = ['no money is made or lost', [2, 'bank@hub', 'dies']]
  const [opened, charged] = [
    { received: 3, savings: 43, expenses: 10 },
    { received: 6, savings: 43, paid: 13 },
  ]
  const kept = [booked(1, 'opened', 0, opened), booked(2, 'charge', 0, charged)]
  assert.equal(broken(kept, LOSSY), [])
  assert.equal(broken([booked(1, 'opened', 0, { ...opened, savings: 43.02 })], LOSSY), [name])
  assert.equal(broken([...kept, booked(3, 'close', 0, { ...charged, paid: 12 })], LOSSY), [name])
  const below = [booked(1, 'opened', 0, { savings: 60, expenses: -10 })]
  assert.equal(broken(below, LOSSY), [name])
  assert.equal(broken(below, { ...LOSSY, outcome: { clocksJumped: true } }), [])
  const again = [dies, booked(3, 'opened', 0, { savings: 48 })]
  assert.equal(broken([...kept, ...again], LOSSY), [name])
  assert.equal(broken([...kept, ...again], { ...LOSSY, economy: { durable: false } }), [])
})

test('an execution is given the work of its job', () => {
  assert.equal(broken([given(1, 0, [0]), executed(2, 0, 'started', 0, units(7))], LOSSY), [
    'an execution is given the work of its job',
  ])
})

test('no living processor is taken for dead, unless a fault strikes it or mail is lost', () => {
  const lost = [scheduler(9, 'lost', { processor: 0 })]
  assert.equal(broken(lost), ['no living processor is taken for dead'])
  assert.equal(broken(lost, LOSSY), [])
  assert.equal(broken(lost, { faults: ['kill processor@p2 at 3'] }).length, 1)
  for (const fault of ['kill processor@p1 at 3', 'kill scheduler@hub at 3', 'partition hub | p1 at 3 until 5'])
    assert.equal(broken(lost, { faults: [fault] }), [], fault)
})

test('a failed attempt is not begun any more, and it is stopped', () => {
  const name = 'no processor begins or continues an attempt that has failed'
  const faults = ['kill processor@p2 at 4']
  const early = [given(1, 0, [0, 1]), failed(4, 0)]
  const begun = [given(1, 0, [0, 1]), executed(2, 0, 'started', 0), failed(4, 0)]
  assert.equal(broken([...early, executed(5, 0, 'started', 0), executed(5, 0, 'aborted', 0)], { faults }), [])
  assert.equal(broken([...early, executed(6, 0, 'started', 0), executed(6, 0, 'aborted', 0)], { faults }), [name, name])
  assert.equal(broken([...begun, executed(5, 0, 'aborted', 0)], { faults }), [])
  assert.equal(broken(begun, { faults }), [name], 'it goes on')
  assert.equal(broken([...begun, executed(10, 0, 'finished', 0)], { faults }), [name])
  assert.equal(broken([...begun, executed(10, 0, 'finished', 0)], LOSSY), [])
})

test('a processor that is found again does not continue an attempt that has failed, if no fault delays the order', () => {
  const name = 'a processor that is found again does not continue an attempt that has failed'
  const faults = ['pause processor@p1 for 5 at 3']
  const found = (at: number) => scheduler(at, 'found', { processor: 0 })
  const lost = [
    given(1, 0, [0, 1]),
    executed(2, 0, 'started', 0),
    scheduler(7, 'lost', { processor: 0 }),
    failed(7, 0),
    scheduler(7, 'passed', { starts: [] }),
  ]
  const stops = (at: number, type = 'aborted') => executed(at, 0, type, 0)
  assert.equal(broken([...lost, found(9), stops(10)], { faults }), [])
  assert.equal(broken([...lost, found(9), stops(11, 'finished')], { faults }), [name])
  assert.equal(broken([...lost, found(9)], { faults }), [name], 'it goes on')
  assert.equal(broken([...lost, found(7), stops(11, 'finished')], { faults }), [], 'the order may be late')
  assert.equal(broken([...lost.slice(0, 3), found(9), stops(11, 'finished')], { faults }), [], 'it has not failed')
  assert.equal(broken([...lost, found(9), stops(11, 'finished')], LOSSY), [])
})

test('without faults a job is accepted when it arrives, and ends when its work is done', () => {
  const changed = (find: Told, at: number) =>
    WHOLE.map((told) => (told === find ? ([at, told[1], told[2]] as Told) : told))
  const [, opened, taken, , , , , , over, heard] = WHOLE
  assert.ok(opened && taken && over && heard)
  assert.equal(broken(changed(opened, 1.5)), ['a job is accepted and gets an account when it arrives'])
  assert.equal(broken(changed(taken, 1.5)), ['a job is accepted and gets an account when it arrives'])
  assert.equal(broken(changed(heard, 13)), ['a job ends when its work is done, and its user hears of it'])
  assert.equal(broken(changed(over, 11.5)), [
    'a job that exceeds its paid time is asked to pay at once',
    'a job ends as soon as its parts are done and the scheduler is alive',
    'a job ends when its work is done, and its user hears of it',
    'a job ends when its work is done, and its user hears of it',
  ])
  assert.equal(broken(changed(heard, 13), LOSSY), [])
  assert.equal(broken([[0, 'user@u1', 'dies'], ...changed(heard, 13)]), [], 'a death that no fault plans')
})

test('the bank carries out in order what the scheduler asks', () => {
  const name = 'the bank carries out in order what the scheduler asks'
  const asked = [scheduler(1, 'passed', { starts: [0, 1] }), ended(5, 0), failed(5, 1)]
  const [first, second, close, refund] = [
    booked(2, 'charge', 0),
    booked(2, 'charge', 1),
    booked(6, 'close', 0),
    booked(6, 'refund', 1),
  ]
  assert.equal(broken([...asked, first, second, close, refund], LOSSY), [])
  assert.equal(broken([...asked, first, second, refund, close], LOSSY), [name], 'later ones are not judged')
  assert.equal(broken([...asked, second], LOSSY), [name])
  assert.equal(broken([...asked, first, second, close, booked(6, 'steered', 0), refund], LOSSY), [])
  const priced = scheduler(5, 'priced', { job: 0, cost: 3 })
  assert.equal(broken([priced, ended(6, 0, 'overrun'), booked(7, 'declined', 0), booked(7, 'close', 0)], LOSSY), [
    'a job is stopped only if its extra time was declined',
  ])
  assert.ok(broken([priced, ended(6, 0), booked(7, 'close', 0)], LOSSY).includes(name))
  const forgetful = { ...LOSSY, economy: { durable: false } }
  assert.not(broken([...asked, [6, 'bank@hub', 'dies'], second], forgetful).includes(name))
  assert.not(broken([...asked, second], { ...LOSSY, economy: { market: null } }).includes(name))
})

test('an attempt fails only if a processor of it is lost, dies or does not run it', () => {
  const name = 'an attempt fails only if a processor of it is lost, dies or does not run it'
  const begun = [given(1, 0, [0, 1]), executed(2, 0, 'started', 0), executed(2, 1, 'started', 0)]
  assert.equal(broken([...begun, failed(4, 0)], LOSSY), [name])
  assert.equal(broken([...begun, executed(3, 0, 'finished', 0), failed(4, 0)], LOSSY), [name], 'a part that is done')
  assert.equal(broken([...begun, executed(3, 0, 'aborted', 0), failed(4, 0)], LOSSY), [])
  assert.equal(broken([...begun, scheduler(3, 'lost', { processor: 1 }), failed(4, 0)], LOSSY), [])
  assert.equal(broken([...begun, scheduler(3, 'lost', { processor: 2 }), failed(4, 0)], LOSSY), [name])
  assert.equal(broken([...begun, [3, 'processor@p1', 'dies'], failed(4, 0)], LOSSY), [])
  assert.equal(broken([...begun.slice(0, 2), failed(4, 0)], LOSSY), [], 'a part that has not begun')
  const dies: Told = [1.5, SCHEDULER, 'dies']
  assert.equal(broken([...begun.slice(0, 1), dies, ...begun.slice(1), failed(4, 0)], LOSSY), [], 'it asks too early')
  assert.equal(broken([...begun, [3, SCHEDULER, 'dies'], failed(4, 0)], LOSSY), [name])
})

test('a pass follows at once when a job that waits may fit, unless a fault strikes the scheduler or the bank', () => {
  const name = 'a pass follows at once when a job that waits may fit'
  const passed = (at: number) => scheduler(at, 'passed', { starts: [] })
  const found = scheduler(5, 'found', { processor: 0 })
  const waits = [accepted(1, 0), passed(1)]
  assert.equal(broken([...waits, found, passed(5)]), [])
  assert.equal(broken([...waits, found, passed(6)]), [name])
  assert.equal(broken([found, passed(6)]), [], 'no job waits')
  assert.equal(broken([...waits, given(1, 1, [0, 1, 2]), accepted(3, 2), passed(5)]), [], 'no processor is idle')
  assert.equal(broken([...waits, found, passed(6)], LOSSY), [])
  assert.equal(broken([...waits, found, passed(6)], { faults: ['pause bank@hub for 5 at 1'] }), [])
  assert.equal(broken([...waits, found, passed(6)], { faults: ['kill processor@p1 at 1'] }), [name])
})

test('a job that exceeds its paid time is asked to pay at once', () => {
  const name = 'a job that exceeds its paid time is asked to pay at once'
  const faults = ['kill processor@p1 at 3']
  const [begun, priced] = [given(1, 0, [0, 1]), scheduler(11, 'priced', { job: 0, cost: 3 })]
  const later = (at: number) => scheduler(at, 'passed', { starts: [] })
  const extended = scheduler(11, 'extended', { job: 0, end: units(12) })
  const paid = booked(11, 'extend', 0)
  assert.equal(broken([begun, later(11)], { faults }), [])
  assert.equal(broken([begun, later(12)], { faults }), [name])
  assert.equal(broken([begun, priced, later(12)], { faults }), [])
  assert.equal(broken([begun, priced, paid, extended, later(14)], { faults }), [])
  assert.equal(broken([begun, priced, paid, extended, later(15)], { faults }), [name])
  assert.equal(broken([begun, failed(9, 0), later(9), later(15)], { faults }), [])
  assert.equal(broken([begun, later(15)], { faults, economy: { overrun: null } }), [])
})

test('a job ends as soon as its parts are done and the scheduler is alive', () => {
  const name = 'a job ends as soon as its parts are done and the scheduler is alive'
  const faults = ['restart scheduler@hub at 9.5']
  const done = WHOLE.slice(0, 8)
  const dies: Told = [9.5, SCHEDULER, 'dies']
  const passed = (at: number) => scheduler(at, 'passed', { starts: [] })
  assert.equal(broken([...done, passed(11), ended(11, 0)], { faults }), [])
  assert.equal(broken([...done, passed(12)], { faults }), [name])
  assert.equal(broken([...done.slice(0, 7), passed(12)], { faults }), [], 'one part is not done')
  const back = [...done.slice(0, 6), dies, ...done.slice(6, 8), passed(12)]
  assert.equal(broken([...back, passed(14)], { faults }), [], 'it asks, and is answered')
  assert.equal(broken([...back, passed(15)], { faults }), [name])
  assert.equal(
    broken([...done, [10, 'processor@p1', 'dies'], passed(12)], { faults: [...faults, 'kill processor@p1 at 10'] }),
    [],
  )
  assert.equal(broken([...done, passed(12)], { faults: ['pause scheduler@hub for 5 at 10'] }), [])
  const priced = scheduler(11, 'priced', { job: 0, cost: 3 })
  assert.equal(broken([...done, priced, passed(12)], { faults: ['pause processor@p3 for 5 at 10'] }), [name])
})

test('a search is told which jobs are left, and that their ends must come', () => {
  const watch = new Watch(ECONOMY, { options: complete({ network: { latency: units(1) } }), faults: [] })
  const promised = 'every job of a living user ends'
  const told = (dead: readonly Address[], isIdle: boolean) =>
    watch
      .violations({ isIdle, isSettled: isIdle, dead: new Set(dead), lost: 0, clocksJumped: false })
      .flatMap(({ property, eventually, text }) => (property === promised && eventually ? text : []))
  assert.is(watch.left(), 3)
  for (const [at, who, fact] of WHOLE) if (fact !== 'dies') watch.fold(fact, who, units(at))
  assert.is(watch.left(), 2)
  assert.equal(told([], false), ['job 1 did not', 'job 2 did not'])
  assert.equal(told([], true), ['job 1 did not', 'job 2 did not'])
  assert.equal(told(['user@u1'], true), [])
})

test.run()
