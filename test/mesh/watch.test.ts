/** The oracle of the mesh: wrong facts are reported as violations. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RingFact } from '../../actors/mesh/allocator/fold/book.ts'
import type { JobFact } from '../../actors/mesh/job/book.ts'
import { type Rectangle, rectangleOf } from '../../actors/mesh/rectangle.ts'
import type { Address, Message } from '../../lib/actor.ts'
import { Watch } from '../../scenarios/mesh/oracle.ts'

type Said = readonly [who: Address, fact: Message]

const at = (text: string): Rectangle => rectangleOf(text) ?? { row: 0, column: 0, rows: 1, columns: 1 }
const [A, B, C]: readonly [Address, Address, Address] = ['job@a', 'job@b', 'job@c']
const NUMBERS = new Map([A, B, C].map((who, i) => [who, i + 1]))

const job = (who: Address, fact: JobFact): Said => [who, fact]
const began = (who: Address) => job(who, { type: 'began', job: NUMBERS.get(who) ?? 0, attempt: 1 })
const owns = (who: Address, prev: Address, next: Address, cells: string[], offered?: string) =>
  job(who, { type: 'owns', cells: cells.map(at), offered: offered ? at(offered) : null, prev, next })
const moved = (who: Address, partition: string) => job(who, { type: 'moved', partition: at(partition), took: 0 })
const resumed = (who: Address) => job(who, { type: 'resumed', pace: 1 })
const ring = (area: string, level: number, ...jobs: readonly (readonly [Address, 's' | 'b', string])[]): Said => {
  const rings = [jobs.map(([job, size, partition]) => ({ job, size, partition: at(partition) }))]
  return ['allocator@a', { type: 'ring', area: at(area), level, rings } satisfies RingFact]
}

function brokenBy(...said: readonly Said[]): readonly string[] {
  const watch = new Watch()
  for (const [who, fact] of said) watch.fold(fact, who, 0)
  return watch.broken.map(({ property, text }) => `${property}: ${text}`)
}

const THREE = [
  ...[A, B, C].map(began),
  owns(A, C, B, ['0,0 2x2']),
  owns(B, A, C, ['0,2 2x2']),
  owns(C, B, A, ['2,2 2x2', '2,0 2x2']),
]

test('a cell passes from a job to the neighbour that it was offered to, and to no other job', () => {
  const folded = owns(C, B, A, ['2,2 2x2', '2,0 2x2'], '2,2 2x2')
  const gained = owns(B, A, C, ['0,2 2x2', '2,2 2x2'])
  assert.equal(brokenBy(...THREE, folded, gained, owns(C, B, A, ['2,0 2x2'])), [])
  assert.equal(brokenBy(...THREE, gained), [
    'a cell has one owner: job@b has 2,2 2x2, and job@c has 2,2 2x2 and 2,0 2x2',
  ])
  assert.equal(brokenBy(...THREE, folded, gained, owns(C, B, A, ['2,2 2x2', '2,0 2x2'])), [
    'a cell has one owner: job@c has 2,2 2x2, and job@b has 0,2 2x2 and 2,2 2x2',
  ])
  assert.equal(brokenBy(...THREE, folded, owns(C, B, A, ['2,0 2x2'])), [
    'a cell has one owner: job@c has given 2,2 2x2 up, and no other job has taken it',
  ])
  const far = owns(C, B, B, ['2,2 2x2', '2,0 2x2'], '2,0 2x2')
  assert.equal(brokenBy(...THREE, far, owns(A, B, B, ['0,0 2x2', '2,0 2x2'])), [
    'cells pass between neighbours: 2,0 2x2 passes from job@c to job@a',
  ])
})

test('the processors of a job that died, failed or was given up are free for others', () => {
  const takes = owns(B, A, A, ['0,2 2x2', '2,2 2x2'])
  for (const gone of [job(C, { type: 'vacated' }), ['allocator@a', { type: 'gave-up', leader: C, change: 0 }] as const])
    assert.equal(brokenBy(...THREE, gone, takes), [])
  const watch = new Watch()
  for (const [who, fact] of THREE) watch.fold(fact, who, 0)
  watch.died(C, 0)
  watch.fold(takes[1], B, 0)
  assert.equal(watch.broken, [])
})

test('a job that was given up counts again once it obeys a later order', () => {
  const gaveUp: Said = ['allocator@a', { type: 'gave-up', leader: B, change: 4 }]
  const begins = [began(A), began(B), gaveUp, owns(A, B, B, ['0,0 2x4'])]
  const by = (order: number): Said => [B, { ...owns(B, A, A, ['2,0 2x4'])[1], order }]
  const twice = owns(A, B, B, ['0,0 2x4', '2,0 2x4'])
  const broken = ['a cell has one owner: job@a has 2,0 2x4, and job@b has 2,0 2x4']
  assert.equal(brokenBy(...begins, by(4), twice), [])
  assert.equal(brokenBy(...begins, by(5), twice), broken)
  // it may take a cell that its neighbour offers
  const offer = owns(A, B, B, ['0,0 2x4', '2,0 2x4'], '2,0 2x4')
  assert.equal(brokenBy(...begins, offer, by(5), owns(A, B, B, ['0,0 2x4'])), [])
})

test('a job that was given up and is moved by a later order computes where no other job does', () => {
  const gaveUp: Said = ['allocator@a', { type: 'gave-up', leader: B, change: 4 }]
  const by = (order: number): Said => [B, { ...moved(B, '0,0 2x2')[1], order }]
  const begins = [began(A), began(B), moved(A, '0,0 2x2'), resumed(A), gaveUp]
  assert.equal(brokenBy(...begins, by(4), resumed(B)), [])
  assert.equal(brokenBy(...begins, by(5), resumed(B)), [
    'a processor has one owner: job@b computes on 0,0 2x2, job@a on 0,0 2x2',
  ])
})

test('no job computes where another does, or on processors that are not its own', () => {
  const there = [moved(A, '0,0 2x2'), resumed(A)]
  assert.equal(brokenBy(...THREE, ...there, moved(B, '0,2 2x2'), resumed(B)), [])
  assert.equal(brokenBy(...THREE, resumed(A)), ['a job computes only on a partition: job@a computes nowhere'])
  assert.equal(brokenBy(...THREE, ...there, moved(B, '0,0 2x2'), resumed(B)), [
    'a processor has one owner: job@b computes on 0,0 2x2, job@a on 0,0 2x2',
    'a job computes on its own cells: job@b computes on 0,0 2x2 and has 0,2 2x2',
  ])
  assert.equal(brokenBy(resumed(A)), ['a leader leads a job: job@a: resumed of none'])
})

test('partitions have sides that are powers of two: both in a ring, one under EQUI', () => {
  assert.equal(brokenBy(...THREE, moved(A, '0,0 2x3')), ['sides are powers of two: 0,0 2x3'])
  assert.equal(brokenBy(began(A), moved(A, '0,0 2x3')), [])
  assert.equal(brokenBy(began(A), moved(A, '0,0 3x3')), ['sides are powers of two: 0,0 3x3'])
})

const RING = [
  [A, 's', '0,0 2x2'],
  [B, 's', '0,2 2x2'],
  [C, 'b', '2,0 2x4'],
] as const

test('at rest partitions cover the machine, with the right number of each size', () => {
  assert.equal(brokenBy(...THREE, ring('0,0 4x4', 2, ...RING)), [])
  assert.equal(brokenBy(...THREE, ring('0,0 4x4', 2, RING[0], RING[1])), [
    'partitions cover the mesh: 2,0 is in none',
    'loads are even: 2 jobs have 4, 4 processors',
  ])
  assert.equal(brokenBy(...THREE, ring('0,0 8x4', 3, ...RING)), [
    'partitions cover the mesh: 4,0 is in none',
    'loads are even: 3 jobs have 4, 4, 8 processors',
  ])
})

test('at rest partitions that follow each other touch, and the allocator knows all partitions', () => {
  const corner = ring('0,0 4x4', 2, [A, 's', '0,0 2x2'], [B, 's', '2,2 2x2'], ...([] as const))
  assert.ok(brokenBy(corner).includes('partitions that follow each other touch: 0,0 2x2 and 2,2 2x2'))
  assert.equal(brokenBy(...THREE, ring('0,0 4x4', 2, [B, 's', '0,0 2x2'], [A, 's', '0,2 2x2'], RING[2])), [
    'the allocator knows all partitions: job@b has 0,2 2x2, not 0,0 2x2',
    'the allocator knows all partitions: job@a has 0,0 2x2, not 0,2 2x2',
  ])
})

test('the partitions of EQUI cover the machine, and the jobs are in them', () => {
  const owned = [
    { job: A, partition: at('0,0 4x2') },
    { job: B, partition: at('0,2 4x2') },
  ]
  const dealt = (...partitions: readonly unknown[]): Said[] => [
    [
      'allocator@a',
      { type: 'dealt', change: 1, area: at('0,0 4x4'), partitions: JSON.parse(JSON.stringify(partitions)) },
    ],
  ]
  const rested: Said = ['allocator@a', { type: 'rested' }]
  const there = [began(A), began(B), moved(A, '0,0 4x2'), moved(B, '0,2 4x2')]
  assert.equal(brokenBy(...there, ...dealt(...owned), rested), [])
  assert.equal(brokenBy(...there, ...dealt(owned[0]), rested), ['partitions cover the mesh: 0,2 is in none'])
  assert.equal(brokenBy(...there, moved(B, '0,0 4x2'), ...dealt(...owned), rested), [
    'the allocator knows all partitions: job@b has 0,0 4x2, not 0,2 4x2',
  ])
})

test('each job that is handed over ends, or its user hears that it failed', () => {
  const user = (type: string): Said => ['user@u', { type, job: 1, attempt: 1 }]
  const closed = (...said: readonly Said[]) => {
    const watch = new Watch()
    for (const [who, fact] of said) watch.fold(fact, who, 0)
    return [...watch.broken, ...watch.unheard].map(({ property, text }) => `${property}: ${text}`)
  }
  const ended = job(A, { type: 'ended', job: 1, attempt: 1, left: 0 })
  assert.equal(closed(user('handed'), began(A), ended, user('over')), [])
  assert.equal(closed(user('handed'), began(A), user('failed')), [])
  assert.equal(closed(user('handed'), began(A)), ['a job ends, or its user hears that it failed: job 1'])
  assert.equal(closed(user('handed'), began(A), user('over')), ['a job that is over has ended: job 1'])
})

test.run()
