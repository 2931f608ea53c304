/** The invariants of threads on processors: each is seen to fail on wrong facts. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JobFact } from '../../actors/mesh/job/book.ts'
import type { ProcessorFact } from '../../actors/mesh/processor/book.ts'
import type { Address, Time } from '../../lib/actor.ts'
import { Watch } from '../../scenarios/mesh/oracle.ts'

type Told = readonly [who: Address, fact: ProcessorFact | JobFact, at?: Time]

const LEFT = { row: 0, column: 0, rows: 1, columns: 1 }
const WHOLE = { row: 0, column: 0, rows: 1, columns: 2 }
const [ONE, OTHER] = ['processor@r0c0', 'processor@r0c1']

/** The violated invariants, on a mesh of two processors. */
function broken(...told: readonly Told[]): readonly string[] {
  const watch = new Watch({ m: 0, n: 1 })
  for (const [who, fact, at = 0] of told) watch.fold(fact, who, at)
  return watch.broken.map(({ property }) => property)
}

const began = (job: number): Told => [`job@j${job}`, { type: 'began', job, attempt: 1 }]
const moved = (job: number, partition: typeof LEFT): Told => [`job@j${job}`, { type: 'moved', partition, took: null }]
const resumed = (job: number): Told => [`job@j${job}`, { type: 'resumed', pace: 1 }]
const placed = (who: Address, job: number, ...threads: number[]): Told => [who, { type: 'placed', job, threads }]
const sent = (who: Address, to: Address, job: number, thread: number, at: Time): Told => [
  who,
  { type: 'sent', job, thread, to, takes: 10 },
  at,
]

test('a job that is placed and computes violates nothing, and neither does a thread that moves', () => {
  const there = [began(1), moved(1, WHOLE), placed(ONE, 1, 0), placed(OTHER, 1, 1), resumed(1)]
  assert.equal(broken(...there), [])
  const folded = [moved(1, LEFT), sent(OTHER, ONE, 1, 1, 5), placed(ONE, 1, 1), resumed(1)]
  assert.equal(broken(...there, ...folded), [])
})

test('a thread in two places, or one that is sent from a processor without it, is a violation', () => {
  assert.equal(broken(placed(ONE, 1, 0), placed(OTHER, 1, 0)), ['a thread is in one place'])
  assert.equal(broken(placed(ONE, 1, 0), sent(OTHER, ONE, 1, 0, 0)), ['a thread is in one place'])
})

test('a job that computes while a thread is on its way, elsewhere or missing is a violation', () => {
  const there = [began(1), moved(1, WHOLE), placed(ONE, 1, 0)]
  assert.equal(broken(...there, resumed(1)), ['a job has all its threads'])
  const away = [...there, placed(OTHER, 1, 1), sent(OTHER, ONE, 1, 1, 0)]
  assert.equal(broken(...away, resumed(1)), ['threads are in the partition'])
  assert.equal(broken(...there, placed(OTHER, 1, 1), moved(1, LEFT), resumed(1)), ['threads are in the partition'])
})

test('a processor that runs threads of two jobs, or sends a thread while it runs, is a violation', () => {
  const runs = (who: Address, job: number): Told => [who, { type: 'runs', job }]
  assert.equal(broken(runs(ONE, 1), [ONE, { type: 'rests', job: 1 }], runs(ONE, 2)), [])
  assert.equal(broken(runs(ONE, 1), runs(ONE, 2)), ['a processor runs threads of one job'])
  const both = [
    began(1),
    moved(1, LEFT),
    placed(ONE, 1, 0, 1),
    resumed(1),
    began(2),
    moved(2, LEFT),
    placed(ONE, 2, 0, 1),
  ]
  assert.equal(broken(...both, resumed(2)).slice(-1), ['a processor runs threads of one job'])
  assert.equal(broken(placed(ONE, 1, 0), runs(ONE, 1), sent(ONE, OTHER, 1, 0, 0)), [
    'a job stands still while its threads move',
  ])
})

test('a processor that sends or takes two threads at a time is a violation', () => {
  const there = placed(ONE, 1, 0, 1)
  assert.equal(broken(there, sent(ONE, OTHER, 1, 0, 0), sent(ONE, OTHER, 1, 1, 10)), [])
  const both = broken(there, sent(ONE, OTHER, 1, 0, 0), sent(ONE, OTHER, 1, 1, 9))
  assert.equal(both, ['one thread at a time', 'one thread at a time'])
})

test.run()
