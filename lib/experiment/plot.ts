/** The layout of a chart: its axes, and the place in the picture of each of its points. */
import { OutOfRange } from '../core/error.ts'
import type { Axis, Chart, Point, Series } from './chart.ts'
import { logTicksOf, type Ticks, ticksOf } from './ticks.ts'

/** The average width of a letter in pixels; without a browser it can only be estimated. */
export const LETTER = 6.6
/** The height of a line of text. */
export const LINE = 16

/** A point that is no gap, with the ends of its interval if it has one. */
export interface Spot {
  readonly x: number
  readonly y: number
  readonly bar: readonly [low: number, high: number] | undefined
  readonly isShort: boolean
}

function spotOf({ x, y, isShort = false }: Point, series: string): Spot | undefined {
  if (y === null) return undefined
  const { mean, halfWidth } = typeof y === 'number' ? { mean: y, halfWidth: null } : y
  for (const value of [x, mean, halfWidth ?? 0])
    if (!Number.isFinite(value)) throw new OutOfRange(`svgOf: the numbers of "${series}" must be finite, not ${value}`)
  return { x, y: mean, bar: halfWidth === null ? undefined : [mean - halfWidth, mean + halfWidth], isShort }
}

/** The spots of a series, and of the values that it is compared with. */
export interface Spots {
  /** Undefined for a gap. */
  readonly ours: readonly (Spot | undefined)[]
  readonly paper: readonly Spot[]
  readonly converged: readonly Spot[]
}

function spotsOf({ name, points, paper = [], converged = [] }: Series): Spots {
  const there = (some: readonly Point[]) =>
    some.map((point) => spotOf(point, name)).filter((spot) => spot !== undefined)
  return { ours: points.map((point) => spotOf(point, name)), paper: there(paper), converged: there(converged) }
}

export interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export type Scale = (value: number) => number

/** A label of an axis, in lines. */
export interface Label {
  readonly at: number
  readonly lines: readonly string[]
}

export interface Plot {
  readonly frame: Frame
  readonly spots: readonly Spots[]
  readonly scaleX: Scale
  readonly scaleY: Scale
  /** The vertical and the horizontal lines of the grid, in pixels. */
  readonly grid: { readonly x: readonly number[]; readonly y: readonly number[] }
  readonly labels: { readonly x: readonly Label[]; readonly y: readonly Label[] }
  /** The decimals with which values are told. */
  readonly digits: number
  /** The side on which a value is beyond the y axis; undefined for one that it shows. */
  readonly beyond: (value: number) => 'below' | 'above' | undefined
  /** How far a series is moved aside, in pixels: between categories no two are in one place. */
  readonly aside: (series: number) => number
}

const rangeOf = ({ min, max }: Axis, values: readonly number[]): readonly [number, number] | undefined => {
  const all = [...values, ...(min === undefined ? [] : [min]), ...(max === undefined ? [] : [max])]
  if (all.length === 0) return undefined
  return all.reduce<readonly [number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
}

function ticksFor(axis: Axis, values: readonly number[], count: number): Ticks {
  const range = rangeOf(axis, values)
  if (axis.log) return range ? logTicksOf(...range) : logTicksOf(1, 10)
  return range ? ticksOf(...range, count) : ticksOf(0, 1)
}

/** Makes the function from values to pixels; `start` is the position of the first value. */
function scaleOf(axis: Axis, [first, last]: readonly [number, number], start: number, end: number): Scale {
  const along = axis.log ? Math.log : (value: number) => value
  return (value) => start + ((along(value) - along(first)) / (along(last) - along(first))) * (end - start)
}

const endsOf = ({ values }: Ticks): readonly [number, number] => [values[0] ?? 0, values.at(-1) ?? 1]

/** Breaks a name after commas and spaces, so that no line is longer than `width` pixels; a longer part is cut in two. */
export function brokenAt(name: string, width: number): string[] {
  const most = Math.max(2, Math.floor(width / LETTER))
  const lines = ['']
  for (const part of name.match(/[^, ]*[, ]?/g) ?? []) {
    for (let rest = part; rest !== ''; rest = rest.slice(most)) {
      const piece = rest.slice(0, most)
      const line = lines.at(-1) ?? ''
      if (line === '' || (line + piece).trimEnd().length <= most) lines[lines.length - 1] = line + piece
      else lines.push(piece)
    }
  }
  return lines.map((line) => line.trim())
}

/** The labels that do not overlap, from left to right. */
function apart(labels: readonly Label[]): Label[] {
  let end = Number.NEGATIVE_INFINITY
  return labels.filter(({ at, lines: [text = ''] }) => {
    const half = (text.length * LETTER) / 2
    if (at - half < end) return false
    end = at + half + LETTER
    return true
  })
}

/** The place of the points in a picture of this width, whose axes take `top` pixels above and `height` pixels below. */
export function plotOf({ x, y, series }: Chart, width: number, top: number, height: number): Plot {
  const spots = series.map(spotsOf)
  const all = spots.flatMap(({ ours, paper, converged }) => [
    ...ours.filter((spot) => spot !== undefined),
    ...paper,
    ...converged,
  ])
  const { below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY } = y.cut ?? {}
  const beyond = (value: number) => (value < below ? 'below' : value > above ? 'above' : undefined)
  const kept = all.filter((spot) => beyond(spot.y) === undefined)
  const heights = kept.flatMap(({ y, bar = [] }) => [y, ...bar.map((end) => Math.min(above, Math.max(below, end)))])
  const yTicks = ticksFor(y, heights, 8)
  const left = Math.max(...yTicks.labels.map((label) => label.length)) * LETTER + 14
  const frame = { left, right: width - 18, top, bottom: top + height }
  const scaleY = scaleOf(y, endsOf(yTicks), frame.bottom, frame.top)
  const step = Math.abs((yTicks.values[1] ?? 1) - (yTicks.values[0] ?? 0))
  const digits = Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(step || 1))))
  const rest = {
    frame,
    spots,
    scaleY,
    digits,
    beyond,
  }
  const rows = yTicks.labels.map((label, i) => ({ at: scaleY(yTicks.values[i] ?? 0), lines: [label] }))
  const gridY = rows.map(({ at }) => at)
  if (x.names) {
    const count = x.names.length
    const scaleX = scaleOf({ label: '' }, [0.5, count + 0.5], frame.left, frame.right)
    const slot = (frame.right - frame.left) / Math.max(1, count)
    const names = x.names.map((name, i) => ({ at: scaleX(i + 1), lines: brokenAt(name, slot - 4) }))
    const gap = Math.min(16, (0.8 * slot) / Math.max(1, series.length))
    return {
      ...rest,
      scaleX,
      grid: { x: Array.from({ length: count + 1 }, (_, i) => scaleX(i + 0.5)), y: gridY },
      labels: { x: names, y: rows },
      aside: (one) => (one - (series.length - 1) / 2) * gap,
    }
  }
  const xTicks = ticksFor(
    x,
    all.map((spot) => spot.x),
    Math.max(3, Math.min(8, Math.floor(width / 70))),
  )
  const scaleX = scaleOf(x, endsOf(xTicks), frame.left, frame.right)
  const columns = xTicks.labels.map((label, i) => ({ at: scaleX(xTicks.values[i] ?? 0), lines: [label] }))
  return {
    ...rest,
    scaleX,
    grid: { x: columns.map(({ at }) => at), y: gridY },
    labels: { x: apart(columns), y: rows },
    aside: () => 0,
  }
}

/** A place in the picture. */
export type Place = readonly [x: number, y: number]

/** The part of a straight line that lies between two heights; undefined if none does. */
export function between(
  [fromX, fromY]: Place,
  [toX, toY]: Place,
  { top, bottom }: Frame,
): readonly [Place, Place] | undefined {
  const isOutside = (y: number) => y < top || y > bottom
  if (!isOutside(fromY) && !isOutside(toY))
    return [
      [fromX, fromY],
      [toX, toY],
    ]
  if ((fromY < top && toY < top) || (fromY > bottom && toY > bottom)) return undefined
  const at = (y: number): Place => {
    const edge = Math.min(bottom, Math.max(top, y))
    return y === edge
      ? [y === fromY ? fromX : toX, y]
      : [fromX + ((edge - fromY) / (toY - fromY)) * (toX - fromX), edge]
  }
  return [at(fromY), at(toY)]
}

/** The decimals with which the values of a chart are shown. */
export const digitsOf = (chart: Chart): number => plotOf(chart, 720, 0, 100).digits
