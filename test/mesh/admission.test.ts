/** The limit on running jobs, swaps, and the times of rotations, in runs by messages, inline and on threads. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Asked, asking, nextOf, type Request, swap, withdrawn } from '../../actors/mesh/allocator/fold/book.ts'
import { arrival, replaced } from '../../actors/mesh/fold/changes.ts'
import { emptyFold, type Fold, jobsOf, stretchesOf } from '../../actors/mesh/fold/fold.ts'
import { paceIn } from '../../actors/mesh/job/pace.ts'
import { wholeOf } from '../../actors/mesh/mesh.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import type { MeshJob } from '../../actors/mesh/user.ts'
import { type Address, toUnits, units } from '../../lib/actor.ts'
import { exponential, keyed } from '../../lib/core/random.ts'
import type { SystemInit } from '../../lib/system.ts'
import { efficiencyOf, policiesOf } from '../../scenarios/mesh/formulas/policies.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { type MeshRun, runMesh } from '../../scenarios/mesh/run.ts'
import { repeats } from '../repeats.ts'
import { PROTOCOL_RUNTIMES } from '../system/harness.ts'

const mesh = { m: 2, n: 2 }
const free = { model: { ...BASELINE, mesh, charged: false }, mapping: 'simple' } as const
const EQUI = { policy: 'equi', mesh, deal: 'arrival' } as const
const FOLD = { policy: 'fold', mesh, divides: false } as const
const POLICIES = [EQUI, FOLD] as const

const job = (number: number, arrival: number, work: number): MeshJob => ({
  job: number,
  arrival: units(arrival),
  work: units(work),
  minimum: 1,
})

async function ran(
  multicomputer: Omit<Multicomputer, 'job'> & Partial<Multicomputer>,
  options: SystemInit = { runtime: 'inline' },
): Promise<MeshRun> {
  const run = await runMesh({ job: free, ...multicomputer }, options)
  assert.equal([run.crashes, run.oracle.broken, run.end.ended], [[], [], 'idle'])
  return run
}

const endsOf = ({ oracle: watch }: MeshRun): readonly string[] =>
  [...watch.jobs].sort(([one], [other]) => one - other).map(([, { ended }]) => toUnits(ended ?? Number.NaN).toFixed(3))

for (const allocator of POLICIES) {
  const { policy } = allocator
  for (const runtime of PROTOCOL_RUNTIMES) {
    test(`${policy}, ${runtime}: two jobs take turns on a machine for one, and loading is lost time`, async () => {
      const work = { jobs: [job(1, 0, 30), job(2, 0, 30)] }
      const turns = (takes: number) => ({ limit: 1, swaps: { every: units(10), takes: units(takes) } })
      const at = async (takes: number) =>
        endsOf(await ran({ allocator: { ...allocator, ...turns(takes) }, leaders: 2, work }, { runtime }))
      assert.equal(await at(0), ['50.000', '60.000'])
      // turns of 10, 9 and 9 seconds until 50, and the last two from 61 on; then no job waits any more
      assert.equal(await at(1), ['63.000', '66.000'])
    })
  }

  test(`${policy}: without swaps jobs are served in the order of their arrival`, async () => {
    const work = { jobs: [job(1, 0, 30), job(2, 1, 5), job(3, 2, 1)] }
    const run = await ran({ allocator: { ...allocator, limit: 1, swaps: null }, leaders: 3, work })
    assert.equal(endsOf(run), ['30.000', '35.000', '36.000'])
  })

  test(`${policy}: the time until a swap is counted from the moment when a job has to wait`, async () => {
    // the second job waits until 5; the third waits from 12 on, and begins at 22
    const work = { jobs: [job(1, 0, 5), job(2, 1, 20), job(3, 12, 5)] }
    const swaps = { every: units(10), takes: 0 }
    const run = await ran({ allocator: { ...allocator, limit: 1, swaps }, leaders: 3, work })
    assert.equal(endsOf(run), ['5.000', '30.000', '27.000'])
  })

  test(`${policy}: many jobs that arrive, wait, are swapped and depart all end`, async () => {
    let at = 0
    const jobs = Array.from({ length: repeats(400) }, (_, i) => {
      at += exponential(keyed(1, 'gap', i), 12)
      return job(i + 1, at, Math.max(0.1, exponential(keyed(1, 'work', i), 10)))
    })
    const swaps = { every: units(3), takes: units(0.1) }
    const run = await ran({
      allocator: { ...allocator, limit: 3, swaps },
      leaders: 64,
      work: { jobs },
      clock: { interval: units(2), isPerJob: false },
      job: { ...free, model: { ...free.model, charged: true } },
    })
    assert.is(run.oracle.jobs.size, jobs.length)
    assert.ok([...run.oracle.jobs.values()].every(({ ended }) => ended !== null))
    assert.ok(run.oracle.swaps > jobs.length / 4, `${run.oracle.swaps} swaps`)
    assert.is(run.oracle.most, 3)
  })

  test(`${policy}: a waiting job may be told to leave, and the next waiting job replaces a job that leaves`, async () => {
    const script: Step[] = [
      ...[1, 2, 3, 4].map((one): Step => ({ type: 'arrive', job: one })),
      ...[3, 1].map((one): Step => ({ type: 'depart', job: one })),
    ]
    const run = await ran({ allocator: { ...allocator, limit: 2 }, leaders: 4, work: { script } })
    assert.equal(
      run.oracle.steps.map(({ partitions }) => [...partitions.keys()].sort().join(' ')),
      ['1', '1 2', '1 2', '1 2', '1 2', '2 4'],
    )
  })
}

const THREE = [job(1, 0, 60), job(2, 0, 60), job(3, 0, 60)]

async function rotating(clock: Multicomputer['clock'], runtime: 'inline' | 'threads' = 'inline') {
  const multicomputer = { allocator: FOLD, leaders: 3, work: { jobs: THREE }, ...(clock && { clock }) }
  const run = await ran(multicomputer, { runtime, count: ['due'] })
  const ends = [...run.oracle.jobs.values()].map(({ ended }) => toUnits(ended ?? Number.NaN))
  return { dues: run.messagesByType.get('due') ?? 0, first: Math.min(...ends), last: Math.max(...ends) }
}

test('a clock rotates a ring at even intervals while there are jobs, and every job has its share', async () => {
  const still = await rotating(null)
  assert.is(still.dues, 0)
  assert.ok(still.last > still.first * 1.2, `${still.first} to ${still.last}`)
  const even = await rotating({ interval: units(1), isPerJob: false }, 'threads')
  assert.is(even.dues, Math.floor(even.last))
  assert.ok(even.last < even.first * 1.02, `${even.first} to ${even.last}`)
  const slow = await rotating({ interval: units(1), isPerJob: true })
  assert.ok(Math.abs(slow.dues - slow.last / 3) < 3, `${slow.dues} rotations in ${slow.last} s`)
})

test('a rotation that is due during a swap happens after the swap', async () => {
  const ticks: number[] = []
  const dues: number[] = []
  const multicomputer: Multicomputer = {
    allocator: { ...FOLD, limit: 3, swaps: { every: units(10), takes: units(5) } },
    clock: { interval: units(11), isPerJob: false },
    job: free,
    leaders: 4,
    work: { jobs: [1, 2, 3, 4].map((one) => job(one, 0, 8)) },
  }
  const { crashes, oracle: watch } = await runMesh(multicomputer, { runtime: 'inline' }, [], {
    onSystem: (system) =>
      system.onDelivery(({ type }) => {
        if (type === 'tick') ticks.push(toUnits(system.now))
        if (type === 'due') dues.push(toUnits(system.now))
      }),
  })
  assert.equal([crashes, watch.broken], [[], []])
  assert.is(dues[0], 11)
  assert.equal(ticks.slice(0, 3), [15, 15, 15])
})

test('the job that has run longest is swapped out, unless it is about to depart', () => {
  const attempt = { job: 1, attempt: 1 }
  const arrives = (of: Address): Request => ({ is: 'arrival', of, attempt })
  const there = (...jobs: readonly Address[]) => new Map(jobs.map((job) => [job, attempt]))
  const asked: Asked = {
    mesh,
    limit: 3,
    fold: emptyFold(wholeOf(mesh)),
    members: there('job@a', 'job@b', 'job@c'),
    coming: there(),
    leaver: null,
    requests: [arrives('job@x'), { is: 'departure', of: 'job@a' }, { is: 'rotation' }, arrives('job@y')],
  }
  const [by, { coming, requests }] = swap(asked)
  assert.equal(
    [...by],
    [
      ['job@b', 'job@x'],
      ['job@c', 'job@y'],
    ],
  )
  assert.equal([...coming.keys()], ['job@x', 'job@y'])
  assert.equal(requests, [{ is: 'departure', of: 'job@a' }, { is: 'rotation' }])
  // arrivals wait for room, departures do not; a repeated request is queued once, and a waiting job may leave
  assert.equal(nextOf(asked), { is: 'departure', of: 'job@a' })
  for (const again of asked.requests) assert.equal(asking(asked, again), asked.requests)
  assert.equal(asking({ ...asked, coming: there('job@z') }, arrives('job@z')), asked.requests)
  assert.equal(asking({ ...asked, leaver: 'job@b' }, { is: 'departure', of: 'job@b' }), asked.requests)
  assert.equal(withdrawn(asked, 'job@y'), asked.requests.slice(0, 3))
})

test('a job that replaces another has its cells and neighbours, and all others are told their cells', () => {
  const names = ['job@a', 'job@b', 'job@c', 'job@d', 'job@e'] as const
  let fold = emptyFold(wholeOf(mesh))
  for (const name of names) fold = arrival(fold, name).at(-1)?.fold ?? fold
  const [first, , third] = jobsOf(fold)
  assert.ok(first && third)
  const { orders, fold: after } = replaced(fold, new Map([[third, 'job@x']]))
  const shapes = (of: Fold) => stretchesOf(of).map(({ cells }) => cells)
  assert.equal(shapes(after), shapes(fold))
  assert.equal(
    jobsOf(after),
    jobsOf(fold).map((job) => (job === third ? 'job@x' : job)),
  )
  assert.equal(orders.map(({ type, job }) => `${type} ${job}`).sort(), [
    ...jobsOf(fold)
      .filter((job) => job !== third)
      .map((job) => `link ${job}`)
      .sort(),
    'start job@x',
  ])
})

for (const [name, policy, mapping] of [
  ['EQUI', 'EQUI', 'simple'],
  ['EQUI+', 'EQUI+', 'snake'],
] as const) {
  test(`${name}: the sum of all paces is the efficiency of the models, also if thread times vary`, () => {
    for (const delta of [0, units(0.005)]) {
      const model = { ...BASELINE, mesh: { m: 3, n: 3 }, delta }
      const { shapes, ...rest } = policiesOf()[policy]
      const efficiency = efficiencyOf(model, { shapes, ...rest })
      for (const jobs of [1, 3, 5, 6]) {
        const paces = shapes(model.mesh, jobs).map((shape) => paceIn(model, mapping, shape))
        const sum = paces.reduce((all, pace) => all + pace, 0)
        assert.ok(Math.abs(sum - efficiency(jobs)) < 1e-9, `${jobs} jobs, delta ${delta}: ${sum}, ${efficiency(jobs)}`)
      }
    }
  })
}

test.run()
