/** What an actor does while the allocator is silent: its pauses double and end, and it goes on when the allocator is back. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BASELINE } from '../../actors/mesh/model.ts'
import { units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { meshRun, runMesh } from '../../scenarios/mesh/run.ts'
import { runHere } from '../bidding/command.ts'
import { factsOf, jobsOf, MESH, PARTITIONS, type Policy, theirs } from './two-jobs.ts'

/** No pause of a repetition is longer. */
const AFTER_ALL_PAUSES = 5_000_000

const twoLeaders = (policy: Policy): Multicomputer => ({
  allocator: PARTITIONS[policy],
  job: { model: { ...BASELINE, mesh: MESH }, mapping: 'simple' },
  leaders: 2,
  work: jobsOf(15, 15),
  patience: units(2),
})

for (const policy of ['fold', 'equi'] as const) {
  const allocator = PARTITIONS[policy]

  test(`${policy}: a run whose allocator is dead ends by itself, and no leader is taken for dead`, async () => {
    const multicomputer = { ...twoLeaders(policy), outages: [{ row: 0, column: 0, at: units(6) }] }
    for (const at of [0.3, 0.6, 1, 5]) {
      const faults = [parseFault(`kill allocator@a at ${at}`)]
      const { oracle, end } = await runMesh(multicomputer, { runtime: 'inline', rounds: 2000 }, faults)
      assert.equal([end.ended, oracle.broken], ['idle', []], `${at}`)
      assert.ok([...oracle.jobs.values()].every(({ attempts, told }) => attempts === 1 && told !== 'failed'))
    }
  })

  test(`${policy}: leaders and sentry repeat their messages to an allocator that is back after all pauses`, async () => {
    const outages = [{ row: 0, column: 0, at: units(6) }]
    const faults = ['kill allocator@a at 5', `restart allocator@a at ${AFTER_ALL_PAUSES}`]
    const facts = await factsOf(allocator, faults, { outages, work: jobsOf(15, 15, 15) })
    const told = theirs(facts, 'over', 'user@u').map(({ job }) => job)
    assert.equal(told.toSorted(), [1, 2, 3])
    const areas = facts.flatMap(({ who, area }) => (who === 'allocator@a' && area !== undefined ? [area] : []))
    assert.equal(areas.at(-1), { row: 2, column: 0, rows: 2, columns: 4 }, 'the dead processor is known')
  })

  test(`${policy}: a leader that dies while it computes is missed as soon as ever, however long it has computed`, async () => {
    const facts = await factsOf(allocator, ['kill job@j1 at 1000'], { work: jobsOf(2000) })
    const [failed] = theirs(facts, 'failed', 'user@u')
    assert.ok(failed && failed.at < 1000 + 2 * 7, `${failed?.at}`)
  })

  test(`${policy}: a leader that dies after a silence of the allocator is missed as soon as ever`, async () => {
    const faults = ['kill allocator@a at 0.05', `restart allocator@a at ${AFTER_ALL_PAUSES}`]
    const dies = AFTER_ALL_PAUSES + 10
    const facts = await factsOf(allocator, [...faults, `kill job@j1 at ${dies}`])
    const [failed] = theirs(facts, 'failed', 'user@u')
    assert.ok(failed && failed.at > dies && failed.at < dies + 2 * 7, `${failed?.at}`)
  })

  test(`${policy}: a leader that is dead when a job arrives in a silence of the allocator is missed as soon as ever`, async () => {
    const [first, second] = jobsOf(15, 15).jobs
    assert.ok(first && second)
    const jobs = [first, { ...second, arrival: units(10_000) }]
    const faults = ['kill allocator@a at 0.05', 'kill job@j2 at 9000', 'restart allocator@a at 20000']
    const [failed] = theirs(await factsOf(allocator, faults, { work: { jobs } }), 'failed', 'user@u')
    assert.ok(failed && failed.at < 10_000 + 2 * 7, `${failed?.at}`)
  })

  test(`${policy}: a leader that was cut off while others gave it up leads other jobs afterwards`, async () => {
    const work = jobsOf(15, 40, 15, 15)
    const facts = await factsOf(allocator, ['partition j2 | a,j1,u at 3 until 43'], { work, attempts: 1 })
    const told = theirs(facts, 'over', 'user@u').map(({ job }) => job)
    assert.equal(told.toSorted(), [1, 3, 4])
    const failed = theirs(facts, 'failed', 'job@j2').map(({ job }) => job)
    assert.equal(failed, [2], 'it vacates its processors, which belong to others')
  })
}

test('a job whose work is done in an exchange without an end does not compute any more', async () => {
  const multicomputer = {
    ...twoLeaders('fold'),
    leaders: 3,
    work: jobsOf(40, 40, 40),
    clock: { interval: units(10), isPerJob: false },
  }
  const faults = ['kill job@j3 when job@j3 enters awaiting', 'kill allocator@a when job@j3 enters awaiting'].map(
    (one) => parseFault(one),
  )
  const { oracle, end, missed } = await runMesh(multicomputer, { runtime: 'inline', rounds: 2000 }, faults)
  assert.equal([end.ended, oracle.broken, missed], ['idle', [], []])
})

test('the results of a run whose allocator is dead count the jobs without an end', async () => {
  const args = ['--jobs', '9', '--leaders', '4', '--runtime', 'inline', '--max-rounds', '5000']
  const killed = await runHere(meshRun, [...args, '--fault', 'kill allocator@a at 20'])
  assert.is(killed.code, 0, killed.stdout)
  assert.match(killed.stdout, 'Jobs without an end: 9 of 9.')
  assert.not.match((await runHere(meshRun, args)).stdout, 'without an end')
})

test.run()
