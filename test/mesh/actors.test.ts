/** Partitions of runs by messages, on threads and inline. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Mesh, meshText, processorsOf } from '../../actors/mesh/mesh.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { textOf } from '../../actors/mesh/rectangle.ts'
import { units } from '../../lib/actor.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { runMesh } from '../../scenarios/mesh/run.ts'
import { sampled } from '../repeats.ts'
import { ON_8X8, ON_16X16 } from './golden/equi.ts'

const multicomputerOf = (mesh: Mesh, leaders: number, work: Multicomputer['work']): Multicomputer => ({
  allocator: { policy: 'equi', mesh, deal: 'arrival', limit: processorsOf(mesh) },
  job: { model: { ...BASELINE, mesh }, mapping: 'simple' },
  leaders,
  work,
})

const arrivals = (jobs: number): Step[] => Array.from({ length: jobs }, (_, i) => ({ type: 'arrive', job: i + 1 }))

const CASES: readonly (readonly [Mesh, Readonly<Record<string, string>>])[] = [
  [{ m: 3, n: 3 }, ON_8X8],
  [{ m: 4, n: 4 }, ON_16X16],
]

for (const [runtime, cases] of [
  ['inline', CASES],
  ['threads', sampled(CASES)],
] as const) {
  for (const [mesh, expected] of cases) {
    test(`EQUI on ${meshText(mesh)}, ${runtime}: jobs that arrive and depart get the partitions of the specification`, async () => {
      const most = Object.keys(expected).length
      const departures = Array.from({ length: most - 1 }, (_, i): Step => ({ type: 'depart', job: i + 1 }))
      const multicomputer = multicomputerOf(mesh, most, { script: [...arrivals(most), ...departures] })
      const { oracle: watch, crashes, end } = await runMesh(multicomputer, { runtime })
      assert.equal(crashes, [])
      assert.is(end.ended, 'idle')
      assert.equal(watch.broken, [])
      assert.is(watch.steps.length, 2 * most - 1)
      for (const [step, snapshot] of watch.steps.entries()) {
        const jobs = step < most ? step + 1 : 2 * most - 1 - step
        const inOrder = [...snapshot.partitions].sort(([one], [other]) => one - other)
        const text = inOrder.map(([, partition]) => textOf(partition)).join(' | ')
        assert.is(text, expected[String(jobs)], `step ${step}`)
      }
    })
  }
}

test('a job alone takes its time alone, and two jobs that share the mesh run at half the pace at most', async () => {
  const mesh = { m: 2, n: 2 }
  const job = (number: number, arrival: number) => ({
    job: number,
    arrival: units(arrival),
    work: units(10),
    minimum: 1,
  })
  const free = multicomputerOf(mesh, 2, { jobs: [job(1, 0), job(2, 20), job(3, 20)] })
  const multicomputer = { ...free, job: { ...free.job, model: { ...free.job.model, charged: false } } }
  const { oracle: watch } = await runMesh(multicomputer, { runtime: 'inline' })
  const times = [...watch.jobs.values()].map(({ began, ended }) => ((ended ?? Number.NaN) - began) / units(1))
  // a step takes 0.102 s alone, and 2 * 0.1 + 3 * 0.001 + 0.0005 s in half of the mesh
  const shared = (10 * 0.2035) / 0.102
  assert.equal(
    times.map((time) => time.toFixed(3)),
    [10, shared, shared].map((time) => time.toFixed(3)),
  )
})

test.run()
