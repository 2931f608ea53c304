/** How fast a job goes in a partition: in the time of a step alone on the whole mesh it does so many steps, or such a part of one. */
import type { Time } from '../../../lib/actor.ts'
import { leastLoad, loadsOf, type Mapping, type Shape, simple, simpleLoad, snake } from '../mapping.ts'
import { wholeOf } from '../mesh.ts'
import { type Model, stepAlone, stepTime } from '../model.ts'

export const MAPPINGS = {
  simple: { mapping: simple, load: simpleLoad },
  /** Under EQUI+ threads are laid out in a snake, as evenly as can be. */
  snake: { mapping: snake, load: leastLoad },
} as const
export type MappingName = keyof typeof MAPPINGS

/** Where threads differ a step lasts until the slowest processor is done: its mean is used, so that nothing is drawn. */
export function paceIn(model: Model, name: MappingName, shape: Shape): number {
  const { mapping, load } = MAPPINGS[name]
  if (model.delta === 0) return stepAlone(model) / stepTime(model, shape, load(model.mesh, shape))
  const key = `${name} ${shape.rows}x${shape.columns} ${Object.values(model).map(String)} ${model.mesh.m} ${model.mesh.n}`
  const known = paces.get(key)
  if (known !== undefined) return known
  if (paces.size === PACES_MAX) paces.clear()
  const pace = meanStepTime(model, simple, wholeOf(model.mesh)) / meanStepTime(model, mapping, shape)
  paces.set(key, pace)
  return pace
}

/** They depend on nothing but the key. */
const paces = new Map<string, number>()
const PACES_MAX = 4096

// --- progress ---
/* How far a job has come: what is left of its work, and since when it is being done at what pace. */

export type Work = {
  /** As long as it takes alone on the whole machine; of the last time that the pace changed. */
  readonly left: number
  /** Work done per time: the efficiency of its share times that share, 1 alone. 0: it stands still. */
  readonly pace: number
  readonly since: Time
}

/** Counted up to now, and from now on at this pace. */
export function paced({ left, pace, since }: Work, now: Time, then: number): Work {
  return { left: Math.max(0, left - pace * (now - since)), pace: then, since: now }
}

/** From the last change of pace to its end; null: it stands still. */
export const timeLeft = ({ left, pace }: Work): Time | null => (pace > 0 ? Math.ceil(left / pace) : null)

// --- efficiency ---
/* Efficiency preservation: what all jobs together do, over what one of them does alone (section 6, equation 3.1). */

/** Mean time of a step in such a partition: until its slowest processor is done. */
export function meanStepTime(model: Model, mapping: Mapping, shape: Shape): Time {
  const { mesh, delta } = model
  const loads = loadsOf(mapping, mesh, shape).flat()
  if (delta === 0) return stepTime(model, shape, Math.max(...loads))
  const groups = [...new Set(loads)]
    .filter((load) => load > 0)
    .map((load): Alike => {
      const processors = loads.filter((one) => one === load).length
      return { processors, fixed: stepTime(model, shape, load) - load * delta, count: load }
    })
  return meanSlowest(groups, 2 * delta)
}

// --- slowest ---
/* How long the slowest of many processors takes on average, if the time of each thread is uniform. */

/** Processors that are alike: they take `fixed`, and `count` times a number of its own in [0, 1) each, times `width`. */
interface Alike {
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
