/**
 * EQUI-EPOCH: a period is divided into epochs, in each of which some of the jobs share the machine equally (section 7,
 * figure 6.6). As printed it compares the wrong minimum, and strictly.
 */
import { checked } from './buddy.ts'
import { type Fraction, fraction } from './fraction.ts'

export type Epoch = {
  /** Their places in the list of minima. */
  readonly jobs: readonly number[]
  /** Processors of each. */
  readonly width: number
  /** Part of the period: every job has an area of P/J in all. */
  readonly duration: Fraction
}

/**
 * The jobs with the smallest minima first, as many as can share the processors equally. The fewest epochs there can be if the
 * processors are a power of two; at times one more than that otherwise.
 *
 * @param minima of each job, from 1 to `processors`
 * @throws RangeError for anything else
 */
export function epochs(processors: number, minima: readonly number[]): readonly Epoch[] {
  const jobs = checked(processors, minima).toSorted((one, other) => one.minimum - other.minimum || one.job - other.job)
  const all: Epoch[] = []
  for (let start = 0; start < jobs.length; ) {
    let size = jobs.length - start
    // one job alone always fits
    while (processors % size !== 0 || (jobs[start + size - 1]?.minimum ?? 0) > processors / size) size--
    const those = jobs.slice(start, start + size).map(({ job }) => job)
    all.push({ jobs: those, width: processors / size, duration: fraction(size, jobs.length) })
    start += size
  }
  return all
}

/** What changes places in a period, in processors: at the end of an epoch all of them, unless there is only one. */
export const swappedBy = (processors: number, all: readonly Epoch[]): number =>
  all.length === 1 ? 0 : processors * all.length
