/**
 * MSER-5: how much of a run's front is warm-up (White 1997; Spratt 1998). The cut is put where the mean of what is
 * left would be known best, as judged from means of 5 observations.
 */
import { batchesOf } from './batch-means.ts'

export interface WarmUp {
  /** How many observations to delete from the front; null if the run is too short to say: run longer. */
  readonly drop: number | null
  /** The squared standard error at the best cut: what was minimized. */
  readonly z: number
}

const BATCH = 5

/**
 * z(d) = sum over i >= d of (Y_i - mean)^2 / (n - d)^2 is minimized over the cuts d. A minimum in the second half of
 * the run is no warm-up but a run that has not settled. The last batches, at most 5, are no cuts: there z is near 0
 * by chance (as in kim-convergence).
 *
 * @throws RangeError for fewer than 20 observations
 */
export function mser5(values: readonly number[]): WarmUp {
  const count = Math.floor(values.length / BATCH)
  if (count < 4) throw new RangeError(`mser5 needs 20 or more observations, not ${values.length}`)
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
 * The mean over replications at each index, as long as the shortest: of several replications, or of the policies that
 * are to be compared, this is what `mser5` is for, and all drop the same.
 */
export function acrossReplications(runs: readonly (readonly number[])[]): number[] {
  const length = runs.length === 0 ? 0 : Math.min(...runs.map((run) => run.length))
  return Array.from({ length }, (_, i) => runs.reduce((sum, run) => sum + (run[i] ?? 0), 0) / runs.length)
}
