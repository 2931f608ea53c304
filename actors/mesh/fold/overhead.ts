/** What rotations cost with the shapes that partitions really have (section 5.6). */
import type { Time } from '../../../lib/actor.ts'
import { processorsOf, wholeOf } from '../mesh.ts'
import { type Model, movingTime } from '../model.ts'
import { areaOf } from '../rectangle.ts'
import { arrival } from './arrival.ts'
import { divided } from './division.ts'
import { emptyFold, type Fold, partitionsOf, stretchesOf } from './fold.ts'
import { ringOf } from './ring.ts'
import { ticked } from './rotation.ts'

/**
 * The part of all processors' time, if rotations are `interval` apart: the mean of all positions that so many jobs come through
 * who have arrived one after the other. Equation 5.4 takes every large partition for a cell of the level above; those
 * around a corner of the ring are longer than that, and fold more slowly.
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
