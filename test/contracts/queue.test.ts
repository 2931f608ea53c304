/** The queue finds the same next task as a plain transcription of the formulas of the paper. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { added, allOf, emptyQueue, fieldWith, firstOf, type Queue, removed } from '../../actors/contracts/queue.ts'
import {
  bestOf,
  type Candidate,
  fieldOf,
  HEURISTICS,
  type Heuristic,
  ranks,
  rounded,
} from '../../actors/contracts/ranks.ts'
import { toUnits, units } from '../../lib/actor.ts'
import { repeats } from '../repeats.ts'

const FORTY_BITS = 2 ** 40

/** Ranks by equations 1 to 6 as they stand, each candidate against all others, without rounding. */
function plainRank({ name, alpha, discount }: Heuristic, all: readonly Candidate[], now: number) {
  const delayOf = (one: Candidate) => Math.max(0, toUnits(now + one.remaining - one.arrival - one.runtime))
  const floorOf = ({ worth }: Candidate) => (worth.bound === null ? Number.NEGATIVE_INFINITY : -worth.bound)
  const yieldOf = (one: Candidate) => Math.max(one.worth.value - one.worth.decay * delayOf(one), floorOf(one))
  const leftOf = (one: Candidate) =>
    one.worth.bound === null || one.worth.decay === 0
      ? Number.POSITIVE_INFINITY
      : Math.max(0, (one.worth.value + one.worth.bound) / one.worth.decay - delayOf(one))
  return (one: Candidate): number => {
    const rpt = toUnits(one.remaining)
    const pv = yieldOf(one) / (1 + discount * rpt)
    let cost = 0
    for (const other of all) if (other !== one) cost += other.worth.decay * Math.min(rpt, leftOf(other))
    const rank: Record<Heuristic['name'], number> = {
      FCFS: -one.arrival,
      SRPT: -rpt,
      SWPT: one.worth.decay / rpt,
      FirstPrice: yieldOf(one) / rpt,
      PV: pv / rpt,
      FirstReward: (alpha * pv - (1 - alpha) * cost) / rpt,
    }
    return rank[name]
  }
}

/** Rounds a number to 40 bits after the first. */
function toFortyBits(value: number): number {
  if (Math.abs(value) < 1e-290) return value
  let unit = 1
  while (Math.abs(value) >= 2 * unit) unit *= 2
  while (Math.abs(value) < unit) unit /= 2
  return (Math.round((value / unit) * FORTY_BITS) / FORTY_BITS) * unit
}

/** The first in the order of the plain ranks. */
function plainFirst(heuristic: Heuristic, waiting: readonly Candidate[], others: readonly Candidate[], now: number) {
  const rank = plainRank(heuristic, [...waiting, ...others], now)
  return waiting.toSorted((one, other) => toFortyBits(rank(other)) - toFortyBits(rank(one)) || one.task - other.task)[0]
}

const queueOf = (heuristic: Heuristic, waiting: readonly Candidate[]): Queue =>
  waiting.reduce<Queue>((queue, one) => added(queue, one), emptyQueue(heuristic))

function quickFirst(heuristic: Heuristic, waiting: readonly Candidate[], others: readonly Candidate[], now: number) {
  const queue = queueOf(heuristic, waiting)
  const field = fieldWith(queue, others)
  return firstOf(queue, field, ranks(heuristic, field, now))
}

/** Halves and powers of two: every number on the way is exact, and equal ranks are common. */
const exact = {
  runtime: fc.constantFrom(1, 2, 4, 8).map(units),
  decay: fc.nat(3),
  alpha: fc.constantFrom(0, 0.5, 1),
  discount: fc.constant(0),
}
const any = {
  runtime: fc.integer({ min: 1, max: 30 }).map(units),
  decay: fc.double({ min: 0, max: 5, noNaN: true }),
  alpha: fc.constantFrom(0, 0.3, 0.9, 1),
  discount: fc.constantFrom(0, 0.01),
}

const anyCase = (
  { runtime, decay, alpha, discount }: typeof exact | typeof any,
  bound: fc.Arbitrary<number | null>,
) => {
  const one = fc.record({
    arrival: fc.nat(20).map(units),
    runtime,
    worth: fc.record({ shape: fc.constant('linear' as const), value: fc.nat(64), decay, bound }),
  })
  return fc.record({
    heuristic: fc.record({ name: fc.constantFrom(...HEURISTICS), alpha, discount }),
    candidates: fc
      .array(one, { minLength: 1, maxLength: 14 })
      .map((list) =>
        list.map((each, task): Candidate => ({ ...each, task, remaining: each.runtime / (1 + (task % 2)) })),
      ),
    /** The number of candidates that run; the others wait. */
    running: fc.nat(3),
    now: fc.integer({ min: 20, max: 60 }).map(units),
  })
}

test('a rank is rounded to the nearest number of 40 bits after the first', () => {
  const sized = fc.double({ noNaN: true, min: -1e290, max: 1e290 }).filter((value) => Math.abs(value) > 1e-290)
  fc.assert(
    fc.property(sized, (value) => {
      const near = rounded(value)
      assert.is(toFortyBits(near), near)
      assert.is(Math.abs(near - value), Math.abs(toFortyBits(value) - value))
    }),
    { numRuns: repeats(5000) },
  )
  assert.is(rounded(1 + 2 ** -40), 1 + 2 ** -40)
  assert.is(rounded(1 + 2 ** -42), 1)
  for (const value of [Number.MIN_VALUE, Number.MAX_VALUE, Number.NEGATIVE_INFINITY]) assert.is(rounded(value), value)
})

const BOUNDS = {
  'unbounded penalties': fc.constant(null),
  'bounded and unbounded penalties': fc.constantFrom(null, 0, 8, 32),
}

for (const [name, bound] of Object.entries(BOUNDS)) {
  test(`${name}: the queue finds the first task of the plain formulas, equal ranks by number`, () => {
    fc.assert(
      fc.property(anyCase(exact, bound), ({ heuristic, candidates, running, now }) => {
        const [others, waiting] = [candidates.slice(0, running), candidates.slice(running)]
        assert.is(quickFirst(heuristic, waiting, others, now), plainFirst(heuristic, waiting, others, now))
      }),
      { numRuns: repeats(2000) },
    )
  })

  test(`${name}: for arbitrary numbers the queue finds that task too, or one whose rank differs only by rounding`, () => {
    fc.assert(
      fc.property(anyCase(any, bound), ({ heuristic, candidates, running, now }) => {
        const [others, waiting] = [candidates.slice(0, running), candidates.slice(running)]
        const rank = plainRank(heuristic, candidates, now)
        const [quick, plain] = [quickFirst, plainFirst].map((first) => first(heuristic, waiting, others, now))
        if (!quick || !plain) return assert.is(quick, plain)
        const apart = Math.abs(rank(quick) - rank(plain))
        // sums of dozens, each exact to 53 bits
        const scale = candidates.reduce((sum, { worth }) => sum + worth.decay + worth.value, 0)
        if (quick !== plain) assert.ok(apart <= Math.abs(rank(plain)) / FORTY_BITS + scale * 1e-14, `${apart}`)
      }),
      { numRuns: repeats(1000) },
    )
  })
}

const UNBOUNDED: Heuristic = { name: 'FirstReward', alpha: 0, discount: 0.01 }

const waits = (task: number, decay: number): Candidate => ({
  task,
  arrival: 0,
  runtime: units(4),
  remaining: units(4),
  worth: { shape: 'linear', value: 10, decay, bound: null },
})

test('ranks that agree in forty bits are equal, and the lower number is first', () => {
  const others = [waits(9, 1)]
  const first = (more: number) =>
    quickFirst(UNBOUNDED, [waits(1, 1), waits(2, 1 + more), waits(3, 1 + more / 2)], others, 0)
  assert.is(first(2 ** -45)?.task, 1)
  assert.is(first(2 ** -36)?.task, 2)
  assert.is(first(0)?.task, 1)
})

test('with an alpha of 0 the queue looks at few tasks if no task can expire, and at all tasks otherwise', () => {
  const looked = (waiting: readonly Candidate[], ...others: readonly Candidate[]): number => {
    const queue = queueOf(UNBOUNDED, waiting)
    const field = fieldWith(queue, others)
    const rank = ranks(UNBOUNDED, field, 0)
    let times = 0
    const first = firstOf(queue, field, (one) => {
      times += 1
      return rank(one)
    })
    assert.is(first, bestOf(ranks(UNBOUNDED, fieldOf([...waiting, ...others]), 0), waiting))
    return times
  }
  const thousand = Array.from({ length: 1000 }, (_, i) => waits(i, 1 + (i % 7)))
  assert.is(looked(thousand), 2)
  assert.is(looked(thousand.map((one) => ({ ...one, worth: { ...one.worth, decay: 3 } }))), 1)
  const bounded = { ...waits(1000, 1), worth: { ...waits(1000, 1).worth, bound: 0 } }
  assert.is(looked([...thousand, bounded]), 1001)
  assert.is(looked(thousand, bounded), 1000)
})

test('a removed task is gone from the queue and from its sums', () => {
  for (const name of HEURISTICS) {
    const heuristic: Heuristic = { name, alpha: 0, discount: 0 }
    const bounded = { ...waits(3, 2), worth: { ...waits(3, 2).worth, bound: 0 } }
    const queue = removed(queueOf(heuristic, [waits(1, 1), waits(2, 2), bounded]), bounded)
    assert.equal(queue, queueOf(heuristic, [waits(2, 2), waits(1, 1)]))
    assert.equal(
      allOf(queue)
        .map(({ task }) => task)
        .toSorted(),
      [1, 2],
    )
    assert.is(fieldWith(queue, []).expires, false)
    assert.is(fieldWith(queue, []).decay, 3)
  }
})

test.run()
