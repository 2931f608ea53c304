/** Deaths, losses and pauses while jobs are swapped: two jobs share a mesh for one, and take turns every ten seconds. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type FoldBook, opened } from '../../actors/mesh/allocator/fold/book.ts'
import { areAllOut, release } from '../../actors/mesh/allocator/fold/steps.ts'
import type { Answer, Cells } from '../../actors/mesh/messages.ts'
import { asked, tell, units } from '../../lib/actor.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { factsOf, jobsOf, MESH, PARTITIONS, type Policy, theirs } from './two-jobs.ts'

const TERMS = { limit: 1, swaps: { every: units(10), takes: 0 } }
const after = (policy: Policy, faults: readonly string[], more: Partial<Multicomputer> = {}) =>
  factsOf({ ...PARTITIONS[policy], ...TERMS }, faults, more)

/** The order to stop is sent at the first time and arrives at the second. */
const STOP = { fold: [10.7, 10.8], equi: [10.9, 11] } as const

for (const policy of ['fold', 'equi'] as const) {
  const [sent, arrives] = STOP[policy]

  test(`${policy}: without faults the first job has stopped when the second one begins`, async () => {
    const facts = await after(policy, [])
    assert.is(theirs(facts, 'stopped', 'job@j1')[0]?.at, arrives)
    assert.ok((theirs(facts, 'moved', 'job@j2')[0]?.at ?? 0) > arrives)
  })

  test(`${policy}: a job whose order to stop is lost is still known to the next incarnation of the allocator`, async () => {
    const lost = [`partition a | j1 at ${sent - 0.05} until ${sent + 0.05}`, `restart allocator@a at ${sent + 0.05}`]
    const facts = await after(policy, lost)
    assert.equal(theirs(facts, 'stopped', 'job@j1'), [])
    assert.is(theirs(facts, 'ended', 'job@j1').length, 1)
  })

  test(`${policy}: a job that never answers the order to stop is taken for dead, and fails when it is back`, async () => {
    const facts = await after(policy, [`pause job@j1 for 60 at ${sent + 0.05}`])
    const [gaveUp] = theirs(facts, 'gave-up', 'allocator@a')
    const [moved] = theirs(facts, 'moved', 'job@j2')
    assert.ok(gaveUp && moved && gaveUp.at <= moved.at)
    assert.is(theirs(facts, 'handed', 'user@u').filter(({ job }) => job === 1).length, 2)
  })

  test(`${policy}: a job that loses a processor while a swap begins is not swapped out, but fails`, async () => {
    const outages = [{ row: 0, column: 0, at: units(sent - 0.15) }]
    const facts = await after(policy, [], { outages })
    const ends = facts.filter(({ type, who }) => who === 'job@j1' && (type === 'stopped' || type === 'failed'))
    assert.is(ends[0]?.type, 'failed')
  })
}

test('fold: a job that has departed, which the allocator does not know, keeps its cells in a swap', async () => {
  const faults = ['partition a | j1 at 10.25 until 10.35']
  const facts = await after('fold', faults, { work: jobsOf(9.9, 15) })
  assert.is(theirs(facts, 'ended', 'job@j1')[0]?.at, 10.3)
})

test('fold: jobs that have stopped wait behind all others, one that asked to depart is dismissed, and one with cells stays', () => {
  const [cell] = [{ row: 0, column: 0, rows: 2, columns: 4 }]
  const names = ['job@a', 'job@b', 'job@c'] as const
  const attempt = { job: 1, attempt: 1 }
  const answer = (cells: Cells): Answer => ({
    type: 'swapped-out',
    change: 4,
    of: attempt,
    holds: { cells, offered: null, next: null },
  })
  const book: FoldBook = {
    ...opened({ mesh: MESH, ...TERMS, divides: false, operator: null, clock: null, patience: null }),
    change: 4,
    members: new Map(names.map((job) => [job, attempt])),
    requests: [
      { is: 'departure', of: 'job@b' },
      { is: 'arrival', of: 'job@x', attempt },
    ],
    round: {
      ...asked<Answer>(4, []),
      orders: new Map(),
      told: 1,
      answers: new Map([
        ['job@a', answer([])],
        ['job@b', answer([])],
        ['job@c', answer([cell])],
      ]),
    },
  }
  assert.not(areAllOut(book))
  const [{ members, requests }, ...effects] = release(book)
  assert.equal([...(members?.keys() ?? [])], ['job@c'])
  assert.equal(requests, [
    { is: 'arrival', of: 'job@x', attempt },
    { is: 'arrival', of: 'job@a', attempt },
  ])
  assert.equal(effects, [tell('job@b', { type: 'vacate', change: 5, isFailed: false })])
})

test.run()
