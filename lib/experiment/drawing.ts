/** Draws charts as SVG: as documents, and for pages. The same chart is the same text. */
import { OutOfRange } from '../core/error.ts'
import { type Chart, describe, labelOf, nameOfX, positionsOf, type Reading, readingsAt, TOO_SHORT } from './chart.ts'
import { arrows, CONVERGED_DASH, drawn, hollow, inColor, lineOf, MAX_SERIES, mark, PAPER, styleOf } from './marks.ts'
import { LETTER, LINE, type Plot, plotOf, type Spot } from './plot.ts'
import { at, element, escaped } from './svg.ts'

const INK = '#222222'
const GRID = '#dddddd'
const FONT = 'system-ui, sans-serif'

const text = (content: string, x: number, y: number, anchor: string, more: { [name: string]: string } = {}): string =>
  element('text', { x, y, 'text-anchor': anchor, ...more }, escaped(content))

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
  const { title, width = 720 } = chart
  const plot = plotOf(required(chart), width, 64, 320)
  const { height, parts } = picture(chart, plot, width, (name) => (spot, origin) => [
    element('title', {}, escaped(told(chart, plot, name, spot, origin))),
  ])
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' },
    element('title', {}, escaped(title)),
    element('desc', {}, escaped(describe(chart))),
    element('rect', { width, height, fill: PAPER }),
    text(title, plot.frame.left, 24, 'start', {
      'font-family': FONT,
      'font-size': '15',
      'font-weight': '600',
      fill: INK,
    }),
    ...parts,
  )}\n`
}

/**
 * A chart as an element of a page, which gives it its colours and its title. The values at each position on the x axis can be
 * read where the pointer or the keyboard is.
 *
 * @throws OutOfRange as `svgOf` does
 */
export function inlineSvgOf(chart: Chart, width: number, height: number): string {
  const plot = plotOf(required(chart), width, 28, height)
  const { height: total, parts } = picture(chart, plot, width, () => () => [])
  const says = `${chart.title}. ${describe(chart)}`
  return element(
    'svg',
    { viewBox: `0 0 ${width} ${total}`, width, height: total, role: 'group', 'aria-label': says },
    element('g', { 'aria-hidden': 'true' }, ...parts),
    ...columns(chart, plot, width),
  )
}

function required(chart: Chart): Chart {
  const { length } = chart.series
  if (length > MAX_SERIES) throw new OutOfRange(`svgOf: a chart has at most ${MAX_SERIES} series, not ${length}`)
  return chart
}

/** A value with its interval. */
const numberOf = ({ y, bar }: Spot, digits: number): string => {
  const shown = (value: number) => String(Number(value.toFixed(digits)))
  return bar === undefined ? shown(y) : `${shown(y)} ± ${shown(bar[1] - y)}`
}

const ORIGINS = { ours: '', paper: ', paper', converged: ', converged' } as const

const told = ({ x }: Chart, { digits }: Plot, name: string, spot: Spot, origin: keyof typeof ORIGINS): string =>
  `${name}${ORIGINS[origin]}, ${nameOfX(x, spot.x)}: ${numberOf(spot, digits)}${spot.isShort ? `, ${TOO_SHORT}` : ''}`

type TitleOf = (name: string) => Parameters<typeof drawn>[4]

/** The axes, the series and the legend below them. */
function picture(chart: Chart, plot: Plot, width: number, title: TitleOf) {
  const { x, y, series } = chart
  const { frame, grid, labels } = plot
  const { left, right, top, bottom } = frame
  const under = bottom + 4 + LINE * Math.max(1, ...labels.x.map(({ lines }) => lines.length))
  const entries = legend(chart, plot, width, under + (x.label === '' ? 4 : LINE + 6) + LINE)
  const lines = [
    ...grid.x.map((at_) => `M${at(at_, top)}V${at(bottom)}`),
    ...grid.y.map((at_) => `M${at(left, at_)}H${at(right)}`),
  ]
  const parts = [
    element(
      'g',
      { 'font-family': FONT, 'font-size': 12, fill: INK },
      element('path', { class: 'gridlines', d: lines.join(''), stroke: GRID, fill: 'none' }),
      element('path', { class: 'axes', d: `M${at(left, top)}V${at(bottom)}H${at(right)}`, stroke: INK, fill: 'none' }),
      ...labels.x.flatMap(({ at: middle, lines: some }) =>
        some.map((line, i) => text(line, middle, bottom + LINE * (i + 1), 'middle')),
      ),
      ...labels.y.flatMap(({ at: middle, lines: some }) => some.map((line) => text(line, left - 8, middle + 4, 'end'))),
      text(labelOf(x), (left + right) / 2, under + LINE, 'middle'),
      text(labelOf(y), 2, top - 12, 'start'),
      ...series.map((one, i) => drawn(one, i, plot, x.names !== undefined, title(one.name))),
      ...arrows(series, plot),
      ...entries.drawn,
    ),
  ]
  return { height: entries.bottom, parts }
}

/** The legend, in rows: an entry for each series, and one for each kind of value that ours are compared with. */
function legend({ x, series }: Chart, { spots }: Plot, width: number, top: number) {
  const hasNames = x.names !== undefined
  const grey = { ...styleOf(0), color: INK }
  const swatch = (d: string) => `M${d}h28`
  const some = (of: 'paper' | 'converged') => spots.some((one) => one[of].length > 0)
  const hasShort = spots.some(({ ours, paper }) => [...ours, ...paper].some((spot) => spot?.isShort))
  const entries = [
    ...series.map(({ name, line = !hasNames, marks = true }, i) => {
      const style = styleOf(i)
      const of = (place: string, middle: readonly [number, number]) =>
        inColor(
          style,
          'key',
          ...(line ? [lineOf(swatch(place), 'line', style.dash, 1.6)] : []),
          ...(marks ? [mark(style, middle, 'marker')] : []),
        )
      return { name, of }
    }),
    ...(some('paper')
      ? [{ name: 'the paper', of: (_: string, middle: readonly [number, number]) => hollow(grey, middle) }]
      : []),
    ...(some('converged')
      ? [
          {
            name: 'converged',
            of: (place: string) => lineOf(swatch(place), 'converged', hasNames ? undefined : CONVERGED_DASH, 1.2),
          },
        ]
      : []),
    ...(hasShort
      ? [{ name: TOO_SHORT, of: (_: string, middle: readonly [number, number]) => mark(grey, middle, 'short') }]
      : []),
  ]
  let [left, y] = [2, top]
  const drawnEntries = entries.map(({ name, of }) => {
    const length = 36 + name.length * LETTER + 14
    if (left > 2 && left + length > width) [left, y] = [2, y + LINE + 4]
    const [from, middle] = [at(left, y), [left + 14, y] as const]
    const entry = element('g', { class: 'entry' }, of(from, middle), text(name, left + 34, y + 4, 'start'))
    left += length
    return entry
  })
  return { drawn: drawnEntries, bottom: Math.ceil(y + LINE) }
}

/** A picture with more positions than this has none where the Tab key stops; its values are in a table all the same. */
const STOPS_MAX = 24

/** For each position on the x axis a strip, which shows the values there. */
function columns(chart: Chart, plot: Plot, width: number): string[] {
  const { frame, scaleX } = plot
  const positions = positionsOf(chart)
  const places = positions.map(scaleX)
  return positions.map((x, i) => {
    const here = places[i] ?? 0
    const from = i === 0 ? frame.left : ((places[i - 1] ?? 0) + here) / 2
    const to = i === places.length - 1 ? frame.right : (here + (places[i + 1] ?? 0)) / 2
    const name = nameOfX(chart.x, x)
    const readings = readingsAt(chart, x).map((reading) => ({ reading, says: saysOf(reading, plot, x) }))
    return element(
      'g',
      {
        class: 'column',
        role: 'img',
        tabindex: positions.length <= STOPS_MAX ? 0 : -1,
        'aria-label': `${name}. ${readings.map(({ reading, says }) => `${reading.series.name}: ${says}`).join('; ')}`,
      },
      element('rect', {
        x: from,
        y: frame.top,
        width: Math.max(1, to - from),
        height: frame.bottom - frame.top,
        fill: 'none',
        'pointer-events': 'all',
      }),
      readout(name, readings, here, plot, width),
    )
  })
}

function saysOf({ index, ours, paper, converged }: Reading, { spots, digits }: Plot, x: number): string {
  const own = spots[index]
  const at_ = (some: readonly (Spot | undefined)[] = []) => some.find((spot) => spot?.x === x)
  const parts = [
    ...(ours ? [at_(own?.ours)] : [undefined]).map((spot) => spot && numberOf(spot, digits)),
    ...(converged ? [at_(own?.converged)] : []).map((spot) => spot && `converged ${numberOf(spot, digits)}`),
    ...(paper ? [at_(own?.paper)] : []).map((spot) => spot && `paper ${numberOf(spot, digits)}`),
    ...(ours?.isShort ? [TOO_SHORT] : []),
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}

/** A box with the values at a position, beside it. */
function readout(
  name: string,
  readings: readonly { readonly reading: Reading; readonly says: string }[],
  here: number,
  { frame }: Plot,
  width: number,
): string {
  const most = width - 40
  const lines = readings.flatMap(({ reading: { series, index }, says }) => {
    const line = `${series.name}: ${says}`
    if (line.length * LETTER <= most) return [{ index, line }]
    return [
      { index, line: `${series.name}:` },
      { index: undefined, line: says },
    ]
  })
  const size = {
    width: Math.min(width, Math.max(name.length, ...lines.map(({ line }) => line.length + 3)) * LETTER + 18),
    height: LINE * (lines.length + 1) + 12,
  }
  const x = here + 10 + size.width <= width ? here + 10 : Math.max(0, here - 10 - size.width)
  const y = frame.top
  return element(
    'g',
    { class: 'readout', visibility: 'hidden', 'font-family': FONT, 'font-size': 12, fill: INK },
    element('path', { d: `M${at(here, frame.top)}V${at(frame.bottom)}`, stroke: INK }),
    element('rect', { x, y, ...size, rx: 4, fill: PAPER, stroke: INK }),
    text(name, x + 8, y + LINE, 'start', { 'font-weight': '600' }),
    ...lines.flatMap(({ index, line }, i) => {
      const height = y + LINE * (i + 2)
      return [
        ...(index === undefined
          ? []
          : [inColor(styleOf(index), 'key', mark(styleOf(index), [x + 13, height - 4], 'marker'))]),
        text(line, x + 24, height, 'start'),
      ]
    }),
  )
}
