/** The offered load of a workload. */
import type { Job } from './job.ts'

/**
 * Offered load: all work, divided by the work that `capacity` (the sum of the speeds) could do from the first arrival to the
 * last. It is null if these are the same instant, for then there is no rate of arrivals.
 */
export function offeredLoad(jobs: readonly Pick<Job, 'arrival' | 'work'>[], capacity: number): number | null {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  let total = 0
  for (const { arrival, work } of jobs) {
    first = Math.min(first, arrival)
    last = Math.max(last, arrival)
    total += work
  }
  return last > first ? total / (capacity * (last - first)) : null
}
