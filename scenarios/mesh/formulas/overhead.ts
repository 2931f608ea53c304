import { floorLog2, processorsOf } from '../../../actors/mesh/mesh.ts'
import type { Model } from '../../../actors/mesh/model.ts'
import type { Time } from '../../../lib/actor.ts'
import { cellShape, exchangesOf, periodOf } from './policies.ts'

/**
 * The formulas of the overhead. `derived`: every exchange stops the partitions of two jobs while one folds and the
 * other spreads out. `printed`: equation 5.4 as it stands, which counts N(J) f(J) / 2 exchanges instead of J f(J) / 2,
 * is twice as much for odd numbers of jobs and has another narrow side.
 */
export const OVERHEADS = ['derived', 'printed'] as const
export type Overhead = (typeof OVERHEADS)[number]

/**
 * The part of all processors' time that rotations take, one every `interval`. The formula takes large partitions for
 * cells of level k, although rings also have longer ones.
 */
export function overheadOf(model: Model, jobs: number, interval: Time, formula: Overhead): number {
  const { mesh, data, code } = model
  const period = periodOf(jobs)
  if (period === 0) return 0
  const k = floorLog2(jobs)
  const pause = 2 * data + code
  if (formula === 'printed') {
    const exponent = Math.max(mesh.m, mesh.n) - Math.floor(k / 2) - 1
    return (exchangesOf(jobs) * scaled(exponent) * pause) / interval
  }
  const { rows, columns } = cellShape(mesh, k)
  // half of all threads move, one after the other in each of the lines along the long side
  const inLine = processorsOf(mesh) / 2 / Math.min(rows, columns)
  const exchanges = (jobs * exchangesOf(jobs)) / (2 * period)
  return (exchanges * inLine * pause) / (interval * (1 << k))
}

/** The power of two of an exponent, which may be negative. */
const scaled = (exponent: number): number => (exponent < 0 ? 1 / (1 << -exponent) : 1 << exponent)
