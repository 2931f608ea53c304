/** The pure rules of contracts: yields, costs, ranks and quotes. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { added, emptyQueue, type Queue } from '../../actors/contracts/queue.ts'
import { isBelow, lowestOf, type Occupant, quote } from '../../actors/contracts/quote.ts'
import {
  bestOf,
  type Candidate,
  fieldOf,
  HEURISTICS,
  type Heuristic,
  inOrder,
  ranks,
  rounded,
} from '../../actors/contracts/ranks.ts'
import { leftOf, type Task, yieldOf } from '../../actors/contracts/values.ts'
import { units } from '../../lib/actor.ts'

const near = (one: number, other: number, what: string) =>
  assert.ok(
    one === other || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)),
    `${what}: ${one}, expected ${other}`,
  )

const task = (bound: number | null): Task => ({
  task: 1,
  arrival: units(5),
  runtime: units(10),
  worth: { shape: 'linear', value: 50, decay: 2, bound },
})

test('a task loses its decay in every unit of delay, down to its bound (equation 1)', () => {
  assert.is(yieldOf(task(null), units(21)), 38)
  assert.is(yieldOf(task(0), units(45)), 0)
  assert.is(yieldOf(task(20), units(45)), -10)
  assert.is(yieldOf(task(20), units(60)), -20)
  assert.is(yieldOf(task(20), units(12)), 50)
})

test('a task has nothing more to lose once its value and its bound are gone', () => {
  assert.is(leftOf(task(20), units(15)), 35)
  assert.is(leftOf(task(20), units(50)), 0)
  assert.is(leftOf(task(null), units(50)), Number.POSITIVE_INFINITY)
})

test('a task with the shape cliff loses all its value at once', () => {
  const cliff = { ...task(20), worth: { ...task(20).worth, shape: 'cliff' as const } }
  assert.is(yieldOf(cliff, units(49)), 50)
  assert.is(yieldOf(cliff, units(50)), -20)
})

const anyBound = fc.constantFrom(null, 0, 5, 40)
const anyCandidate = fc.record({
  arrival: fc.nat(20).map(units),
  runtime: fc.integer({ min: 1, max: 30 }).map(units),
  worth: fc.record({
    shape: fc.constant('linear' as const),
    value: fc.nat(100),
    decay: fc.nat(6),
    bound: anyBound,
  }),
})
const anyCandidates = fc
  .array(anyCandidate, { minLength: 1, maxLength: 12 })
  .map((list): Candidate[] =>
    list.map((one, i) => ({ ...one, task: i, remaining: Math.max(1, Math.round(one.runtime / (1 + (i % 2)))) })),
  )

const heuristic = (name: Heuristic['name'], alpha = 0.3, discount = 0.01): Heuristic => ({ name, alpha, discount })

test('the cost of running a task is the plain double sum (equation 4)', () => {
  fc.assert(
    fc.property(anyCandidates, fc.integer({ min: 20, max: 60 }).map(units), (candidates, now) => {
      const rank = ranks(heuristic('FirstReward', 0), fieldOf(candidates), now)
      for (const one of candidates) {
        const minutes = one.remaining / units(1)
        let cost = 0
        for (const other of candidates) {
          if (other === one || other.worth.decay === 0) continue
          cost += other.worth.decay * Math.min(minutes, leftOf(other, now + other.remaining))
        }
        near(rank(one), -cost / minutes, `task ${one.task}`)
      }
    }),
    { numRuns: 300 },
  )
})

test('FirstReward with alpha 1 is PV, and PV without discount is FirstPrice', () => {
  fc.assert(
    fc.property(anyCandidates, fc.nat(60).map(units), (candidates, now) => {
      const reward = ranks(heuristic('FirstReward', 1), fieldOf(candidates), now)
      const value = ranks(heuristic('PV'), fieldOf(candidates), now)
      const undiscounted = ranks(heuristic('PV', 0, 0), fieldOf(candidates), now)
      const price = ranks(heuristic('FirstPrice'), fieldOf(candidates), now)
      for (const one of candidates) {
        assert.is(reward(one), value(one))
        assert.is(undiscounted(one), price(one))
      }
    }),
  )
})

test('multiplying all values, decays and bounds by a constant changes no order', () => {
  fc.assert(
    fc.property(anyCandidates, fc.nat(60).map(units), fc.constantFrom(...HEURISTICS), (candidates, now, name) => {
      const times = candidates.map((one) => {
        const { value, decay, bound } = one.worth
        return {
          ...one,
          worth: { ...one.worth, value: 4 * value, decay: 4 * decay, bound: bound === null ? null : 4 * bound },
        }
      })
      const orderOf = (some: Candidate[]) =>
        inOrder(ranks(heuristic(name), fieldOf(some), now), some).map((one) => one.task)
      assert.equal(orderOf(times), orderOf(candidates))
    }),
  )
})

test('bestOf returns the first task of inOrder', () => {
  fc.assert(
    fc.property(anyCandidates, fc.nat(60).map(units), fc.constantFrom(...HEURISTICS), (candidates, now, name) => {
      const rank = ranks(heuristic(name), fieldOf(candidates), now)
      assert.is(bestOf(rank, candidates), inOrder(rank, candidates)[0])
    }),
  )
})

test('ranks are equal if they agree in forty bits, whatever the rounding of sums', () => {
  assert.is(rounded(0.1 + 0.2), rounded(0.3))
  assert.is.not(rounded(1), rounded(1 + 1e-11))
  assert.is(rounded(0), 0)
  assert.is(rounded(Number.NEGATIVE_INFINITY), Number.NEGATIVE_INFINITY)
})

test('a newcomer is promised its place in the order, on the processor that is free first', () => {
  const occupant: Occupant = { ...task(null), task: 9, remaining: units(4), end: units(24) }
  const waiting: Candidate = { ...task(null), task: 2, remaining: units(10) }
  const newcomer: Task = {
    task: 3,
    arrival: units(20),
    runtime: units(2),
    worth: { shape: 'linear', value: 1, decay: 1, bound: null },
  }
  const site = (name: Heuristic['name']) => ({
    now: units(20),
    idle: 0,
    running: [occupant],
    held: [],
    challengers: null,
    waiting: added(emptyQueue(heuristic(name)), waiting),
  })
  const last = quote(site('FirstPrice'), newcomer)
  assert.is(last.completion, units(36))
  assert.is(last.price, -13)
  assert.is(quote(site('SRPT'), newcomer).completion, units(26))
  assert.is(quote({ ...site('SRPT'), challengers: () => [] }, newcomer).completion, units(22))
  assert.is(quote({ ...site('SRPT'), running: [] }, newcomer).completion, Number.POSITIVE_INFINITY)
})

test('the slack of a task without decay is plus or minus infinity', () => {
  const site = {
    now: 0,
    idle: 1,
    running: [],
    held: [],
    waiting: emptyQueue(heuristic('FirstPrice')),
    challengers: null,
  }
  const patient = (value: number): Task => ({
    task: 1,
    arrival: 0,
    runtime: units(2),
    worth: { shape: 'linear', value, decay: 0, bound: null },
  })
  assert.is(quote(site, patient(5)).slack.units, Number.POSITIVE_INFINITY)
  assert.is(quote(site, patient(0)).slack.units, Number.POSITIVE_INFINITY)
  assert.is(quote(site, patient(-5)).slack.units, Number.NEGATIVE_INFINITY)
})

test('of two tasks of equal rank the one with the smaller number is promised the earlier place', () => {
  const at = (task: number, length: number): Candidate => ({
    task,
    arrival: 0,
    runtime: units(length),
    remaining: units(length),
    worth: { shape: 'linear', value: 100, decay: 0, bound: null },
  })
  const waiting = added(emptyQueue(heuristic('SRPT')), at(5, 4))
  const site = { now: 0, idle: 0, running: [{ ...at(0, 10), end: units(10) }], held: [], waiting, challengers: null }
  assert.is(quote(site, at(3, 4)).completion, units(14))
  assert.is(quote(site, at(7, 4)).completion, units(18))
})

test('a newcomer that outranks a running task is promised the start that the next dispatch will give it', () => {
  const at = (task: number, remaining: number): Candidate => ({
    task,
    arrival: 0,
    runtime: units(remaining),
    remaining: units(remaining),
    worth: { shape: 'linear', value: 100, decay: 0, bound: null },
  })
  const running = [0, 1].map((n): Occupant => ({ ...at(n, 20 + n), end: units(20 + n) }))
  const better = at(2, 5)
  const site = (challengers: readonly Candidate[]) => ({
    now: 0,
    idle: 0,
    running,
    held: [],
    waiting: added(emptyQueue(heuristic('SRPT')), better),
    challengers: () => challengers,
  })
  const completionOf = (challengers: readonly Candidate[], runtime: number) =>
    quote(site(challengers), { ...at(3, runtime), task: 3 }).completion
  // a task that has waited before may not preempt, so the newcomer begins at once although its rank is lower
  assert.is(completionOf([], 10), units(10))
  // a task of the same batch may, and takes the place of task 1; the newcomer takes that of task 0
  assert.is(completionOf([better], 10), units(10))
  // an idle processor takes the better task, and the newcomer the place of task 1
  const withIdle = { ...site([better]), idle: 1 }
  assert.is(quote(withIdle, { ...at(3, 20), task: 3 }).completion, units(20))
  // a newcomer that takes an idle processor displaces no running task, and costs it nothing
  const costly = running.map((one) => ({ ...one, worth: { ...one.worth, decay: 20 } }))
  const free = { ...site([]), idle: 1, running: costly, waiting: emptyQueue(heuristic('SRPT')) }
  assert.is(quote(free, { ...at(3, 10), task: 3 }).slack.units, Number.POSITIVE_INFINITY)
  // the newcomer does not outrank task 0, and begins when the other is done
  assert.is(completionOf([better], 20), units(5 + 20))
})

test('a slack that equals the threshold but for the rounding of sums is not below it', () => {
  const slow = (task: number): Candidate => ({
    task,
    arrival: units(1),
    runtime: units(20),
    remaining: units(20),
    worth: { shape: 'linear', value: 5, decay: 0.1, bound: null },
  })
  const empty: Queue = emptyQueue({ name: 'FirstPrice', alpha: 0, discount: 0 })
  const waiting = [1, 2, 3].reduce((queue, n) => added(queue, slow(n)), empty)
  const running = { ...task(null), task: 0, remaining: units(9), end: units(10) }
  const site = { now: units(1), idle: 0, running: [running], held: [], waiting, challengers: null }
  const newcomer = (value: number): Task => ({
    task: 4,
    arrival: units(1),
    runtime: units(10),
    worth: { shape: 'linear', value, decay: 1, bound: null },
  })
  const { slack } = quote(site, newcomer(12))
  assert.ok(slack.units !== 0 && Math.abs(slack.units) < 1e-12, 'the sum of three decays is not 0.3')
  assert.is(isBelow(slack, 0), false)
  assert.is(isBelow(quote(site, newcomer(12 - 1e-6)).slack, 0), true)
  assert.is(isBelow(quote(site, newcomer(12.7)).slack, 0.7), false)
  assert.is(isBelow(quote(site, newcomer(12.7)).slack, 0.700001), true)
  assert.is(isBelow({ units: 0, gain: 0, scale: 0, decay: 0 }, 0), false, 'a task without a value is no loss')
})

test('a running task without remaining time is not displaced', () => {
  const done = { ...task(0), remaining: 0 }
  const left = { ...task(0), remaining: units(1) }
  const rank = ({ remaining }: Candidate) => remaining
  assert.is(lowestOf([done, left], rank), left)
  assert.is(lowestOf([done], rank), null)
})

test.run()
