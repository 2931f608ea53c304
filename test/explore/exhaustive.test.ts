import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { ReplayScheduler } from '../../lib/explore/schedulers.ts'
import { collect } from '../../lib/scenario/flags.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'

const test = suite('exhaustive exploration')

const specification = (line: string) => {
  const { flags, specification } = scenarioNamed('bidding/market')
  return specification(collect(flags, line.split(' ')).given)
}

const all = { depth: Number.POSITIVE_INFINITY, schedules: 5000 }
const outcomes = (found: { readonly outcomes: ReadonlyMap<string, number> }) => [...found.outcomes.keys()].sort()

/** The runs with and without the reduction. These numbers change only with a protocol or its reports. */
const CLOSED: readonly (readonly [line: string, outcomes: number, reduced: number, every: number])[] = [
  ['--tasks 1 --speeds 1,1,2 --clients 2 --latency 1', 3, 15, 54],
  ['--tasks 1 --speeds 1,1,2 --clients 2 --latency 1 --jitter 1', 3, 15, 54],
  ['--tasks 1 --speeds 1,2 --clients 1 --latency 1 --clash commit', 2, 4, 10],
  ['--tasks 2 --speeds 1 --clients 2 --latency 1 --load 0.9', 1, 6, 31],
]

for (const [line, count, reduced, every] of CLOSED) {
  test(`finds the same ${count} outcomes with the reduction and without: ${line}`, async () => {
    const less = await exhaust({ specification: specification(line), reduce: true, ...all })
    const more = await exhaust({ specification: specification(line), reduce: false, ...all })
    assert.is(less.outcomes.size, count)
    assert.equal(outcomes(less), outcomes(more))
    assert.equal([less.schedules, less.orders, more.schedules], [reduced, every, every])
    assert.equal([less.bound, more.bound, less.failures, more.failures], [undefined, undefined, [], []])
  })
}

test('says when a bound was reached, also one below the total', async () => {
  const [line, , reduced] = CLOSED[0] ?? ['', 0, 0]
  for (const most of [7, reduced - 1]) {
    const { bound, schedules } = await exhaust({
      specification: specification(line),
      reduce: true,
      ...all,
      schedules: most,
    })
    assert.equal([bound, schedules], ['schedules', most])
  }
})

test('says which events of which actor make the tree of orders branch', async () => {
  const line = CLOSED[0]?.[0] ?? ''
  const { branches } = await exhaust({ specification: specification(line), reduce: true, ...all })
  const [first] = branches
  assert.equal([first?.who, first?.events], ['client@c1', 'bid / result'])
  assert.ok(branches.every(({ times }, i) => times > 0 && times <= (branches[i - 1]?.times ?? times)))
})

test('stops when the time is up, with the results so far', async () => {
  const late = new AbortController()
  const onProgress = ({ schedules }: { readonly schedules: number }) => schedules === 3 && late.abort()
  const stopped = { ...all, late: late.signal, onProgress }
  const { bound, schedules } = await exhaust({
    specification: specification(CLOSED[0]?.[0] ?? ''),
    reduce: true,
    ...stopped,
  })
  assert.equal([bound, schedules], ['time', 3])
})

test('keeps to its depth: two tasks, two clients, three contractors', async () => {
  const market = specification('--tasks 2 --speeds 1,1,2 --clients 2 --latency 1 --load 2')
  const found = await Promise.all(
    [1, 2].map((depth) => exhaust({ specification: market, reduce: true, ...all, depth })),
  )
  assert.equal(
    found.map(({ schedules, outcomes, failures }) => [schedules, outcomes.size, failures.length]),
    [
      [7, 4, 0],
      [38, 7, 0],
    ],
  )
})

test('refuses options that act outside of the actors', async () => {
  const refused = async (line: string, text: RegExp) => {
    try {
      await exhaust({ specification: specification(`--tasks 1 --speeds 1 ${line}`), reduce: true, ...all })
    } catch (error) {
      assert.match(String(error), text)
      return
    }
    assert.unreachable()
  }
  await refused('--reliable', /--strategy exhaustive cannot be combined with --reliable/)
  await refused('--order causal', /--strategy exhaustive cannot be combined with --order causal/)
})

test('says that a run has diverged from its order', () => {
  const following = new ReplayScheduler(new Map([[1, ['2.0.0', '2.0.1']]]))
  const choice = { slot: 1, incarnation: 0, step: 1, now: 0 }
  const [first, second] = [0, 1].map((n) => ({ from: 2, incarnation: 0, n, isTimer: false }))
  if (!first || !second) return assert.unreachable()
  assert.is(following.next({ ...choice, pending: [second] }), -1)
  assert.is(following.next({ ...choice, pending: [second, first] }), 1)
  assert.throws(() => following.requireFollowed(), /slot 1 did not handle 2\.0\.1/)
  assert.is(following.next({ ...choice, pending: [second] }), 0)
  following.requireFollowed()
  assert.is(following.next({ ...choice, pending: [first] }), 0)
  assert.throws(() => following.requireFollowed(), /slot 1 handled 3 things, not 2/)
})

test('finds the order in which an actor sends what cannot travel', async () => {
  const [symbolic, tipster] = ['symbolic', 'tipster'].map(
    (name) => new URL(`../fixtures/actors/${name}.ts`, import.meta.url),
  )
  const sending: Specification = {
    options: { seed: 1, network: { latency: 1, jitter: 0, loss: 0, duplicate: 0 } },
    faults: [],
    tasks: 1,
    only: () => sending,
    open: async (system) => {
      await system.spawn('hearer@m', symbolic ?? '')
      for (const [i, says] of ['yes', 'no'].entries())
        await system.spawn(`teller@m${i}`, tipster ?? '', { says, to: 'hearer@m' })
      return { outcome: () => '', violations: () => [] }
    },
  }
  const { failures } = await exhaust({ specification: sending, reduce: true, ...all })
  assert.match(
    failures[0]?.violations[0]?.text ?? '',
    /hearer@m died of NotPlainError: message would lose its symbol key/,
  )
})

test.run()
