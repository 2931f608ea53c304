/** What makes an allocator ask again where jobs are, and what it still knows after a restart. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as equi from '../../actors/mesh/allocator/equi/book.ts'
import * as fold from '../../actors/mesh/allocator/fold/book.ts'
import { tell, units } from '../../lib/actor.ts'
import { both, factsOf as collected, does, spawnPuppets, tellTo } from '../system/harness.ts'
import { factsOf, jobsOf, MESH, PARTITIONS, theirs } from './two-jobs.ts'

const TERMS = { mesh: MESH, limit: 2, swaps: null, operator: null, patience: null }
const MEMBERS = new Map([['job@j1', { job: 1, attempt: 1 }]])
const silent = (leader: string) => ({ type: 'silent', leader }) as const

test('an allocator doubts what it knows if a silent leader is on the mesh, and a doubt stays', () => {
  const doubts = (isDoubtful: boolean, leader: string) => [
    equi.onSilent(
      { ...equi.opened({ ...TERMS, deal: 'arrival' }), running: MEMBERS, isStale: isDoubtful },
      silent(leader),
    )[0].isStale,
    fold.onSilent(
      { ...fold.opened({ ...TERMS, divides: true, clock: null }), members: MEMBERS, isInDoubt: isDoubtful },
      silent(leader),
    )[0].isInDoubt,
  ]
  assert.equal(doubts(false, 'job@j1'), [true, true])
  assert.equal(doubts(false, 'job@j2'), [false, false])
  assert.equal(doubts(true, 'job@j2'), [true, true])
})

test('fold: an allocator doubts what it knows if a member departs from another job than it was admitted with', () => {
  const book = { ...fold.opened({ ...TERMS, divides: true, clock: null }), members: MEMBERS }
  const doubts = (attempt: number) =>
    fold.onDepart(book, { type: 'depart', job: 1, attempt }, { from: 'job@j1', request: null })[0].isInDoubt
  assert.equal([1, 2].map(doubts), [false, true])
})

test('a late copy of the arrival of a job that has departed does not remove the next job of its leader', () => {
  const delivery = { from: 'job@j1', request: null } as const
  const arrive = (job: number, attempt = 1) => ({ type: 'arrive', job, attempt, minimum: 1 }) as const
  const before = { ...equi.opened({ ...TERMS, deal: 'arrival' }), running: MEMBERS }
  const left = { ...before, ...equi.onDepart(before, { type: 'depart', job: 1, attempt: 1 }, delivery)[0] }
  assert.equal(left.running.size, 0)
  const next = { ...left, running: new Map([['job@j1', { job: 2, attempt: 1 }]]), isStale: false }
  const [late, told] = equi.onArrive(next, arrive(1), delivery)
  assert.equal({ ...next, ...late }, { ...next, change: next.change + 1 })
  // a user that was restarted may have handed it over again
  const departed = { job: 1, attempt: 1 }
  assert.equal(told, tell('job@j1', { type: 'vacate', change: next.change + 1, isFailed: false, departed }))
  // a leader that has been restarted arrives with another job, or with a later attempt
  for (const [job, attempt] of [
    [3, 1],
    [1, 2],
  ] as const)
    assert.is(equi.onArrive(next, arrive(job, attempt), delivery)[0].running?.size, 0)
})

test('equi: an allocator ignores a departure from another job than the member was admitted with', () => {
  const book = { ...equi.opened({ ...TERMS, deal: 'arrival' }), running: MEMBERS }
  const isStale = (attempt: number) =>
    equi.onDepart(book, { type: 'depart', job: 1, attempt }, { from: 'job@j1', request: null })[0].isStale
  assert.equal([1, 2].map(isStale), [true, false])
})

for (const policy of ['fold', 'equi'] as const) {
  const allocator = PARTITIONS[policy]

  test(`${policy}: a job that needs the whole mesh is admitted, and one that needs more fails at once`, async () => {
    const jobs = [16, 17].map((minimum, i) => ({ job: i + 1, arrival: units(i), work: units(1), minimum }))
    const facts = await factsOf(allocator, [], { work: { jobs }, attempts: 1 })
    const told = facts.filter(({ who, type }) => who === 'user@u' && type !== 'handed')
    assert.equal(told.map(({ job, type }) => `${job} ${type}`).sort(), ['1 over', '2 failed'])
  })

  test(`${policy}: a restarted allocator waits for no leader that has departed`, async () => {
    const work = jobsOf(5, 60)
    const calm = await factsOf(allocator, [], { work })
    const [over] = theirs(calm, 'over', 'user@u')
    assert.ok(over && over['job'] === 1)
    const faults = [`kill job@j1 at ${over.at + 1}`, `restart allocator@a at ${over.at + 5}`]
    assert.equal(theirs(await factsOf(allocator, faults, { work }), 'gave-up', 'allocator@a'), [])
  })

  test(`${policy}: a restarted allocator waits for no leader that it has taken for dead`, async () => {
    const faults = ['kill job@j1 at 5', 'restart allocator@a at 50']
    const facts = await factsOf(allocator, faults, { work: jobsOf(60, 60), attempts: 1 })
    assert.is(theirs(facts, 'gave-up', 'allocator@a').length, 1)
  })
}

const INPUTS = { equi: { ...TERMS, deal: 'arrival' }, fold: { ...TERMS, divides: true, clock: null } } as const
/** The facts by which allocators report that they are at rest. */
const RESTS = { equi: 'rested', fold: 'ring' } as const

for (const policy of ['fold', 'equi'] as const) {
  both(
    `${policy}: an allocator at rest reports a leader that has to wait, and not that it asks again`,
    async (system) => {
      const facts = collected(system)
      const module = new URL(`../../actors/mesh/allocator/${policy}.ts`, import.meta.url)
      await system.spawn('allocator@a', module, { ...INPUTS[policy], limit: 0 })
      await spawnPuppets(system, 'leader@l1', 'leader@l2')
      const rests: number[] = []
      for (const leader of ['leader@l1', 'leader@l1', 'leader@l2', 'leader@l1', 'leader@l2']) {
        const arrive = { type: 'arrive', job: 1, attempt: 1, minimum: 1 }
        await system.tell(leader, does(tellTo('allocator@a', arrive)))
        await system.run()
        rests.push(facts.filter(({ type }) => type === RESTS[policy]).length)
      }
      assert.equal(rests, [2, 2, 3, 3, 3])
    },
  )
}

test('fold: jobs are asked for their cells if one of them arrives again, and not without a reason', async () => {
  assert.equal(theirs(await factsOf(PARTITIONS.fold, []), 'asked', 'allocator@a'), [])
  const facts = await factsOf(PARTITIONS.fold, ['restart job@j1 at 5'])
  const [, began] = theirs(facts, 'began', 'job@j1')
  const asked = theirs(facts, 'asked', 'allocator@a').map(({ at }) => at - (began?.at ?? 0))
  assert.equal(
    asked.map((after) => after.toFixed(1)),
    ['0.1'],
    'as soon as the message has arrived',
  )
})

test.run()
