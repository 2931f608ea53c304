/** The workload of McCann 1994, section 5.4: short and long jobs that come at random. */
import type { MeshJob } from '../../../actors/mesh/user.ts'
import { MAX_UNITS } from '../../../lib/core/format.ts'
import { exponential, keyed } from '../../../lib/core/random.ts'
import { type Time, toUnits, units } from '../../../lib/core/time.ts'

/** Times in seconds. */
export type Mix = {
  /** Jobs that arrive in the time that one takes alone on average, > 0. */
  readonly load: number
  /** The part of all jobs that is short, 0 to 1. */
  readonly short: number
  /** How long they take alone on the whole machine, on average, > 0. */
  readonly shortMean: number
  readonly longMean: number
}

export const CLASSES = ['short', 'long'] as const
export type Class = (typeof CLASSES)[number]

export type ClassedJob = MeshJob & { readonly class: Class; readonly work: Time }

/** 0.5 of a machine, and means of half a minute and a quarter of an hour. */
export const THEIRS = { load: 0.5, shortMean: 30, longMean: 900 } as const

/** Cycles until one is the last, if each is that with probability 1 / mean; at least one. */
const geometric = (u: number, mean: number): number =>
  mean <= 1 ? 1 : Math.max(1, Math.ceil(Math.log(1 - u) / Math.log(1 - 1 / mean)))

/**
 * Poisson arrivals, and a geometric number of cycles each. What is drawn for a job is drawn for its number: it does not depend
 * on who serves it.
 *
 * @param cycle one step of a job alone on the whole machine
 * @throws RangeError if they would take more than the longest time to arrive
 */
export function generateJobs(
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
