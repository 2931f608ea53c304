/** The limits of orders about jobs: what is just accepted, and what is just refused. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Backing, Program, Submit } from '../../actors/processor/jobs.ts'
import { type Node, newNode } from '../../actors/processor/node.ts'
import type { Process } from '../../actors/processor/process.ts'
import { absent, MAX_PROCESSES, MOST_TICKETS, ofAmount, ofGrant, refusalOf } from '../../actors/processor/refusal.ts'
import { STANDARD } from '../../actors/processor/sharing.ts'
import { LEAST_TICKETS } from '../../actors/processor/stride.ts'
import { ref, units } from '../../lib/actor.ts'

const test = suite('refusals')

const FOREVER: Program = { kind: 'compute', work: null }

const sleeper = (name: string, order: number): Process => ({
  name,
  employer: ref('user@u'),
  task: null,
  since: 0,
  funding: { currency: 'base', amount: 1 },
  borrows: true,
  program: FOREVER,
  order,
  tickets: 1,
  extra: 0,
  pass: 0,
  lag: 0,
  doing: { type: 'computing', left: null },
  grants: [],
  bursts: 1,
  cpu: 0,
  burst: 0,
  asleepSince: 0,
  suspended: false,
})

const backing: readonly Backing[] = [{ currency: 'alice', amount: 1, holder: 'bob' }]
const EMPTY: Node = newNode(1, { ...STANDARD, funding: { alice: 1 } })
const nodeOf = (count: number): Node => {
  const sleepers = Array.from({ length: count }, (_, i) => sleeper(`j${i}`, i))
  return { ...EMPTY, away: new Map(sleepers.map((one) => [one.name, one])), view: { ...EMPTY.view, backing } }
}

const submit = (changes: Partial<Submit> = {}): Submit => ({
  type: 'submit',
  job: 'x',
  currency: 'base',
  amount: 1,
  program: FOREVER,
  ...changes,
})
const refusal = (changes: Partial<Submit>): string | null => refusalOf(nodeOf(1), submit(changes))
const ofProgram = (program: Program): string | null => refusal({ program })

test('a machine has the most processes, and no more', () => {
  assert.is(refusalOf(nodeOf(MAX_PROCESSES - 1), submit()), null)
  assert.is(refusalOf(nodeOf(MAX_PROCESSES), submit()), '10000 processes (MAX_PROCESSES) are here already')
})

test('a job has a name that no other job has here, and that can be a key', () => {
  assert.is(refusal({ job: 'j0' }), 'j0 is here already')
  assert.is(refusal({ job: '__proto__' }), '__proto__ cannot be a name')
  assert.is(refusal({ job: 'constructor' }), null)
})

test('an order is about a job that is here', () => {
  assert.is(absent(nodeOf(1), { job: 'j0' }), null)
  assert.is(absent(nodeOf(1), { job: 'j1' }), 'there is no job j1 here')
})

test('a job holds tickets of a currency that is funded or backed', () => {
  for (const currency of ['base', 'alice', 'bob']) assert.is(refusal({ currency }), null, currency)
  for (const currency of ['carol', 'constructor']) assert.is(refusal({ currency }), `unknown currency ${currency}`)
})

const RANGE = 'tickets must be from 0.000001 (LEAST_TICKETS) to 1000000000 (MOST_TICKETS), not '
test('a job holds tickets within the limits', () => {
  for (const amount of [LEAST_TICKETS, 1, MOST_TICKETS]) assert.is(ofAmount(amount), null, String(amount))
  for (const amount of [0, -1, Number.NaN]) assert.is(ofAmount(amount), `tickets must be more than 0, not ${amount}`)
  for (const amount of [LEAST_TICKETS * 0.99, MOST_TICKETS + 1]) assert.is(ofAmount(amount), `${RANGE}${amount}`)
  assert.is(refusal({ amount: MOST_TICKETS + 1 }), `${RANGE}1000000001`)
})

test('a grant has tickets and a time within the limits', () => {
  const of = (extra: number, lasts: number) => ofGrant({ type: 'grant', job: 'j0', extra, lasts })
  for (const extra of [MOST_TICKETS, 0, -MOST_TICKETS]) assert.is(of(extra, 1), null, String(extra))
  for (const extra of [MOST_TICKETS + 1, -MOST_TICKETS - 1, Number.NaN]) {
    assert.is(of(extra, 1), `exhaustible tickets must be a number up to 1000000000 (MOST_TICKETS), not ${extra}`)
  }
  assert.is(of(1, 0), 'a grant must take more than 0 units, not 0')
})

test('work takes time, and a whole number of the smallest parts', () => {
  const of = (work: number | null) => ofProgram({ kind: 'compute', work })
  for (const work of [null, 1, Number.MAX_SAFE_INTEGER]) assert.is(of(work), null, String(work))
  assert.is(of(0), 'its work must take more than 0 units, not 0')
  assert.is(of(units(-1)), 'its work must take more than 0 units, not -1')
  assert.is(of(0.5), 'its work must take more than 0 units, not 5e-7')
})

test('each burst takes time, and each sleep none or more', () => {
  const of = (...bursts: readonly (readonly [run: number, sleep: number])[]) =>
    ofProgram({ kind: 'bursts', bursts: bursts.map(([run, sleep]) => ({ run, sleep })), cycles: 1 })
  assert.is(of(), 'a program of bursts needs at least one burst')
  assert.is(of([1, 0]), null)
  assert.is(of([1, 0], [1, 1]), null)
  assert.is(of([0, 1]), 'a burst must take more than 0 units, not 0')
  assert.is(of([1, 0], [units(-2), 1]), 'a burst must take more than 0 units, not -2')
  assert.is(of([1, 0], [1, units(-1)], [0, 0]), 'a sleep must take 0 or more units, not -1')
})

test('the run and the period of a periodic program take time', () => {
  const of = (run: number, period: number) => ofProgram({ kind: 'periodic', run, period, cycles: null })
  assert.is(of(1, 1), null)
  assert.is(of(0, 1), 'its run must take more than 0 units, not 0')
  assert.is(of(1, 0), 'its period must take more than 0 units, not 0')
})

test('a member of a parallel job has a granularity, an imbalance below 2, and a limit for its spinning', () => {
  const of = (changes: { imbalance?: number; granularity?: number; spin?: number | null }) =>
    ofProgram({
      kind: 'parallel',
      barrier: ref('barrier@p'),
      rank: 0,
      imbalance: 0,
      granularity: 1,
      spin: null,
      ...changes,
    })
  for (const changes of [{}, { spin: 0 }, { spin: 1 }, { imbalance: 1.99 }]) assert.is(of(changes), null)
  for (const imbalance of [2, -0.1, Number.NaN]) {
    assert.is(of({ imbalance }), `imbalance must be from 0 to less than 2, not ${imbalance}`)
  }
  assert.is(of({ granularity: 0 }), 'its granularity must take more than 0 units, not 0')
  assert.is(of({ spin: units(-1) }), 'its spin limit must take 0 or more units, not -1')
})

test.run()
