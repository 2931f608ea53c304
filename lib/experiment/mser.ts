/**
 * MSER-5: finds the warm-up at the front of a run (White 1997; Spratt 1998). The cut minimizes the standard error of the
 * mean of the rest, computed from means of 5 observations.
 */
import { OutOfRange } from '../core/error.ts'
import { sum } from '../core/tally.ts'
import { batchesOf } from './batch-means.ts'

/** The warm-up of a run that `mser5` found. */
export interface WarmUp {
  /** The number of observations to delete from the front; null if the run is too short to tell, so run longer. */
  readonly drop: number | null
  /** The squared standard error at the best cut, which was minimized. */
  readonly z: number
}

const BATCH = 5

/**
 * z(d) = sum over i >= d of (Y_i - mean)^2 / (n - d)^2 is minimized over the cuts d. A minimum in the second half of
 * the run is no warm-up but a run that has not settled. The last batches, at most 5, are no cuts: there z is near 0
 * by chance (as in kim-convergence).
 *
 * @throws OutOfRange for fewer than 20 observations
 */
export function mser5(values: readonly number[]): WarmUp {
  const count = Math.floor(values.length / BATCH)
  if (count < 4) throw new OutOfRange(`mser5 needs 20 or more observations, not ${values.length}`)
  const means = batchesOf(values.slice(0, count * BATCH), count)
  const lastCut = count - Math.floor(Math.min(BATCH, count / 4)) - 1
  let best = { cut: 0, z: Number.POSITIVE_INFINITY }
  // Backwards, so that mean and squares of what is left are those of one batch less and one more (Welford 1962).
  let mean = 0
  let squares = 0
  for (let cut = count - 1; cut >= 0; cut--) {
    const left = count - cut
    const deviation = (means[cut] ?? 0) - mean
    mean += deviation / left
    squares += deviation * ((means[cut] ?? 0) - mean)
    const z = squares / (left * left)
    if (cut <= lastCut && z <= best.z) best = { cut, z }
  }
  return { drop: best.cut > count / 2 ? null : best.cut * BATCH, z: best.z }
}

/**
 * The mean over replications at each index, as long as the shortest. Apply `mser5` to this mean of replications or of
 * policies that are to be compared, so that all of them drop the same warm-up.
 */
export function acrossReplications(runs: readonly (readonly number[])[]): number[] {
  const length = runs.length === 0 ? 0 : Math.min(...runs.map((run) => run.length))
  return Array.from({ length }, (_, i) => sum(runs, (run) => run[i] ?? 0) / runs.length)
}
