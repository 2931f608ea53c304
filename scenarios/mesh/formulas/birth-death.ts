/**
 * Response times as a birth-death process: jobs arrive at random, and the service rate depends on their number (section
 * 6).
 */

/** Sums beyond this are scaled down; only ratios matter. */
const LARGE = 1e200

/**
 * Mean response time over the time that a job takes alone. Arrivals are Poisson and execution times exponential.
 *
 * @param load the load of the machine, > 0: arrivals in the time that a job takes alone
 * @param efficiency the efficiency for a number of running jobs, > 0
 * @param limit the most jobs that run at once; others wait
 * @returns Infinity if more jobs arrive than are served
 */
export function blowUp(load: number, efficiency: (jobs: number) => number, limit: number): number {
  let [weight, all, jobs, ratio] = [1, 1, 0, 0]
  for (let n = 1; n <= limit; n++) {
    ratio = load / efficiency(n)
    weight *= ratio
    all += weight
    jobs += n * weight
    if (weight > LARGE) {
      all /= weight
      jobs /= weight
      weight = 1
    }
  }
  if (ratio >= 1) return Number.POSITIVE_INFINITY
  // from the limit on each state is `ratio` times as probable as the one before
  const tail = ratio / (1 - ratio)
  all += weight * tail
  jobs += weight * tail * (limit + 1 / (1 - ratio))
  return jobs / all / load
}

/** The blow-up if jobs shared the machine without loss. */
export const idealBlowUp = (load: number): number => 1 / (1 - load)
