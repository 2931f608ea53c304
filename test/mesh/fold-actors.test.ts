/** Rings of jobs that fold by messages, on threads and inline. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { textOf } from '../../actors/mesh/rectangle.ts'
import type { Snapshot } from '../../scenarios/mesh/oracle.ts'
import { type MeshRun, runMesh } from '../../scenarios/mesh/run.ts'
import { PROTOCOL_RUNTIMES } from '../system/harness.ts'
import { FIVE, ROTATIONS, SCRIPT } from './golden/fold.ts'

const mesh = { m: 4, n: 4 }

async function played(
  script: readonly Step[],
  runtime: (typeof PROTOCOL_RUNTIMES)[number],
): Promise<MeshRun['oracle']> {
  const multicomputer = {
    allocator: { policy: 'fold', mesh, divides: true },
    job: { model: { ...BASELINE, mesh }, mapping: 'simple' },
    leaders: 16,
    work: { script },
  } as const
  const { oracle: watch, crashes, end } = await runMesh(multicomputer, { runtime })
  assert.equal(crashes, [])
  assert.is(end.ended, 'idle')
  assert.equal(watch.broken, [])
  assert.is(watch.steps.length, script.length)
  return watch
}

function stepOf(event: string): Step {
  const [type, job] = event.split(' ')
  if (type === 'arrive' || type === 'depart') return { type, job: Number(job) }
  return { type: 'rotate' }
}

const jobText = ({ job, size }: Snapshot['rings'][number][number], { partitions }: Snapshot) => {
  const partition = partitions.get(job)
  return `${job}${size} ${partition ? textOf(partition) : 'nowhere'}`
}

const ringText = (snapshot: Snapshot) =>
  snapshot.rings
    .flat()
    .map((job) => jobText(job, snapshot))
    .join(' | ')

const arrivals = (jobs: number): Step[] => Array.from({ length: jobs }, (_, i) => ({ type: 'arrive', job: i + 1 }))
const rotations = (count: number): Step[] => Array.from({ length: count }, () => ({ type: 'rotate' }))

for (const runtime of PROTOCOL_RUNTIMES) {
  test(`${runtime}: sixteen jobs arrive and depart as the specification says`, async () => {
    const { steps } = await played(
      SCRIPT.map(({ event }) => stepOf(event)),
      runtime,
    )
    for (const [i, { event, ring }] of SCRIPT.entries()) {
      const snapshot = steps[i]
      assert.is(snapshot && ringText(snapshot), ring, event)
    }
  })
}

const RUNS = ROTATIONS.flatMap((one) => PROTOCOL_RUNTIMES.map((runtime) => ({ ...one, runtime })))

for (const { jobs, order, sizes, runtime } of RUNS) {
  test(`${jobs} jobs, ${runtime}: sizes rotate as the specification says`, async () => {
    const expected = sizes.split(' ')
    const { steps } = await played([...arrivals(jobs), ...rotations(expected.length - 1)], runtime)
    for (const [i, text] of expected.entries()) {
      const sizeOf = new Map(steps[jobs - 1 + i]?.rings.flat().map(({ job, size }) => [job, size]))
      const ours = order.split('/').map((ring) =>
        ring
          .split(',')
          .map((job) => sizeOf.get(Number(job)))
          .join(''),
      )
      assert.is(ours.join('/'), text, `after ${i} ticks`)
    }
  })
}

for (const runtime of PROTOCOL_RUNTIMES) {
  test(`five jobs, ${runtime}: partitions rotate as the specification says`, async () => {
    const { steps } = await played([...arrivals(5), ...rotations(FIVE.length - 1)], runtime)
    for (const [i, ring] of FIVE.entries()) {
      const snapshot = steps[4 + i]
      assert.is(snapshot && ringText(snapshot), ring, `after ${i} ticks`)
    }
  })
}

test.run()
