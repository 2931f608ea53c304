/** Charts of results as data: series of points over two axes, beside the values that they are compared with. */
import type { Column, Interval, ResultTable, Value } from '../core/table.ts'
import { textColumn, withUnit } from '../core/table.ts'

/** An axis of a chart. */
export interface Axis {
  readonly label: string
  /** The unit of the numbers, such as `units` or `%`. */
  readonly unit?: string
  /** The axis begins here or lower. */
  readonly min?: number
  /** The axis ends here or higher. */
  readonly max?: number
  /** Whether the axis is logarithmic (default false). All its values must be > 0 then. */
  readonly log?: boolean
  /** The names of categories, in place of numbers: the first is at 1, the second at 2, and so on. For x only. */
  readonly names?: readonly string[]
  /**
   * Values beyond these do not stretch the axis: an arrow at its edge tells each of them. For y only; by default no value is
   * beyond the axis.
   */
  readonly cut?: { readonly below?: number; readonly above?: number }
}

/** A point of a series. */
export interface Point {
  readonly x: number
  /** The value, or null for a gap in the line. */
  readonly y: number | null | Interval
  /** Whether the value cannot be judged, because its run was too short (default false). Its mark is pale. */
  readonly isShort?: boolean
}

/** A line of a chart. */
export interface Series {
  readonly name: string
  /** The points, in the order of the line that joins them. */
  readonly points: readonly Point[]
  /** Whether a line joins the points (default true, but false between categories). */
  readonly line?: boolean
  /** Whether the points are marked (default true); a curve of a formula needs no marks. */
  readonly marks?: boolean
  /** The same values in a paper: hollow marks. */
  readonly paper?: readonly Point[]
  /** The values that the model converges to: a thin line. */
  readonly converged?: readonly Point[]
}

/** A line chart, which `svgOf` draws. */
export interface Chart {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  /** The series, at most `MAX_SERIES`. */
  readonly series: readonly Series[]
  /** The width in pixels (default 720). */
  readonly width?: number
}

export const labelOf = ({ label, unit }: Axis): string => withUnit(label, unit)

/** A description of a chart for readers who cannot see it. */
export const describe = ({ x, y, series }: Chart): string => {
  const names = series.map(({ name, points }) => `${name} (${points.length} points)`)
  const beside = [
    ...(series.some(({ paper = [] }) => paper.length > 0) ? ['the values of the paper'] : []),
    ...(series.some(({ converged = [] }) => converged.length > 0) ? ['the converged values'] : []),
  ]
  const compared = beside.length > 0 ? `, beside ${beside.join(' and ')}` : ''
  return `${labelOf(y)} over ${labelOf(x)}: ${names.join(', ') || 'no series'}${compared}.`
}

const isThere = ({ y }: Point): boolean => y !== null

/** The positions on the x axis whose values can be read one by one: those of marks, in order. */
export function positionsOf({ series }: Pick<Chart, 'series'>): number[] {
  const marked = series.filter(({ marks = true }) => marks)
  const shown = (marked.length > 0 ? marked : series).flatMap(({ points, paper = [] }) => [...points, ...paper])
  return [...new Set(shown.filter(isThere).map(({ x }) => x))].sort((one, other) => one - other)
}

/** The name of a position on the x axis, such as `load 50 %`. */
export const nameOfX = ({ label, unit, names }: Axis, x: number): string =>
  names?.[x - 1] ?? [label, Number(x.toPrecision(6)), ...(unit === undefined ? [] : [unit])].join(' ')

/** The values of a series at one position. */
export interface Reading {
  readonly series: Series
  /** The place of the series in its chart. */
  readonly index: number
  readonly ours: Point | undefined
  readonly paper: Point | undefined
  readonly converged: Point | undefined
}

/** The values of all series at a position; those without any are left out. */
export const readingsAt = ({ series }: Pick<Chart, 'series'>, x: number): Reading[] =>
  series.flatMap((one, index) => {
    const at = (points: readonly Point[] = []) => points.find((point) => point.x === x && isThere(point))
    const reading = { series: one, index, ours: at(one.points), paper: at(one.paper), converged: at(one.converged) }
    return reading.ours || reading.paper || reading.converged ? [reading] : []
  })

/** The decimals that these values need, up to a limit. */
function decimalsOf(values: readonly Value[], most: number): number {
  const numbers = values.flatMap((one) =>
    typeof one === 'number' ? [one] : typeof one === 'object' && one !== null ? [one.mean, one.halfWidth ?? 0] : [],
  )
  return Math.max(0, ...numbers.map((one) => String(Number(one.toFixed(most))).split('.')[1]?.length ?? 0))
}

/**
 * The values of a chart as a table, with at most `most` decimals: a line for each value, or one for each position if nothing
 * is compared.
 */
export function valuesOf(chart: Chart, most: number): ResultTable {
  const { x, y, series } = chart
  const rows = positionsOf(chart).map((at) => ({ at, readings: readingsAt(chart, at) }))
  const all = rows.flatMap(({ readings }) => readings)
  const [hasPaper, hasConverged] = [all.some(({ paper }) => paper), all.some(({ converged }) => converged)]
  const isShort = all.some(({ ours }) => ours?.isShort)
  const shown = all.flatMap(({ ours, paper, converged }) => [ours, paper, converged].map((point) => point?.y ?? null))
  const digits = decimalsOf(shown, most)
  const first: Column = { name: x.label, ...(x.unit !== undefined && { unit: x.unit }), align: 'left' }
  const place = (at: number): Value => x.names?.[at - 1] ?? at
  const names = new Set([x.label, ...series.map(({ name }) => name)])
  if (!hasPaper && !hasConverged && !isShort && names.size === series.length + 1) {
    return {
      columns: [first, ...series.map(({ name }) => ({ name, digits }))],
      rows: rows.map(({ at, readings }) => [
        place(at),
        ...series.map((_, i) => readings.find(({ index }) => index === i)?.ours?.y ?? null),
      ]),
    }
  }
  const value = (point: Point | undefined): Value => point?.y ?? null
  return {
    columns: [
      first,
      textColumn('series'),
      { name: y.label, ...(y.unit !== undefined && { unit: y.unit }), digits },
      ...(hasConverged ? [{ name: 'converged', digits }] : []),
      ...(hasPaper ? [{ name: 'paper', digits }] : []),
      ...(isShort ? [textColumn('')] : []),
    ],
    rows: rows.flatMap(({ at, readings }) =>
      readings.map(({ series: { name }, ours, paper, converged }) => [
        place(at),
        name,
        value(ours),
        ...(hasConverged ? [value(converged)] : []),
        ...(hasPaper ? [value(paper)] : []),
        ...(isShort ? [ours?.isShort ? TOO_SHORT : ''] : []),
      ]),
    ),
  }
}

/** What is said of a value whose run was too short. */
export const TOO_SHORT = 'too short to judge'
