/** Small meshes that flags of one word cannot make: threads on processors, tables of periods, scripts. */
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { units } from '../../lib/actor.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { type Multicomputer, plainModel } from '../../scenarios/mesh/model.ts'
import { meshRun } from '../../scenarios/mesh/run.ts'

type Scene = (actors?: URL) => Specification

const MESH = { m: 1, n: 2 }

/** Jobs that arrive one after the other, so that leaders have several, of more and of less work. */
function onMesh(more: Pick<Multicomputer, 'allocator'> & Partial<Multicomputer>): Scene {
  const works = [1.1, 0.4, 1.6, 0.7, 0.9, 0.2]
  const jobs = works.map((work, i) => ({
    job: i + 1,
    arrival: units(0.3 * i),
    work: units(work),
    minimum: 1 + (i % 3),
  }))
  const multicomputer: Multicomputer = {
    job: { model: { ...BASELINE, mesh: MESH }, mapping: 'simple' },
    leaders: 4,
    work: { jobs },
    ...more,
  }
  return (actors) =>
    meshRun.specify(plainModel(multicomputer), { seed: 1, network: { latency: units(0.01) } }, [], actors)
}

const swaps = { every: units(0.5), takes: units(0.1) }

/** Two jobs have room: others wait, and one of them departs before it is admitted. */
const CROWDED: readonly Step[] = [
  ...[1, 2, 3, 4].map((job): Step => ({ type: 'arrive', job })),
  ...[4, 3].map((job): Step => ({ type: 'depart', job })),
  { type: 'rotate' },
  { type: 'arrive', job: 3 },
  ...[1, 3].map((job): Step => ({ type: 'depart', job })),
]

/** Nothing happens after the outage that would make an allocator divide the mesh again. */
const BROKEN: Partial<Multicomputer> = {
  leaders: 3,
  work: { script: [1, 2, 3].map((job): Step => ({ type: 'arrive', job })) },
  outages: [{ row: 0, column: 0, at: units(9) }],
  patience: units(3),
}

const fold = { policy: 'fold', mesh: MESH, divides: true } as const
const equi = { policy: 'equi', mesh: MESH, deal: 'arrival' } as const

export const MESHES: Readonly<Record<string, Scene>> = {
  'mesh, fold, threads are sent': onMesh({
    allocator: { policy: 'fold', mesh: MESH, divides: true, limit: 3, swaps },
    clock: { interval: units(0.5), isPerJob: false },
    detail: 'moves',
  }),
  'mesh, equi, threads compute': onMesh({
    allocator: { policy: 'equi', mesh: MESH, deal: 'random', limit: 3, swaps },
    detail: 'fine',
  }),
  'mesh, table, threads compute': onMesh({
    allocator: { policy: 'table', rule: 'buddy', mesh: MESH, line: null, period: units(2) },
    detail: 'fine',
  }),
  'mesh, fold, a script': onMesh({ allocator: { ...fold, limit: 2 }, work: { script: CROWDED } }),
  'mesh, equi, a script': onMesh({ allocator: { ...equi, limit: 2 }, work: { script: CROWDED } }),
  'mesh, fold, outages': onMesh({ allocator: fold, ...BROKEN }),
  'mesh, equi, outages': onMesh({ allocator: equi, ...BROKEN }),
}

const WITH_OUTAGES = ['restart any allocator', 'lose 2']

/** The faults that are tried, by the scene. */
export const FAULTS_OF_MESHES: Readonly<Record<string, readonly string[]>> = {
  'mesh, fold, outages': WITH_OUTAGES,
  'mesh, equi, outages': WITH_OUTAGES,
}
