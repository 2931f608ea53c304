/** How long the slowest of many processors takes on average, if the time of each thread is uniform. */

/** Processors that are alike: they take `fixed`, and `count` times a number of its own in [0, 1) each, times `width`. */
export interface Alike {
  readonly processors: number
  readonly fixed: number
  readonly count: number
}

/** Points of a distribution in one unit; points of the integral. */
const POINTS = 128
const STEPS = 4096

/**
 * Distribution of the sum of `count` uniform numbers (Irwin and Hall), at 0, 1/POINTS, ... `count`. The recursion
 * n F_n(x) = x F_{n-1}(x) + (n - x) F_{n-1}(x - 1) has positive terms only, so that nothing cancels.
 */
function sumsOf(count: number): Float64Array {
  let before = Float64Array.of(...Array.from({ length: POINTS + 1 }, (_, i) => i / POINTS))
  for (let n = 2; n <= count; n++) {
    before = Float64Array.from({ length: n * POINTS + 1 }, (_, i) => {
      const x = i / POINTS
      const [here, shifted] = [before[i] ?? 1, i < POINTS ? 0 : (before[i - POINTS] ?? 1)]
      return (x * here + (n - x) * shifted) / n
    })
  }
  return before
}

/** Between two points a line. */
function at(distribution: Float64Array, x: number): number {
  const position = x * POINTS
  const i = Math.floor(position)
  if (i < 0) return 0
  const [low, high] = [distribution[i] ?? 1, distribution[i + 1] ?? 1]
  return low + (high - low) * (position - i)
}

function power(base: number, exponent: number): number {
  let [result, square] = [1, base]
  for (let left = exponent; left > 0; left >>= 1) {
    if (left % 2 === 1) result *= square
    square *= square
  }
  return result
}

/** The mean of the largest, exactly but for the integral; `count` >= 1. */
export function meanSlowest(groups: readonly Alike[], width: number): number {
  const distributions = groups.map((one) => ({ ...one, sums: sumsOf(one.count) }))
  // below `low` somebody has not finished for certain, at `high` all have
  const low = Math.max(...groups.map(({ fixed }) => fixed))
  const high = Math.max(...groups.map(({ fixed, count }) => fixed + count * width))
  const step = (high - low) / STEPS
  let area = 0
  for (let i = 0; i <= STEPS; i++) {
    const x = low + i * step
    const all = distributions.reduce(
      (done, { sums, fixed, processors }) => done * power(at(sums, (x - fixed) / width), processors),
      1,
    )
    area += i === 0 || i === STEPS ? all / 2 : all
  }
  return high - area * step
}
