import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { collect } from '../../lib/cli/flags.ts'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { explorableOf } from '../../scenarios/lab/stages.ts'

const test = suite('exhaustive exploration')

const stage = (line: string) => {
  const { flags, stage } = explorableOf('bidding/market')
  return stage(collect(flags, line.split(' ')).given)
}

const all = { depth: Number.POSITIVE_INFINITY, schedules: 5000 }
const outcomes = (found: { readonly outcomes: ReadonlyMap<string, number> }) => [...found.outcomes.keys()].sort()

/** Runs with and without the reduction: where these numbers change, so has a protocol or what is taken to commute. */
const CLOSED: readonly (readonly [line: string, outcomes: number, reduced: number, every: number])[] = [
  ['--tasks 1 --speeds 1,1,2 --clients 2 --latency 1', 3, 88, 150],
  ['--tasks 1 --speeds 1,2 --clients 1 --latency 1 --clash commit', 2, 13, 22],
  ['--tasks 2 --speeds 1 --clients 2 --latency 1 --load 0.9', 1, 14, 102],
]

for (const [line, count, reduced, every] of CLOSED) {
  test(`finds the same ${count} outcomes with the reduction and without: ${line}`, async () => {
    const less = await exhaust({ stage: stage(line), reduce: true, ...all })
    const more = await exhaust({ stage: stage(line), reduce: false, ...all })
    assert.is(less.outcomes.size, count)
    assert.equal(outcomes(less), outcomes(more))
    assert.equal([less.schedules, more.schedules], [reduced, every])
    assert.equal([less.bound, more.bound, less.failures, more.failures], [undefined, undefined, [], []])
  })
}

test('says when a bound was reached, also one short of all', async () => {
  const [line, , reduced] = CLOSED[0] ?? ['', 0, 0]
  for (const most of [7, reduced - 1]) {
    const { bound, schedules } = await exhaust({ stage: stage(line), reduce: true, ...all, schedules: most })
    assert.equal([bound, schedules], ['schedules', most])
  }
})

test('stops when the time is up, with what was found until then', async () => {
  const late = new AbortController()
  const onRun = (runs: number) => runs === 3 && late.abort()
  const stopped = { ...all, late: late.signal, onRun }
  const { bound, schedules } = await exhaust({ stage: stage(CLOSED[0]?.[0] ?? ''), reduce: true, ...stopped })
  assert.equal([bound, schedules], ['time', 3])
})

test('goes no deeper than it may: two tasks, two clients, three contractors', async () => {
  const market = stage('--tasks 2 --speeds 1,1,2 --clients 2 --latency 1 --load 2')
  const found = await Promise.all([1, 2].map((depth) => exhaust({ stage: market, reduce: true, ...all, depth })))
  assert.equal(
    found.map(({ schedules, outcomes, failures }) => [schedules, outcomes.size, failures.length]),
    [
      [8, 3, 0],
      [52, 6, 0],
    ],
  )
})

test.run()
