/** Linearizability and sequential consistency: known histories, and random ones against a search through all orders. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BourseError } from '../../lib/core/error.ts'
import {
  linearizable,
  type RegisterInput,
  register,
  sequentiallyConsistent,
} from '../../lib/scenario/promises/consistency.ts'
import { type Call, History, type Operation } from '../../lib/scenario/promises/operations.ts'
import type { Reads } from '../../lib/scenario/promises/safety.ts'
import { explain, type SequentialObject } from '../../lib/scenario/promises/sequential-search.ts'

const test = suite('consistency of operations')

type Op = Operation<RegisterInput, unknown>

const read = (process: string, called: number, at: number, output: unknown, key?: string): Op => ({
  process,
  input: register.read(key),
  called,
  returned: { at, output },
})
const write = (process: string, called: number, at: number | null, value: unknown, key?: string): Op => ({
  process,
  input: register.write(value, key),
  called,
  returned: at === null ? undefined : { at, output: null },
})

const most = { configurations: 100_000 }
const isLinear = (...operations: readonly Op[]) =>
  explain(operations, register, { ...most, isRealTime: true }).length === 0
const isSequential = (...operations: readonly Op[]) =>
  explain(operations, register, { ...most, isRealTime: false }).length === 0

test('a read that overlaps a write may see the old value or the new one', () => {
  assert.ok(isLinear(write('a', 1, 4, 1), read('b', 2, 3, null)))
  assert.ok(isLinear(write('a', 1, 4, 1), read('b', 2, 3, 1)))
  assert.not(isLinear(write('a', 1, 4, 1), read('b', 2, 3, 2)))
})

test('a read after a write sees it, unless only the order of each process counts', () => {
  const stale = [write('a', 1, 2, 1), read('b', 3, 4, null)]
  assert.not(isLinear(...stale))
  assert.ok(isSequential(...stale))
  assert.not(isSequential(write('a', 1, 2, 1), read('a', 3, 4, null)))
})

test('two reads never see a new value and then the old one', () => {
  const back = [write('a', 1, 9, 1), read('b', 2, 3, 1), read('c', 4, 5, null)]
  assert.not(isLinear(...back))
  assert.ok(isSequential(...back))
  assert.not(isSequential(write('a', 1, 9, 1), read('b', 2, 3, 1), read('b', 4, 5, null)))
})

test('a return and a call at the same instant may come in either order, but not those of one process', () => {
  assert.ok(isLinear(write('a', 1, 2, 1), read('b', 2, 3, null)))
  assert.not(isLinear(write('a', 1, 2, 1), read('a', 2, 3, null)))
})

test('an operation without a return may take effect late or never, but not before its call', () => {
  const open = write('a', 3, null, 1)
  assert.ok(isLinear(open, read('b', 4, 5, null), read('b', 6, 7, 1)))
  assert.ok(isLinear(open, read('b', 4, 5, null)))
  assert.not(isLinear(open, read('b', 1, 2, 1)))
  assert.ok(isSequential(open, read('b', 1, 2, 1)))
  assert.not(isSequential(write('a', 1, 2, 7), write('a', 3, null, 1), read('b', 4, 5, 1), read('b', 6, 7, 7)))
})

test('sequential consistency does not hold of an object just because it holds of its parts', () => {
  // each process writes one key and then reads the other one before the other write (Dekker)
  const both = [
    write('a', 1, 2, 1, 'x'),
    read('a', 3, 4, null, 'y'),
    write('b', 1, 2, 1, 'y'),
    read('b', 3, 4, null, 'x'),
  ]
  const keys: SequentialObject<Readonly<Record<string, unknown>>, RegisterInput, unknown> = {
    initial: {},
    apply: (state, input) => {
      const key = input.key ?? ''
      return input.type === 'write' ? [{ ...state, [key]: input.value }, null] : [state, state[key] ?? null]
    },
  }
  assert.not(explain(both, keys, { ...most, isRealTime: false }).length === 0)
  for (const key of ['x', 'y']) assert.ok(isSequential(...both.filter(({ input }) => input.key === key)))
})

test('a violation shows the longest order and what cannot follow', () => {
  const [text] = explain([write('a', 1, 2, 1), read('b', 3, 4, 2)], register, { ...most, isRealTime: true })
  assert.is(
    text,
    'no order explains the 2 operations: after a {"type":"write","value":1} -> null, none of these can come next: b {"type":"read"} -> 2',
  )
})

test('a history that needs more configurations than the limit ends with an error that names the option', () => {
  const many = Array.from({ length: 8 }, (_, i) => write(`p${i}`, 1, 99, i))
  const all = [...many, read('r', 1, 99, 'never')]
  assert.throws(
    () => explain(all, register, { configurations: 50, isRealTime: true }),
    (error: unknown) =>
      error instanceof BourseError &&
      error.code === 'BOURSE_LIMIT' &&
      /^the order of 9 operations needs more than 50 configurations \(option configurations\)/.test(error.message),
  )
  assert.is(explain(all, register, { ...most, isRealTime: true }).length, 1)
})

test('the promises read calls and returns from facts, each part of the object on its own', () => {
  const facts: readonly (readonly [number, Call<RegisterInput, unknown>])[] = [
    [1, { type: 'calls', process: 'a', input: { type: 'write', key: 'x', value: 1 } }],
    [2, { type: 'returns', process: 'a', output: null }],
    [3, { type: 'calls', process: 'b', input: { type: 'read', key: 'y' } }],
    [4, { type: 'returns', process: 'b', output: null }],
    [5, { type: 'calls', process: 'b', input: { type: 'read', key: 'x' } }],
    [6, { type: 'returns', process: 'b', output: null }],
    [7, { type: 'returns', process: 'b', output: 5 }],
  ]
  const callOf: Reads<Call<RegisterInput, unknown>> = ({ fact }) => facts[Number(fact['n'])]?.[1]
  for (const [make, broken] of [
    [linearizable, 1],
    [sequentiallyConsistent, 0],
  ] as const) {
    const monitor = make('the register', register, callOf).watch()
    for (const [n, [at]] of facts.entries()) monitor.fold?.({ fact: { type: 'call', n }, who: 'a@1', at })
    assert.is(
      monitor.broken({ isIdle: true, isSettled: true, dead: new Set(), lost: 0, clocksJumped: false }).length,
      broken,
    )
  }
})

// --- random histories ---------------------------------------------------------------------------------------------------

/** Whether some order of all returned operations, and of some of the others, is explained: every order is tried. */
function isExplained(operations: readonly Op[], comesBefore: (one: Op, other: Op) => boolean): boolean {
  const search = (state: unknown, left: readonly Op[]): boolean => {
    if (left.every(({ returned }) => !returned)) return true
    return left.some((one) => {
      if (left.some((other) => other !== one && comesBefore(other, one))) return false
      const [next, output] = register.apply(state, one.input)
      if (one.returned && output !== one.returned.output) return false
      return search(
        next,
        left.filter((other) => other !== one),
      )
    })
  }
  return search(null, operations)
}

const inOrder = (one: Op, other: Op): boolean => one.process === other.process && one.called < other.called
const inTime = (one: Op, other: Op): boolean =>
  inOrder(one, other) || (one.returned !== undefined && one.returned.at < other.called)

/** Histories of three processes, in which each call comes after the return of the last one. */
const histories = fc
  .array(
    fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 3 }),
        takes: fc.integer({ min: 0, max: 4 }),
        value: fc.integer({ min: 0, max: 2 }),
        writes: fc.boolean(),
        hangs: fc.integer({ max: 5 }),
      }),
      { maxLength: 3 },
    ),
    { maxLength: 3 },
  )
  .map((processes) =>
    processes.flatMap((calls, i) => {
      let at = 0
      return calls.map(({ gap, takes, value, writes, hangs }, n): Op => {
        const called = at + gap + (n > 0 ? 0.5 : 0)
        at = called + takes
        const returnedAt = hangs === 0 ? null : at
        const process = `p${i}`
        if (writes) return write(process, called, returnedAt, value)
        const made = read(process, called, at, value === 0 ? null : value)
        return returnedAt === null ? { ...made, returned: undefined } : made
      })
    }),
  )

for (const [name, isRealTime, comesBefore] of [
  ['linearizability', true, inTime],
  ['sequential consistency', false, inOrder],
] as const) {
  test(`${name} of random histories is what a search through all orders says`, () => {
    const told = { yes: 0, no: 0 }
    const property = fc.property(histories, (operations) => {
      const expected = isExplained(operations, comesBefore)
      told[expected ? 'yes' : 'no']++
      assert.is(explain(operations, register, { ...most, isRealTime }).length === 0, expected)
    })
    fc.assert(property, { seed: 7, numRuns: 2000 })
    assert.ok(told.yes > 200 && told.no > 200, JSON.stringify(told))
  })
}

test('an object is linearizable if each part of it is (P-compositionality)', () => {
  const property = fc.property(histories, histories, (one, other) => {
    const keyed = (operations: readonly Op[], key: string) =>
      operations.map((op) => ({ ...op, input: { ...op.input, key } }))
    const all = [...keyed(one, 'x'), ...keyed(other, 'y').map((op) => ({ ...op, process: `q${op.process}` }))]
    const whole: SequentialObject<Readonly<Record<string, unknown>>, RegisterInput, unknown> = {
      initial: {},
      apply: (state, input) => {
        const [next, output] = register.apply(state[input.key ?? ''] ?? null, input)
        return [{ ...state, [input.key ?? '']: next }, output]
      },
    }
    const parts = new History(all).parts(register.partOf)
    assert.is(
      parts.every(({ operations }) => isLinear(...operations)),
      explain(all, whole, { ...most, isRealTime: true }).length === 0,
    )
  })
  fc.assert(property, { seed: 3, numRuns: 300 })
})

test.run()
