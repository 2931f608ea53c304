/** How many jobs are small and large in folding, and how often they change places (section 5), by their number alone. */
import { floorLog2, isPowerOfTwo } from './mesh.ts'

export interface Sizes {
  /** There are 2^level cells. */
  readonly level: number
  /** Jobs with one cell. */
  readonly small: number
  /** Jobs with two. */
  readonly large: number
}

/** `jobs` >= 1. */
export function sizesOf(jobs: number): Sizes {
  const level = isPowerOfTwo(jobs) ? floorLog2(jobs) : floorLog2(jobs) + 1
  const cells = 1 << level
  return { level, small: 2 * jobs - cells, large: cells - jobs }
}

/** After so many rotations the sizes repeat, and every job has been small as often; 0: nothing rotates. N(J) of the thesis. */
export function periodOf(jobs: number): number {
  if (isPowerOfTwo(jobs)) return 0
  return jobs % 2 === 0 ? periodOf(jobs / 2) : jobs
}

/** In how many exchanges each job takes part meanwhile: f(J). */
export function exchangesOf(jobs: number): number {
  if (isPowerOfTwo(jobs)) return 0
  if (jobs % 2 === 0) return exchangesOf(jobs / 2)
  const { small, large } = sizesOf(jobs)
  return 2 * Math.min(small, large)
}
