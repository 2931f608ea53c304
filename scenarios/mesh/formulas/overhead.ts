/**
 * The part of the time that rotations take in folding: by equation 5.4, and for the real shapes of partitions (section
 * 5.6).
 */
import { ringOf } from '../../../actors/mesh/fold/cells.ts'
import { arrival, ticked } from '../../../actors/mesh/fold/changes.ts'
import { divided } from '../../../actors/mesh/fold/division.ts'
import { emptyFold, type Fold, partitionsOf, stretchesOf } from '../../../actors/mesh/fold/fold.ts'
import { floorLog2, processorsOf, wholeOf } from '../../../actors/mesh/mesh.ts'
import { type Model, movingTime } from '../../../actors/mesh/model.ts'
import { areaOf } from '../../../actors/mesh/rectangle.ts'
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

// --- with the real shapes of partitions -------------------------------------------------------------------------------

/**
 * The part of all processors' time that rotations take, one every `interval`: the mean over all positions that these
 * jobs pass through, after they arrived one after the other. Equation 5.4 takes every large partition for a cell of the
 * level above. Partitions around a corner of the ring are longer, and fold more slowly.
 */
export function exactOverhead(model: Model, jobs: number, interval: Time): number {
  const { mesh } = model
  let fold = emptyFold(wholeOf(mesh))
  for (let job = 1; job <= jobs; job++) fold = arrival(fold, `${job}`).at(-1)?.fold ?? fold
  fold = divided(fold)?.fold ?? fold
  for (let tick = 0; tick < jobs; tick++) fold = ticked(fold).fold
  const cycle = ringOf(fold.area, fold.level)
  const start = positionsOf(fold)
  let [stopped, ticks] = [0, 0]
  do {
    const before = new Map(partitionsOf(fold, cycle).map((partition) => [partition.owner, partition.rectangle]))
    fold = ticked(fold).fold
    for (const { owner, rectangle } of partitionsOf(fold, cycle)) {
      const from = before.get(owner) ?? rectangle
      const large = areaOf(from) > areaOf(rectangle) ? from : rectangle
      stopped += areaOf(large) * movingTime(model, from, rectangle)
    }
    ticks++
  } while (positionsOf(fold) !== start)
  return stopped / (ticks * interval * processorsOf(mesh))
}

const positionsOf = (fold: Fold): string =>
  stretchesOf(fold)
    .map(({ owner, cells }) => `${owner} ${cells}`)
    .join()
