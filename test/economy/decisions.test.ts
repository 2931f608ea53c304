/** The decisions of the scheduler are judged by what it has told: each fault of a history is found. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { QuotedFact, SchedulerFact, Start } from '../../actors/economy/messages.ts'
import { type PolicyName, policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { units } from '../../lib/actor.ts'
import { BANK, type Economy, SCHEDULER } from '../../scenarios/economy/model.ts'
import { schedulerDecisions } from '../../scenarios/economy/oracle/scheduler-decisions.ts'
import { brokenBy, type Told } from '../histories.ts'

const test = suite('the decisions of the scheduler')

const ECONOMY: Economy = {
  processors: 4,
  jobs: [],
  durable: true,
  patience: units(10),
  overrun: { lasts: units(5), alpha: 0.1, grace: units(2) },
  policy: policyOf('ECON'),
  market: { sharing: STANDARD_SHARING, statistics: null },
  users: { u1: { income: 3, savings: 50, cap: 60, coefficients: [1, 1, 1], targets: null } },
}

/** What is wrong with the decisions of a history, without its instants. */
function wrongIn(history: readonly Told[], economy: Partial<Economy> = {}): string[] {
  return brokenBy(schedulerDecisions({ ...ECONOMY, ...economy }), history).map((text) =>
    text.replace(/^.*?: at [\d.]+ (it )?/, ''),
  )
}

const tells = (at: number, fact: SchedulerFact): Told => [at, SCHEDULER, fact]
const accepted = (at: number, job: number, processors: number, service: number): Told => {
  const request = { job, class: 1, processors, service: units(service), work: units(service), deposit: 0 } as const
  return tells(at, { type: 'accepted', user: 'u1', arrival: units(at), request })
}
type Balances = Readonly<Record<number, number | null>>
const quoted = (at: number, pass: string, balances: Balances): Told => {
  const fact: QuotedFact = {
    type: 'quoted',
    pass,
    jobs: Object.keys(balances).map(Number),
    balances: Object.values(balances),
  }
  return [at, BANK, fact]
}
type Reserved = readonly [job: number, start: number]
/** A pass that compares these balances, in order of the jobs. */
const passed = (
  at: number,
  offers: Readonly<Record<number, number>> | null,
  starts: readonly number[],
  reserved?: Reserved,
  skipped: readonly number[] = [],
): Told =>
  tells(at, {
    type: 'passed',
    reservation: reserved ? { job: reserved[0], start: units(reserved[1]) } : null,
    starts,
    skipped,
    ...(offers && {
      offers: { pass: `pass ${at}`, jobs: Object.keys(offers).map(Number), balances: Object.values(offers) },
    }),
  })
/** A pass with its quote. */
const pass = (at: number, offers: Readonly<Record<number, number>>, starts: readonly number[], reserved?: Reserved) => [
  quoted(at, `pass ${at}`, offers),
  passed(at, offers, starts, reserved),
]
const started = (at: number, job: number, processors: readonly number[], start: Partial<Start> = {}): Told =>
  tells(at, {
    type: 'started',
    user: 'u1',
    job,
    attempt: 1,
    kind: 'direct',
    decided: units(at),
    wasted: 0,
    price: 1,
    paid: 0,
    processors,
    ...start,
  })
const failed = (at: number, job: number, attempt = 1): Told => tells(at, { type: 'failed', user: 'u1', job, attempt })
const ended = (at: number, job: number): Told =>
  tells(at, { type: 'ended', user: 'u1', job, attempt: 1, why: 'finished' })
const lost = (at: number, processor: number): Told => tells(at, { type: 'lost', processor })
const found = (at: number, processor: number): Told => tells(at, { type: 'found', processor })

/** Job 0 has three of four processors until 10, for 30 dollars. */
const BUSY = [accepted(0, 0, 3, 10), ...pass(0, { 0: 30 }, [0]), started(0, 0, [0, 1, 2], { paid: 30 })]

test('the best offer per processor-minute is chosen, of equal ones the first to arrive', () => {
  const two = [accepted(0, 0, 2, 10), accepted(0, 1, 4, 10)]
  assert.equal(wrongIn([...two, ...pass(0, { 0: 30, 1: 40 }, [0], [1, 10])]), [])
  assert.equal(wrongIn([...two, ...pass(0, { 0: 20, 1: 40 }, [0], [1, 10])]), [])
  assert.equal(wrongIn([...two, ...pass(0, { 0: 10, 1: 40 }, [0], [1, 10])]), ['starts job 0 instead of job 1'])
  assert.equal(wrongIn([...two, ...pass(0, { 0: 30, 1: 40 }, [])]), ['starts no job instead of job 0'])
})

test('time that a job makes others waste counts in its offer', () => {
  const two = [...BUSY, accepted(2, 1, 4, 10), accepted(2, 2, 1, 20)]
  // 40 dollars for 40 processor-minutes and 8 wasted ones
  assert.equal(wrongIn([...two, ...pass(2, { 1: 40, 2: 18 }, [2])]), [])
  assert.equal(wrongIn([...two, ...pass(2, { 1: 40, 2: 18 }, [], [1, 10])]), ['starts no job instead of job 2'])
  assert.equal(wrongIn([...two, ...pass(2, { 1: 40, 2: 16 }, [], [1, 10])]), [])
})

test('backfill does not delay the reservation, and its order is that of the policy', () => {
  const three = [...BUSY, accepted(2, 1, 4, 10), accepted(2, 2, 1, 8), accepted(2, 3, 1, 4)]
  const balances = { 1: 90, 2: 1, 3: 2 }
  assert.equal(wrongIn([...three, ...pass(2, balances, [2], [1, 10])]), [])
  assert.equal(wrongIn([...three, ...pass(2, balances, [3], [1, 10])]), ['starts job 3 instead of job 2'])
  assert.equal(wrongIn([...three, ...pass(2, balances, [2], [1, 11])]), [
    'reserves for job 1 for 11 instead of job 1 for 10',
  ])
  const literal = policyOf('ECON', 'literal')
  assert.equal(wrongIn([...three, ...pass(2, balances, [3], [1, 10])], { policy: literal }), [])
  const long = [...BUSY, accepted(2, 1, 4, 10), accepted(2, 2, 1, 8.5)]
  assert.equal(wrongIn([...long, ...pass(2, { 1: 90, 2: 1 }, [2], [1, 10])]), ['starts job 2 instead of no job'])
})

test('a reservation stands until its job starts, or a job ends under the preset paper', () => {
  const two = [...BUSY, accepted(2, 1, 4, 10), ...pass(2, { 1: 90 }, [], [1, 10]), accepted(3, 2, 2, 9)]
  const keeps = [...two, ended(5, 0), ...pass(5, { 1: 1, 2: 90 }, [1])]
  const rescans = [...two, ended(5, 0), ...pass(5, { 1: 1, 2: 90 }, [2], [1, 14])]
  const literal = policyOf('ECON', 'literal')
  assert.equal(wrongIn(rescans), [])
  assert.equal(wrongIn(keeps), ['starts job 1 instead of job 2'])
  assert.equal(wrongIn(keeps, { policy: literal }), [])
  assert.equal(wrongIn(rescans, { policy: literal }), ['starts job 2 instead of job 1'])
})

test('a failed job waits at its old place', () => {
  const RES: Partial<Economy> = { policy: policyOf('RES' satisfies PolicyName), market: null }
  const history = (starts: readonly number[], reserved: Reserved) => [
    accepted(0, 0, 3, 10),
    passed(0, null, [0]),
    started(0, 0, [0, 1, 2], { price: 0 }),
    accepted(1, 1, 3, 10),
    passed(1, null, [], [1, 10]),
    failed(2, 0),
    tells(2, { type: 'refused', user: 'u1', job: 1, reason: 'none' }),
    accepted(2, 2, 3, 4),
    passed(2, null, starts, reserved),
  ]
  assert.equal(wrongIn(history([0], [2, 12]), RES), [])
  assert.equal(wrongIn(history([2], [0, 6]), RES), ['starts job 2 instead of job 0'])
})

test('a pass considers all jobs that waited before it, but those that the bank does not know', () => {
  const full = [...BUSY, accepted(1, 1, 2, 5), ...pass(1, { 1: 5 }, [], [1, 10])]
  const skips = passed(2, {}, [], undefined, [1])
  assert.equal(wrongIn([...full, quoted(2, 'pass 2', { 1: null }), skips]), [])
  assert.equal(wrongIn([...full, quoted(2, 'pass 2', {}), skips]), ['leaves job 1 out of a pass'])
  const arrived = [...full, accepted(2, 2, 3, 5), quoted(2, 'pass 2', { 1: 6 })]
  assert.equal(wrongIn([...arrived, passed(2, { 1: 6 }, [], [1, 10], [2])]), [])
  assert.equal(wrongIn([...arrived, passed(2, { 1: 6 }, [], [1, 10])]), ['compares job 1 instead of jobs 1,2'])
})

test('a pass decides with the balances that the bank quotes for it', () => {
  const one = accepted(0, 0, 3, 10)
  const twice = [one, quoted(0, 'pass 1', { 0: 3 }), quoted(1, 'pass 1', { 0: 6 })]
  assert.equal(wrongIn([...twice, passed(1, { 0: 3 }, [0])]), [], 'one answer of two')
  assert.equal(wrongIn([...twice, passed(1, { 0: 4 }, [0])]), ['job 0 has 4 in pass pass 1'])
  assert.equal(wrongIn([one, quoted(0, 'pass 0', { 0: 3 }), passed(1, { 0: 3 }, [0])]), ['job 0 has 3 in pass pass 1'])
})

test('a chosen job starts on its terms and on the first idle processors', () => {
  const chosen = [accepted(0, 0, 2, 10), ...pass(0, { 0: 20 }, [0])]
  assert.equal(wrongIn([...chosen, started(0, 0, [0, 1])]), [])
  assert.equal(wrongIn([...chosen, started(0, 0, [0, 2])]), ['starts job 0 on 0,2 and not on the first of 0,1,2,3'])
  assert.equal(wrongIn([...chosen, started(0, 0, [0, 1], { kind: 'backfill' })]), [
    'starts job 0 as backfill, which was chosen as direct',
  ])
  assert.equal(wrongIn([...chosen, started(0, 0, [0, 1], { price: 2 })]).length, 1)
  assert.equal(wrongIn([...chosen, started(0, 0, [0, 1], { wasted: 3 })]).length, 1)
  assert.equal(wrongIn([accepted(0, 0, 2, 10), started(0, 0, [0, 1])]), ['starts job 0, which no pass has chosen'])
})

test('a chosen job waits again only if too few processors are left', () => {
  const chosen = [...BUSY, accepted(2, 1, 1, 4), ...pass(2, { 1: 4 }, [1])]
  assert.equal(wrongIn([...chosen, failed(3, 1)]), ['does not start job 1, although 1 processors are idle'])
  const silent = [accepted(0, 0, 4, 1), ...pass(0, { 0: 4 }, [0]), started(0, 0, [0, 1, 2, 3]), failed(10, 0)]
  const again = [...silent, ...pass(10, { 0: 4 }, [0]), lost(12, 3)]
  assert.equal(wrongIn([...again, failed(13, 0, 2)]), [])
  assert.equal(wrongIn([...again, failed(13, 0, 1)]), ['fails attempt 1 of job 0, not attempt 2'])
})

test('a lost processor has had a job, and has been silent for as many inspections as the attempt', () => {
  assert.equal(wrongIn([...BUSY, lost(10, 1), failed(10, 0)]), [])
  assert.equal(wrongIn([...BUSY, lost(9, 1), failed(9, 0)]), ['loses processor 1 in attempt 1 of job 0 after 9'])
  assert.equal(wrongIn([...BUSY, [5, SCHEDULER, 'dies'], lost(12, 1), failed(12, 0)]), [
    'loses processor 1 in attempt 1 of job 0 after 7',
  ])
  assert.equal(wrongIn([...BUSY, lost(10, 3)]), ['loses processor 3, which had no job'])
  assert.equal(wrongIn([...BUSY, lost(10, 1), failed(10, 0), lost(20, 1)]), ['loses processor 1 again'])
  assert.equal(wrongIn([...BUSY, found(10, 1)]), ['finds processor 1, which is not lost'])
  assert.equal(wrongIn([...BUSY, lost(10, 1), ...pass(10, {}, [])]), [
    'lets job 0 run on, although a processor of it is lost',
  ])
})

test('extra time costs between the best offer and the mean price, once the time is over', () => {
  const priced = (at: number, cost: number) => tells(at, { type: 'priced', job: 0, cost })
  const weight = Math.exp(-0.5)
  const alone = (1 - weight) * 15
  assert.equal(wrongIn([...BUSY, priced(12, alone)]), [])
  assert.equal(wrongIn([...BUSY, priced(11, alone)]), ['sells extra time to job 0 before the end of its time'])
  assert.equal(wrongIn([...BUSY, priced(12, 15)]).length, 1)
  assert.equal(wrongIn([...BUSY, priced(12, alone), priced(13, alone)]), ['asks job 0 to pay twice for one piece'])
  const extended = tells(12, { type: 'extended', job: 0, end: units(15) })
  assert.equal(wrongIn([...BUSY, priced(12, alone), extended, priced(17, alone)]), [])
  // job 1 offers 40 dollars for 40 processor-minutes and 8 wasted ones
  const waits = [...BUSY, accepted(2, 1, 4, 10), ...pass(2, { 1: 40 }, [], [1, 10])]
  assert.equal(wrongIn([...waits, priced(12, alone + (weight * 15 * 40) / 48)]), [])
  assert.equal(wrongIn([...waits, priced(12, alone)]).length, 1)
})

test('nothing is asked without records, and where offers depend on rates', () => {
  const wrong = [accepted(0, 0, 2, 10), started(0, 0, [0, 1])]
  assert.equal(wrongIn(wrong, { durable: false }), [])
  assert.equal(wrongIn(wrong, { policy: policyOf('ECON', 'paper', { future: 'start' }) }), [])
})

test.run()
