/** Growth as powers: of one that fits all points, and of two where one does not. */
import { linearRegression, linearRegressionLine } from 'simple-statistics'

export interface Spot {
  readonly size: number
  /** > 0 */
  readonly value: number
}

export interface Bend {
  /** The last size of the first part, and the first of the second. */
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

/** The power of the size that fits best: the slope of a line through logarithms. */
export const powerOf = (spots: readonly Spot[]): number => lineThrough(inLogs(spots)).power

/** Two lines replace one if they leave less than this part of its errors and their powers differ by more than the second value. */
const PART = 0.25
const LEAST = 0.2

/** Where two lines that meet in a point fit much better than one, the best such place; null: nowhere. */
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
