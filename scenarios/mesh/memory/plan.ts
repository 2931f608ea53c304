/** Jobs with minima under BUDDY and EQUI-EPOCH, as rectangles of processors and time. */
import { type Fraction, sum, ZERO } from '../../../actors/mesh/fraction.ts'
import { floorLog2, isPowerOfTwo, type Mesh } from '../../../actors/mesh/mesh.ts'
import { textOf } from '../../../actors/mesh/rectangle.ts'
import { blockOn, buddy, epochs, swapped, swappedBy } from '../../../actors/mesh/timetable.ts'

/**
 * A block of a job, counted from 1 in the order of the minima, on processors from x on. Times are parts of the period.
 */
export interface Piece {
  readonly job: number
  readonly minimum: number
  readonly x: number
  readonly width: number
  readonly start: Fraction
  readonly lasts: Fraction
  /** The partition on a mesh that is as square as possible; null for EQUI-EPOCH, which does not define it. */
  readonly where: string | null
}

export interface Plan {
  readonly policy: 'BUDDY' | 'EQUI-EPOCH'
  readonly pieces: readonly Piece[]
  /** The number of processors whose threads are exchanged in a period. */
  readonly cost: number
  /** The number of times that all jobs change at once; null if they do not. */
  readonly epochs: number | null
}

/** A mesh that is as square as possible; the larger exponent is that of the rows. */
const meshWith = (processors: number): Mesh => {
  const exponent = floorLog2(processors)
  return { m: Math.ceil(exponent / 2), n: Math.floor(exponent / 2) }
}

function buddyPlan(processors: number, minima: readonly number[]): Plan {
  const blocks = buddy(processors, minima)
  const mesh = meshWith(processors)
  const pieces = blocks.map((block): Piece => {
    const { job, minimum, x, width, y, height } = block
    return { job: job + 1, minimum, x, width, start: y, lasts: height, where: textOf(blockOn(mesh, block)) }
  })
  return { policy: 'BUDDY', pieces, cost: swapped(blocks), epochs: null }
}

function epochPlan(processors: number, minima: readonly number[]): Plan {
  const all = epochs(processors, minima)
  let start = ZERO
  const pieces: Piece[] = []
  for (const { jobs, width, duration } of all) {
    for (const [place, job] of jobs.entries()) {
      const minimum = minima[job] ?? 0
      pieces.push({ job: job + 1, minimum, x: place * width, width, start, lasts: duration, where: null })
    }
    start = sum(start, duration)
  }
  return { policy: 'EQUI-EPOCH', pieces, cost: swappedBy(processors, all), epochs: all.length }
}

/** The plans of both policies, or of EQUI-EPOCH only if the processors are not a power of two. */
export const plansOf = (processors: number, minima: readonly number[]): readonly Plan[] => [
  ...(isPowerOfTwo(processors) ? [buddyPlan(processors, minima)] : []),
  epochPlan(processors, minima),
]
