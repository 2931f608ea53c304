/** The workload of McCann 1994, section 5.4: short and long jobs that arrive at random. */
import type { MeshJob } from '../../../actors/mesh/user.ts'
import { MAX_UNITS } from '../../../lib/core/format.ts'
import { exponential, keyed } from '../../../lib/core/random.ts'
import { type Time, toUnits, units } from '../../../lib/core/time.ts'

/** The mix of jobs; times are in seconds. */
export type Mix = {
  /** The load: the mean number of jobs that arrive in the mean time that a job takes alone, > 0. */
  readonly load: number
  /** The fraction of jobs that are short, 0 to 1. */
  readonly short: number
  /** The mean times that they take alone on the whole machine, > 0. */
  readonly shortMean: number
  readonly longMean: number
}

export const CLASSES = ['short', 'long'] as const
export type Class = (typeof CLASSES)[number]

export type ClassedJob = MeshJob & { readonly class: Class; readonly work: Time }

/** The mix of the thesis: load 0.5, and means of half a minute and a quarter of an hour. */
export const OF_THESIS = { load: 0.5, shortMean: 30, longMean: 900 } as const

/** A geometric number of cycles, at least one: each is the last one with probability 1 / mean. */
const geometric = (u: number, mean: number): number =>
  mean <= 1 ? 1 : Math.max(1, Math.ceil(Math.log(1 - u) / Math.log(1 - 1 / mean)))

/**
 * Jobs with Poisson arrivals and geometric numbers of cycles. The draws for a job depend on its number only, not on the
 * policy that serves it.
 *
 * @param cycle the time of one step of a job alone on the whole machine
 * @throws RangeError if they would arrive later than the longest possible time
 */
export function generateMeshJobs(
  seed: number,
  count: number,
  { load, short, shortMean, longMean }: Mix,
  cycle: Time,
): ClassedJob[] {
  const gap = (short * shortMean + (1 - short) * longMean) / load
  if (gap * count * 2 > MAX_UNITS) throw new RangeError(`${count} jobs at load ${load} take too long to arrive`)
  let at = 0
  return Array.from({ length: count }, (_, i) => {
    at += exponential(keyed(seed, 'gap', i), gap)
    const ofClass = keyed(seed, 'class', i) < short ? 'short' : 'long'
    const mean = ofClass === 'short' ? shortMean : longMean
    const cycles = geometric(keyed(seed, 'cycles', i), mean / toUnits(cycle))
    return { job: i + 1, class: ofClass, arrival: units(at), work: cycles * cycle, minimum: 1 }
  })
}
