/**
 * Whole runs with threads on processors: partitions are the same as in runs with calculated moves.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Mesh, meshText } from '../../actors/mesh/mesh.ts'
import { BASELINE, type Detail } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { textOf } from '../../actors/mesh/rectangle.ts'
import { units } from '../../lib/actor.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import type { Snapshot } from '../../scenarios/mesh/oracle.ts'
import { runMesh } from '../../scenarios/mesh/run.ts'
import { sampled } from '../repeats.ts'
import { ON_8X8 } from './golden/equi.ts'
import { SCRIPT } from './golden/fold.ts'

type Runtime = 'inline' | 'threads'

async function stepsOf(multicomputer: Omit<Multicomputer, 'job' | 'work'>, script: readonly Step[], runtime: Runtime) {
  const job = { model: { ...BASELINE, mesh: multicomputer.allocator.mesh }, mapping: 'simple' } as const
  const { oracle: watch, crashes, end } = await runMesh({ ...multicomputer, job, work: { script } }, { runtime })
  assert.equal(crashes, [])
  assert.is(end.ended, 'idle')
  assert.equal(watch.broken, [])
  assert.is(watch.steps.length, script.length)
  return watch.steps
}

const equi = (mesh: Mesh) => ({ policy: 'equi', mesh, deal: 'arrival', limit: 64 }) as const
const fold = (mesh: Mesh) => ({ policy: 'fold', mesh, divides: true }) as const

const arrivals = (jobs: number): Step[] => Array.from({ length: jobs }, (_, i) => ({ type: 'arrive', job: i + 1 }))
const departures = (jobs: number): Step[] => Array.from({ length: jobs }, (_, i) => ({ type: 'depart', job: i + 1 }))
const rotations = (count: number): Step[] => Array.from({ length: count }, () => ({ type: 'rotate' }))

const text = ({ partitions, rings }: Snapshot) => {
  const inOrder = rings.length > 0 ? rings.flat().map(({ job }) => job) : [...partitions.keys()].sort((a, b) => a - b)
  return inOrder
    .flatMap((job) => partitions.get(job) ?? [])
    .map(textOf)
    .join(' | ')
}

/** Whether longer runs and runs on threads are included. */
const isFull = process.env['BOURSE_FULL'] !== undefined

const RUNS: readonly (readonly [Detail, Runtime])[] = [
  ['fine', 'inline'],
  ['fine', 'threads'],
  ['moves', 'inline'],
  ['moves', 'threads'],
]

const ON_SMALL = { m: 3, n: 3 }

for (const [detail, runtime] of sampled(RUNS)) {
  const how = detail === 'moves' ? 'threads are sent' : 'threads are sent and compute'

  test(`FOLD on 8x8, ${runtime}, ${how}: the partitions of a coarse run`, async () => {
    const script = [...arrivals(7), ...rotations(8), ...departures(4), ...rotations(3), ...departures(7).slice(4)]
    const multicomputer = { allocator: fold(ON_SMALL), leaders: 7 }
    const steps = await stepsOf({ ...multicomputer, detail }, script, runtime)
    assert.equal(steps.map(text), (await stepsOf(multicomputer, script, 'inline')).map(text))
  })

  if (runtime === 'threads' && !isFull) continue
  test(`EQUI on 8x8, ${runtime}, ${how}: the specification's partitions`, async () => {
    const steps = await stepsOf(
      { allocator: equi(ON_SMALL), detail, leaders: 8 },
      [...arrivals(8), ...departures(8)],
      runtime,
    )
    const expected = new Map(Object.entries(ON_8X8))
    const jobs = [1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert.equal(
      steps.map(text),
      jobs.map((count) => expected.get(String(count)) ?? ''),
    )
  })
}

const large: readonly Runtime[] = isFull ? ['inline', 'threads'] : ['inline']

for (const runtime of large) {
  const mesh = { m: 4, n: 4 }
  test(`FOLD on ${meshText(mesh)}, ${runtime}, threads are sent: sixteen jobs arrive and depart as the specification says`, async () => {
    const script = SCRIPT.map(({ event }): Step => {
      const [type, job] = event.split(' ')
      return { type: type === 'arrive' ? 'arrive' : 'depart', job: Number(job) }
    })
    const steps = await stepsOf({ allocator: fold(mesh), detail: 'moves', leaders: 16 }, script, runtime)
    const ringText = (snapshot: Snapshot) =>
      snapshot.rings.flat().map(({ job, size }) => {
        const partition = snapshot.partitions.get(job)
        return `${job}${size} ${partition ? textOf(partition) : 'nowhere'}`
      })
    for (const [i, { event, ring }] of SCRIPT.entries()) {
      const snapshot = steps[i]
      assert.is(snapshot && ringText(snapshot).join(' | '), ring, event)
    }
  })
}

for (const [detail, jitter] of [
  ['moves', 0.2],
  ['fine', 1],
] as const) {
  test(`FOLD with swaps and rotations, ${detail}: all jobs end, in whatever order mail of different senders arrives`, async () => {
    const mesh = { m: 1, n: 2 }
    const jobs = [1.1, 0.4, 1.6, 0.7, 0.9, 0.2].map((work, i) => ({
      job: i + 1,
      arrival: units(0.3 * i),
      work: units(work),
      minimum: 1,
    }))
    for (let seed = 1; seed <= 7; seed++) {
      const { broken, crashes } = await runMesh(
        {
          allocator: { ...fold(mesh), limit: 3, swaps: { every: units(0.5), takes: units(0.1) } },
          clock: { interval: units(0.5), isPerJob: false },
          job: { model: { ...BASELINE, mesh }, mapping: 'simple' },
          detail,
          leaders: 4,
          work: { jobs },
        },
        { runtime: 'inline', seed, network: { latency: units(0.01), jitter: units(jitter) } },
      )
      assert.equal([broken, crashes], [[], []], `seed ${seed}`)
    }
  })
}

test.run()
