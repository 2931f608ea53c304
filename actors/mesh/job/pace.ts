/** The pace of a job in a partition: the steps that it does in the time of one step alone on the whole mesh. */
import type { Time } from '../../../lib/actor.ts'
import { leastLoad, loadsOf, type Mapping, type Shape, simple, simpleLoad, snake } from '../mapping.ts'
import { wholeOf } from '../mesh.ts'
import { type Model, stepAlone, stepTime } from '../model.ts'

export const MAPPINGS = {
  simple: { mapping: simple, load: simpleLoad },
  /** Under EQUI+ threads are laid out in a snake, as evenly as possible. */
  snake: { mapping: snake, load: leastLoad },
} as const
export type MappingName = keyof typeof MAPPINGS

/**
 * The pace in a partition. If the times of threads vary, it uses the mean time of the slowest processor, without draws.
 */
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

/** Known paces; they depend on the key only. */
const paces = new Map<string, number>()
const PACES_MAX = 4096

// --- progress ---------------------------------------------------------------------------------------------------------

/** The progress of a job. */
export type Work = {
  /** The work left when the pace last changed, as the time that it takes alone on the whole machine. */
  readonly left: number
  /** Work done per time: 1 alone on the whole machine, 0 while the job stands still. */
  readonly pace: number
  readonly since: Time
}

/** The progress up to now, continuing at another pace. */
export function paced({ left, pace, since }: Work, now: Time, then: number): Work {
  return { left: Math.max(0, left - pace * (now - since)), pace: then, since: now }
}

/** The time from the last change of pace to the end of the job; null if it stands still. */
export const timeLeft = ({ left, pace }: Work): Time | null => (pace > 0 ? Math.ceil(left / pace) : null)

// --- the mean time of a step ------------------------------------------------------------------------------------------

/** The mean time of a step in a partition: until its slowest processor is done. */
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

/** Processors with the same distribution: each takes `fixed` plus the sum of `count` uniform times in [0, `width`). */
interface Alike {
  readonly processors: number
  readonly fixed: number
  readonly count: number
}

/** The points of a distribution in one unit; `STEPS` is the number of steps of the integral. */
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

/** The value of a distribution at x, linear between its points. */
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

/** The mean time of the slowest of all processors, exact except for the integration; every `count` >= 1. */
export function meanSlowest(groups: readonly Alike[], width: number): number {
  const distributions = groups.map((one) => ({ ...one, sums: sumsOf(one.count) }))
  // below `low` some processor is certain not to have finished; at `high` all have
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
