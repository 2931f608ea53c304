/** Fairness: the load of each job's fullest processor over the mean load (section 6). */
import { type Fraction, fraction, toNumber } from '../../../actors/mesh/fraction.ts'
import { largestLoad } from '../../../actors/mesh/mapping.ts'
import { floorLog2, type Mesh, processorsOf } from '../../../actors/mesh/mesh.ts'
import { type Policy, periodOf } from './policies.ts'

/** The least and the largest ratio of all jobs; 1 is exactly the share. */
export interface Range {
  readonly least: number
  readonly most: number
}

/** The fairness if partitions do not change. */
export function fairnessOf(mesh: Mesh, { mapping, shapes }: Policy, jobs: number): Range {
  const loads = new Set(shapes(mesh, jobs).map((shape) => largestLoad(mapping, mesh, shape)))
  const ratios = [...loads].map((load) => load / jobs)
  return { least: Math.min(...ratios), most: Math.max(...ratios) }
}

/**
 * The fairness of folding, for a job that alone takes as long as 1/q intervals between rotations. The job has its share
 * in whole cycles. In the remaining time it is always small, or always large. With `q` >= 1 it never sees a rotation.
 */
export function rotatingFairness(mesh: Mesh, jobs: number, q: Fraction): Range {
  const period = periodOf(jobs)
  if (period === 0) return { least: 1, most: 1 }
  const large = processorsOf(mesh) / (processorsOf(mesh) >> floorLog2(jobs))
  const isStill = q.numerator >= q.denominator
  const cycles = isStill ? 0 : Math.floor((jobs * q.denominator) / (period * q.numerator))
  const even = toNumber(fraction(cycles * period * q.numerator, q.denominator))
  const rest = 1 - even / jobs
  return { least: (even + rest * large) / jobs, most: (even + rest * 2 * large) / jobs }
}
