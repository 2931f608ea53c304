import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mix } from '../../lib/core/random.ts'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import type { LockInput } from '../fixtures/actors/lock.ts'

const test = suite('orders that matter')

const MODULE = new URL('../fixtures/actors/lock.ts', import.meta.url)
const KEYS = 4
const STATES = 3

type Lock = Pick<LockInput, 'table' | 'shown'>

/** Draws a lock; in some locks few keys affect each other. */
function drawLock(seed: number): Lock {
  const table = Array.from({ length: KEYS }, (_, key) =>
    Array.from({ length: STATES }, (_, state) =>
      mix(seed, key, state) % 3 === 0 ? mix(seed, key, state, 1) % STATES : state,
    ),
  )
  return { table, shown: Array.from({ length: KEYS }, (_, key) => key).filter((key) => mix(seed, key) % 2 === 0) }
}

/** A run whose actors each press one key, all at once. */
function stageOf(lock: Lock): Specification {
  return {
    options: { seed: 1 },
    faults: [],
    addresses: ['lock@m', ...presser],
    tasks: 1,
    only: () => stageOf(lock),
    open: async (system) => {
      const shown: string[] = []
      system.onFact(({ key, state }) => shown.push(`${key}:${state}`))
      await system.spawn('lock@m', MODULE, { ...lock, presses: null })
      for (const [key, who] of presser.entries()) {
        await system.spawn(who, MODULE, { ...lock, presses: { lock: 'lock@m', key } })
      }
      return { outcome: () => shown.sort().join(), violations: () => [] }
    },
  }
}

const presser = Array.from({ length: KEYS }, (_, key) => `presser-${key}@m` as const)

/** The states that the lock shows for one order of the keys, sorted. */
function shownBy({ table, shown }: Lock, order: readonly number[]): string {
  let state = 0
  const seen: string[] = []
  for (const key of order) {
    state = table[key]?.[state] ?? state
    if (shown.includes(key)) seen.push(`${key}:${state}`)
  }
  return seen.sort().join()
}

const orders = (keys: readonly number[]): number[][] =>
  keys.length === 0 ? [[]] : keys.flatMap((key) => orders(keys.filter((k) => k !== key)).map((rest) => [key, ...rest]))

test('are all tried: the reduction loses no outcome of any order', async () => {
  const all = orders([...Array(KEYS).keys()])
  let saved = 0
  for (const seed of [0, 1, 2, 6, 7, 8, 65, 85, 99]) {
    const lock = drawLock(seed)
    const expected = [...new Set(all.map((order) => shownBy(lock, order)))].sort()
    const found = await exhaust({
      specification: stageOf(lock),
      reduce: true,
      depth: Number.POSITIVE_INFINITY,
      schedules: 500,
    })
    assert.is(found.bound, undefined)
    assert.equal([...found.outcomes.keys()].sort(), expected, `seed ${seed}`)
    assert.is(found.orders, all.length)
    saved += all.length - found.schedules
  }
  assert.ok(saved > 0)
})

test('are all orders, each once, without the reduction', async () => {
  const specification = stageOf(drawLock(1))
  const found = await exhaust({ specification, reduce: false, depth: Number.POSITIVE_INFINITY, schedules: 500 })
  assert.is(found.orders, 24)
})

test.run()
