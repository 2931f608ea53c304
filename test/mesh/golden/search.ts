/** The best schedules, found by exhaustive search. */

/** Every list of `jobs` minima from `from` to `processors` that matters: powers of two in ascending order. */
export function everyMinima(processors: number, jobs: number, from = 1): readonly (readonly number[])[] {
  if (jobs === 0) return [[]]
  if (from > processors) return []
  const more = everyMinima(processors, jobs, 2 * from)
  return [...everyMinima(processors, jobs - 1, from).map((rest) => [from, ...rest]), ...more]
}

/**
 * The lowest cost of a schedule that gives every job one width, a power of two, for one stretch of the period on any
 * processors. Time is in ticks of 1/J of the period; a job lasts P over its width, which is a power of two.
 *
 * @param minima powers of two, and a power of two of them
 */
export function cheapestSchedule(processors: number, minima: readonly number[]): number {
  const jobs = minima.length
  const longest = minima.map((minimum) => Math.min(jobs, processors / minimum)).sort((one, other) => one - other)
  let best = Number.POSITIVE_INFINITY
  const chosen: number[] = []
  const choose = (job: number, cost: number) => {
    if (cost >= best) return
    const limit = longest[job]
    if (limit === undefined) {
      if (fits(processors, jobs, chosen)) best = cost
      return
    }
    // jobs are sorted by their longest duration, so durations may be assumed to rise: to exchange two changes nothing
    for (let lasts = limit; lasts >= (chosen[job - 1] ?? 1); lasts /= 2) {
      chosen.push(lasts)
      choose(job + 1, cost + (lasts < jobs ? processors / lasts : 0))
      chosen.pop()
    }
  }
  choose(0, 0)
  return best
}

/** Whether jobs with these durations in ticks can be scheduled so that all processors are busy at every tick. */
function fits(processors: number, ticks: number, lasts: readonly number[]): boolean {
  const failed = new Set<string>()
  /** Whether the waiting jobs fill all processors from `tick` on; `open` has the running jobs, with the ticks left. */
  const from = (tick: number, waiting: readonly number[], open: readonly number[]): boolean => {
    if (tick === ticks) return waiting.length === 0 && open.length === 0
    const key = `${tick}/${waiting.join()}/${open.join()}`
    if (failed.has(key)) return false
    const busy = open.reduce((sum, one) => sum + processors / (one & 1023), 0)
    const isPossible = begun(processors - busy, waiting).some(({ starts, rest }) => {
      // the low ten bits keep the original length, and the bits above them the ticks left
      const running = [...open, ...starts.map((length) => length + length * 1024)].map((one) => one - 1024)
      return from(
        tick + 1,
        rest,
        running.filter((one) => one >= 1024).sort((one, other) => one - other),
      )
    })
    if (!isPossible) failed.add(key)
    return isPossible
  }
  /** Every way to start waiting jobs that fill `free` processors exactly. */
  const begun = (free: number, waiting: readonly number[]): { starts: number[]; rest: number[] }[] => {
    if (free === 0) return [{ starts: [], rest: [...waiting] }]
    return [...new Set(waiting)].flatMap((length) => {
      const width = processors / length
      if (width > free) return []
      const at = waiting.indexOf(length)
      // starts are tried in falling order of width, so that no set of starts is tried twice
      const left = waiting.filter((other, i) => i !== at && other >= length)
      const skipped = waiting.filter((other) => other < length)
      return begun(free - width, left).map(({ starts, rest }) => ({
        starts: [length, ...starts],
        rest: [...skipped, ...rest],
      }))
    })
  }
  return from(0, lasts, [])
}

/**
 * The least number of epochs over all orders and choices of jobs. Any set of jobs may share the machine if the processors
 * can be divided equally among them.
 */
export function fewestEpochs(processors: number, minima: readonly number[]): number {
  // an epoch may as well take jobs with consecutive minima: a job fits in the place of one with a larger minimum
  const sorted = minima.toSorted((one, other) => one - other)
  const known = new Map<string, number>()
  const from = (left: readonly number[]): number => {
    if (left.length === 0) return 0
    const key = left.join()
    const before = known.get(key)
    if (before !== undefined) return before
    let best = Number.POSITIVE_INFINITY
    // the job with the largest minimum is in some epoch, together with the next largest ones
    for (let size = 1; size <= left.length; size++) {
      if (processors % size !== 0 || (left.at(-1) ?? 0) > processors / size) continue
      best = Math.min(best, 1 + from(left.slice(0, left.length - size)))
    }
    known.set(key, best)
    return best
  }
  return from(sorted)
}

/** The number of epochs if the jobs with the largest minima go first. */
export function largestFirst(processors: number, minima: readonly number[]): number {
  let left = minima.toSorted((one, other) => other - one)
  let count = 0
  for (; left.length > 0; count++) {
    let size = left.length
    while (processors % size !== 0 || (left[0] ?? 0) > processors / size) size--
    left = left.slice(size)
  }
  return count
}
