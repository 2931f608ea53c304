/**
 * Charts of results as SVG: series of points over two axes, joined by lines, with bars for intervals. The same
 * chart is the same text. Series differ in marker and in colour (Okabe and Ito's palette, which is safe for colour blindness).
 */
import { OutOfRange } from '../core/error.ts'
import { type Interval, rounded, withUnit } from '../core/table.ts'
import { at, element, escaped } from './svg.ts'
import { logTicksOf, type Ticks, ticksOf } from './ticks.ts'

/** An axis of a chart. */
export interface Axis {
  readonly label: string
  /** The unit of the numbers, such as `units` or `%`. */
  readonly unit?: string
  /** The axis begins here or lower; no point is ever cut off. */
  readonly min?: number
  /** The axis ends here or higher. */
  readonly max?: number
  /** Whether the axis is logarithmic (default false). All its values must be > 0 then. */
  readonly log?: boolean
}

/** A point of a series. */
export interface Point {
  readonly x: number
  /** The value, or null for a gap in the line. */
  readonly y: number | null | Interval
}

/** A line of a chart. */
export interface Series {
  readonly name: string
  /** The points, in the order of the line that joins them. */
  readonly points: readonly Point[]
  /** Whether a line joins the points (default true). */
  readonly line?: boolean
  /** Whether the points are marked (default true); a curve of a formula needs no marks. */
  readonly marks?: boolean
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

const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#000000', '#e69f00', '#56b4e9'] as const
/** Paths around (0, 0), in the order of the colours. */
const MARKERS = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  'M-3.6 -3.6h7.2v7.2h-7.2z',
  'M0 -4.8L4.4 3.4H-4.4z',
  'M0 -5.2L5.2 0L0 5.2L-5.2 0z',
  'M0 4.8L4.4 -3.4H-4.4z',
  'M-1.4 -4.4h2.8v3h3v2.8h-3v3h-2.8v-3h-3v-2.8h3z',
  'M-4 -4H4L-4 4H4z',
] as const
const DASHES = [undefined, '7 4', '2 3'] as const
export const MAX_SERIES = COLORS.length * DASHES.length

const HEIGHT = 440
const INK = '#222222'
const GRID = '#dddddd'
const FONT = 'system-ui, sans-serif'
/** The average width of a letter in pixels; without a browser it can only be estimated. */
const LETTER = 6.6
const CAP = 4

interface Style {
  readonly color: string
  readonly marker: string
  readonly dash: string | undefined
}

const styleOf = (i: number): Style => ({
  color: COLORS[i % COLORS.length] ?? INK,
  marker: MARKERS[i % MARKERS.length] ?? '',
  dash: DASHES[Math.floor(i / COLORS.length)],
})

/** A point that is no gap, with the ends of its interval if it has one. */
interface Spot {
  readonly x: number
  readonly y: number
  readonly bar: readonly [low: number, high: number] | undefined
}

function spotOf({ x, y }: Point, series: string): Spot | undefined {
  if (y === null) return undefined
  const { mean, halfWidth } = typeof y === 'number' ? { mean: y, halfWidth: null } : y
  for (const value of [x, mean, halfWidth ?? 0])
    if (!Number.isFinite(value)) throw new OutOfRange(`svgOf: the numbers of "${series}" must be finite, not ${value}`)
  return { x, y: mean, bar: halfWidth === null ? undefined : [mean - halfWidth, mean + halfWidth] }
}

const axisTicks = ({ min, max, log = false }: Axis, values: readonly number[]): Ticks => {
  const all = [...values, ...(min === undefined ? [] : [min]), ...(max === undefined ? [] : [max])]
  const ticks = log ? logTicksOf : ticksOf
  if (all.length === 0) return log ? logTicksOf(1, 10) : ticksOf(0, 1)
  const [low, high] = all.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  return ticks(low, high)
}

const labelOf = ({ label, unit }: Axis): string => withUnit(label, unit)

/** Makes the function from values to pixels; `start` is the position of the first tick. */
const scaleOf = ({ log = false }: Axis, { values }: Ticks, start: number, end: number): ((value: number) => number) => {
  const along = log ? Math.log : (value: number) => value
  const first = along(values[0] ?? 0)
  const last = along(values.at(-1) ?? 1)
  return (value) => start + ((along(value) - first) / (last - first)) * (end - start)
}

const text = (content: string, x: number, y: number, anchor: string, more: { [name: string]: string } = {}): string =>
  element('text', { x, y, 'text-anchor': anchor, ...more }, escaped(content))

interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * A chart as an SVG document.
 *
 * ```ts
 * writeFileSync('flow.svg', svgOf({
 *   title: 'Flow by load',
 *   x: { label: 'load', unit: '%', min: 0 },
 *   y: { label: 'mean flow', unit: 'units', min: 0 },
 *   series: [{ name: 'DSP', points: [{ x: 50, y: { mean: 37.6, halfWidth: 0.07 } }] }],
 * }))
 * ```
 *
 * @throws OutOfRange for a number that is not finite, or not > 0 on a logarithmic axis, or too many series
 */
export function svgOf(chart: Chart): string {
  const { title, x, y, series, width = 720 } = chart
  if (series.length > MAX_SERIES)
    throw new OutOfRange(`svgOf: a chart has at most ${MAX_SERIES} series, not ${series.length}`)
  const spots = series.map(({ name, points }) => points.map((point) => spotOf(point, name)))
  const shown = spots.flat().filter((spot) => spot !== undefined)
  const xTicks = axisTicks(
    x,
    shown.map((spot) => spot.x),
  )
  const yTicks = axisTicks(
    y,
    shown.flatMap((spot) => [spot.y, ...(spot.bar ?? [])]),
  )
  const legend = Math.max(0, ...series.map(({ name }) => name.length)) * LETTER + 52
  const labels = Math.max(...yTicks.labels.map((label) => label.length)) * LETTER
  const frame = { left: labels + 42, right: width - legend - 12, top: 44, bottom: HEIGHT - 52 }
  const scaleX = scaleOf(x, xTicks, frame.left, frame.right)
  const scaleY = scaleOf(y, yTicks, frame.bottom, frame.top)
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: 'img' },
    element('title', {}, escaped(title)),
    element('desc', {}, escaped(describe(chart))),
    element('rect', { width, height: HEIGHT, fill: '#ffffff' }),
    element(
      'g',
      { 'font-family': FONT, 'font-size': 12, fill: INK },
      text(title, frame.left, 24, 'start', { 'font-size': '15', 'font-weight': '600' }),
      ...grid(xTicks, yTicks, frame, scaleX, scaleY),
      ...axisLabels(x, y, frame),
      ...series.map((one, i) => legendEntry(one, styleOf(i), frame.right + 16, frame.top + 8 + 20 * i)),
    ),
    ...series.map((one, i) => drawn(one, styleOf(i), spots[i] ?? [], { scaleX, scaleY, nameOfX: x.label })),
  )}\n`
}

/** A description of a chart for readers who cannot see it. */
export const describe = ({ x, y, series }: Chart): string => {
  const names = series.map(({ name, points }) => `${name} (${points.length} points)`)
  return `${labelOf(y)} over ${labelOf(x)}: ${names.join(', ') || 'no series'}.`
}

type Scale = (value: number) => number

function grid(xTicks: Ticks, yTicks: Ticks, frame: Frame, scaleX: Scale, scaleY: Scale): string[] {
  const { left, right, top, bottom } = frame
  const vertical = xTicks.values.map((value) => `M${at(scaleX(value), top)}V${bottom}`)
  const horizontal = yTicks.values.map((value) => `M${at(left, scaleY(value))}H${at(right)}`)
  return [
    element('path', { class: 'grid', d: [...vertical, ...horizontal].join(''), stroke: GRID, fill: 'none' }),
    element('path', { class: 'axes', d: `M${at(left, top)}V${bottom}H${at(right)}`, stroke: INK, fill: 'none' }),
    ...xTicks.labels.map((label, i) => text(label, scaleX(xTicks.values[i] ?? 0), bottom + 18, 'middle')),
    ...yTicks.labels.map((label, i) => text(label, left - 8, scaleY(yTicks.values[i] ?? 0) + 4, 'end')),
  ]
}

function axisLabels(x: Axis, y: Axis, { left, right, top, bottom }: Frame): string[] {
  const middle = (top + bottom) / 2
  return [
    text(labelOf(x), (left + right) / 2, bottom + 40, 'middle'),
    text(labelOf(y), 16, middle, 'middle', { transform: `rotate(-90 16 ${middle})` }),
  ]
}

const mark = ({ color, marker }: Style, x: number, y: number, ...children: readonly string[]): string =>
  element('path', { class: 'point', d: marker, transform: `translate(${at(x, y)})`, fill: color }, ...children)

const legendEntry = ({ name, line = true, marks = true }: Series, style: Style, x: number, y: number): string =>
  element(
    'g',
    { class: 'legend' },
    element('path', { d: `M${at(x, y)}h30`, stroke: line ? style.color : 'none', 'stroke-dasharray': style.dash }),
    ...(marks
      ? [element('path', { d: style.marker, transform: `translate(${at(x + 15, y)})`, fill: style.color })]
      : []),
    text(name, x + 36, y + 4, 'start'),
  )

interface Place {
  readonly scaleX: Scale
  readonly scaleY: Scale
  readonly nameOfX: string
}

/** A series: its line, broken at gaps, then intervals, then points, each with its numbers as a tooltip. */
function drawn(
  { name, line: isLine = true, marks = true }: Series,
  style: Style,
  spots: readonly (Spot | undefined)[],
  { scaleX, scaleY, nameOfX }: Place,
): string {
  const { color, dash } = style
  const steps = spots.map((spot, i) =>
    spot === undefined ? '' : `${i > 0 && spots[i - 1] ? 'L' : 'M'}${at(scaleX(spot.x), scaleY(spot.y))}`,
  )
  const line = element('path', {
    class: 'line',
    d: steps.join(''),
    stroke: color,
    'stroke-width': 1.6,
    'stroke-dasharray': dash,
    fill: 'none',
  })
  const there = spots.filter((spot) => spot !== undefined)
  const bars = there.flatMap(({ x, bar }) => {
    if (bar === undefined) return []
    const [low, high] = [at(scaleY(bar[0])), at(scaleY(bar[1]))]
    const [left, middle] = [at(scaleX(x) - CAP), at(scaleX(x))]
    const d = `M${middle} ${low}V${high}M${left} ${low}h${2 * CAP}M${left} ${high}h${2 * CAP}`
    return [element('path', { class: 'interval', d, stroke: color, fill: 'none' })]
  })
  const points = (marks ? there : []).map(({ x, y, bar }) => {
    const half = bar === undefined ? '' : ` ± ${rounded(bar[1] - y)}`
    const said = `${name}, ${nameOfX} ${rounded(x)}: ${rounded(y)}${half}`
    return mark(style, scaleX(x), scaleY(y), element('title', {}, escaped(said)))
  })
  const hasLine = isLine && there.length > 0
  return element('g', { class: 'series' }, ...(hasLine ? [line] : []), ...bars, ...points)
}
