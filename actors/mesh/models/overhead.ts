/** The part of the time that rotations take in folding (section 5.6, equation 5.4). */
import type { Time } from '../../../lib/actor.ts'
import { moveAll, moveData, threadsInLine } from '../costs.ts'
import { floorLog2, type Mesh } from '../mesh.ts'
import { exchangesOf, periodOf } from '../rotations.ts'
import { cellShape, type Machine } from './machine.ts'

/**
 * `derived`: every exchange stops the partitions of two jobs while one folds and the other spreads out. `printed`: equation 5.4
 * as it stands, which counts N(J) f(J) / 2 exchanges instead of J f(J) / 2, is twice as much for odd numbers of jobs and has
 * another narrow side.
 */
export const OVERHEADS = ['derived', 'printed'] as const
export type Overhead = (typeof OVERHEADS)[number]

/** Of all processors' time, if rotations are `interval` apart. Large partitions count as level `k` cells: rings have longer ones. */
export function overheadOf({ mesh, costs }: Machine, jobs: number, interval: Time, formula: Overhead): number {
  const period = periodOf(jobs)
  if (period === 0) return 0
  const pause = moveData(costs) + moveAll(costs)
  const k = floorLog2(jobs)
  if (formula === 'printed') {
    const exponent = Math.max(mesh.m, mesh.n) - Math.floor(k / 2) - 1
    return (exchangesOf(jobs) * scaled(exponent) * pause) / interval
  }
  const exchanges = (jobs * exchangesOf(jobs)) / (2 * period)
  return (exchanges * threadsInLargest(mesh, k) * pause) / (interval * (1 << k))
}

/** Threads that go one after the other when a large partition folds: along its long side. */
function threadsInLargest(mesh: Mesh, k: number): number {
  const large = cellShape(mesh, k)
  return threadsInLine(mesh, large, large.rows >= large.columns ? 'rows' : 'columns')
}

/** 2^exponent. */
const scaled = (exponent: number): number => (exponent < 0 ? 1 / (1 << -exponent) : 1 << exponent)
