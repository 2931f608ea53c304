/** Sizes, rotations, shapes of partitions and efficiency of each policy, by number of jobs (sections 5 and 6). */
import { EQUI_RULES, type EquiRules, equi } from '../../../actors/mesh/equi.ts'
import { meanStepTime } from '../../../actors/mesh/job/pace.ts'
import { type Mapping, type Shape, simple, snake } from '../../../actors/mesh/mapping.ts'
import { columnsOf, cutsOf, floorLog2, isPowerOfTwo, type Mesh, rowsOf, wholeOf } from '../../../actors/mesh/mesh.ts'
import type { Model } from '../../../actors/mesh/model.ts'
import type { Time } from '../../../lib/actor.ts'
import { sum } from '../../../lib/core/tally.ts'

interface Sizes {
  /** The level; there are 2^level cells. */
  readonly level: number
  /** The number of jobs with one cell. */
  readonly small: number
  /** The number of jobs with two cells. */
  readonly large: number
}

/** The sizes of `jobs` >= 1 jobs in folding. */
export function sizesOf(jobs: number): Sizes {
  const level = isPowerOfTwo(jobs) ? floorLog2(jobs) : floorLog2(jobs) + 1
  const cells = 1 << level
  return { level, small: 2 * jobs - cells, large: cells - jobs }
}

/**
 * The number of rotations after which the sizes repeat and every job has been small equally often, N(J); 0 if nothing
 * rotates.
 */
export function periodOf(jobs: number): number {
  if (isPowerOfTwo(jobs)) return 0
  return jobs % 2 === 0 ? periodOf(jobs / 2) : jobs
}

/** The number of exchanges that each job takes part in during that period, f(J). */
export function exchangesOf(jobs: number): number {
  if (isPowerOfTwo(jobs)) return 0
  if (jobs % 2 === 0) return exchangesOf(jobs / 2)
  const { small, large } = sizesOf(jobs)
  return 2 * Math.min(small, large)
}

// --- shapes and efficiency --------------------------------------------------------------------------------------------

export interface Policy {
  readonly mapping: Mapping
  readonly shapes: (mesh: Mesh, jobs: number) => readonly Shape[]
}

/** The shape of the cells of a level, as halving makes them. In a ring two small cells may form a longer shape. */
export function cellShape(mesh: Mesh, level: number): Shape {
  const cuts = cutsOf(mesh, level)
  const rows = cuts.filter((cut) => cut === 'rows').length
  return { rows: rowsOf(mesh) >> rows, columns: columnsOf(mesh) >> (level - rows) }
}

function foldShapes(mesh: Mesh, jobs: number): readonly Shape[] {
  const { level, small, large } = sizesOf(jobs)
  return [
    ...new Array<Shape>(small).fill(cellShape(mesh, level)),
    ...(large > 0 ? new Array<Shape>(large).fill(cellShape(mesh, level - 1)) : []),
  ]
}

const FOLD: Policy = { mapping: simple, shapes: foldShapes }

const equiWith = (mapping: Mapping, rules: EquiRules): Policy => ({
  mapping,
  shapes: (mesh, jobs) => equi(mesh, jobs, rules),
})

export const policiesOf = (rules: EquiRules = EQUI_RULES.standard) =>
  ({ EQUI: equiWith(simple, rules), 'EQUI+': equiWith(snake, rules), FOLD }) as const

export type PolicyName = keyof ReturnType<typeof policiesOf>

/**
 * Efficiency preservation: the work of all jobs together over that of one job alone (equation 3.1), by number of jobs.
 * It is 1 for one job, and above 1 where fewer processors communicate less and wait less for each other.
 */
export function efficiencyOf(model: Model, { mapping, shapes }: Policy): (jobs: number) => number {
  const times = new Map<string, Time>()
  const timeOf = (shape: Shape): Time => {
    const key = `${shape.rows}x${shape.columns}`
    const known = times.get(key)
    if (known !== undefined) return known
    const time = meanStepTime(model, mapping, shape)
    times.set(key, time)
    return time
  }
  const alone = timeOf(wholeOf(model.mesh))
  return (jobs) => sum(shapes(model.mesh, jobs), (shape) => alone / timeOf(shape))
}
