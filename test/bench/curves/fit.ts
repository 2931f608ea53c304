/** Growth as powers of the size: one power for all points, or two with a bend between them. */
import { linearRegression, linearRegressionLine } from 'simple-statistics'

export interface Spot {
  readonly size: number
  /** The measured value, which is positive. */
  readonly value: number
}

export interface Bend {
  /** The place of the bend: the last size of the first part, and the first size of the second. */
  readonly at: number
  readonly before: number
  readonly after: number
}

type Pair = readonly [number, number]

const inLogs = (spots: readonly Spot[]): Pair[] => spots.map(({ size, value }) => [Math.log(size), Math.log(value)])

function lineThrough(pairs: readonly Pair[]): { readonly power: number; readonly error: number } {
  const line = linearRegression(pairs.map(([x, y]) => [x, y]))
  const at = linearRegressionLine(line)
  return { power: line.m, error: pairs.reduce((sum, [x, y]) => sum + (y - at(x)) * (y - at(x)), 0) }
}

/** The power that fits best: the slope of a line through the logarithms. */
export const powerOf = (spots: readonly Spot[]): number => lineThrough(inLogs(spots)).power

/** Two lines replace one line if they leave less than this part of its error, and if their powers differ by more than the second value. */
const PART = 0.25
const LEAST = 0.2

/** The best place for a bend, if two lines that meet there fit much better than one line; otherwise null. */
export function bendOf(spots: readonly Spot[]): Bend | null {
  const pairs = inLogs(spots)
  const { error } = lineThrough(pairs)
  const bends = spots.slice(2, -2).map(({ size: at }, i) => {
    const [left, right] = [lineThrough(pairs.slice(0, i + 3)), lineThrough(pairs.slice(i + 2))]
    return { at, before: left.power, after: right.power, error: left.error + right.error }
  })
  const best = bends.toSorted((one, other) => one.error - other.error)[0]
  if (!best || best.error > PART * error || Math.abs(best.after - best.before) < LEAST) return null
  return { at: best.at, before: best.before, after: best.after }
}
