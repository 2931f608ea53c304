/**
 * The marks of a chart's series. Series differ in marker and in colour (Okabe and Ito's palette, which is safe for colour
 * blindness), or in their dashes. A page replaces the colours by its own inks.
 */
import type { Series } from './chart.ts'
import { between, LETTER, type Place, type Plot, type Spot } from './plot.ts'
import { at, element, escaped } from './svg.ts'

const COLORS = [
  ['blue', '#0072b2'],
  ['red', '#d55e00'],
  ['green', '#009e73'],
  ['pink', '#cc79a7'],
  ['text', '#000000'],
  ['orange', '#e69f00'],
  ['sky', '#56b4e9'],
] as const
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

export const PAPER = '#ffffff'
/** Half the width of the ends of an interval. */
const CAP = 4
/** How far a value of the paper stands aside from ours. */
const ASIDE = 5
/** Half the length of the line at a single converged value. */
const TICK = 9

export interface Style {
  /** The name of the colour, by which a page has its own. */
  readonly ink: string
  readonly color: string
  readonly marker: string
  readonly dash: string | undefined
}

export function styleOf(i: number): Style {
  const [ink, color] = COLORS[i % COLORS.length] ?? COLORS[0]
  return { ink, color, marker: MARKERS[i % MARKERS.length] ?? '', dash: DASHES[Math.floor(i / COLORS.length)] }
}

/** A group in the colour of a series. */
export const inColor = ({ ink, color }: Style, name: string, ...children: readonly string[]): string =>
  element('g', { class: `${name} ink-${ink}`, color }, ...children)

export const mark = (style: Style, [x, y]: Place, name: string, ...children: readonly string[]): string =>
  element(
    'path',
    { class: name, d: style.marker, transform: `translate(${at(x, y)})`, fill: 'currentColor' },
    ...children,
  )

export const hollow = (style: Style, [x, y]: Place, ...children: readonly string[]): string =>
  element(
    'path',
    {
      class: 'hollow',
      d: style.marker,
      transform: `translate(${at(x, y)})`,
      fill: PAPER,
      stroke: 'currentColor',
      'stroke-width': 1.5,
    },
    ...children,
  )

export const lineOf = (d: string, name: string, dash: string | undefined, width: number): string =>
  element('path', {
    class: name,
    d,
    stroke: 'currentColor',
    'stroke-width': width,
    'stroke-dasharray': dash,
    fill: 'none',
  })

export const CONVERGED_DASH = '1 3'

/** The text that stands in for a mark, if a picture has any. */
export type Title = (spot: Spot, origin: 'ours' | 'paper' | 'converged') => readonly string[]

/** A series: the values that it is compared with, its line, broken at gaps, then intervals, then points. */
export function drawn(series: Series, index: number, plot: Plot, hasNames: boolean, title: Title): string {
  const { line: isLine = !hasNames, marks = true } = series
  const { spots, beyond } = plot
  const { ours, paper, converged } = spots[index] ?? { ours: [], paper: [], converged: [] }
  const style = styleOf(index)
  const [aside, beside] = [plot.aside(index), plot.aside(index) + (marks ? ASIDE : 0)]
  const shown = (some: readonly (Spot | undefined)[]) =>
    some.filter((spot) => spot !== undefined).filter((spot) => beyond(spot.y) === undefined)
  const points = marks ? shown(ours) : []
  const hasLine = isLine && ours.some((spot) => spot !== undefined)
  return inColor(
    style,
    'series',
    ...(converged.length > 0
      ? [
          lineOf(
            convergedPath(converged, plot, hasNames, aside),
            'converged',
            hasNames ? undefined : CONVERGED_DASH,
            1.2,
          ),
        ]
      : []),
    ...(hasLine ? [lineOf(pathOf(ours, plot, aside), 'line', style.dash, 1.6)] : []),
    ...shown(paper).flatMap((spot) => interval(spot, plot, beside, 'paper')),
    ...points.flatMap((spot) => interval(spot, plot, aside, spot.isShort ? 'interval short' : 'interval')),
    ...shown(paper).map((spot) => hollow(style, placeOf(spot, plot, beside), ...title(spot, 'paper'))),
    ...points.map((spot) =>
      mark(style, placeOf(spot, plot, aside), spot.isShort ? 'point short' : 'point', ...title(spot, 'ours')),
    ),
  )
}

export const placeOf = ({ x, y }: Spot, { scaleX, scaleY }: Plot, aside: number): Place => [
  scaleX(x) + aside,
  scaleY(y),
]

/** The path through spots; it ends at the edge of the plot where the next spot is beyond it. */
function pathOf(spots: readonly (Spot | undefined)[], plot: Plot, aside: number): string {
  let end = ''
  return spots
    .map((spot, i) => {
      const before = spots[i - 1]
      if (!spot || !before) return ''
      const [from, to] = [placeOf(before, plot, aside), placeOf(spot, plot, aside)]
      const part = [...from, ...to].every(Number.isFinite) ? between(from, to, plot.frame) : undefined
      if (!part) return ''
      const start = at(...part[0])
      const step = start === end ? `L${at(...part[1])}` : `M${start}L${at(...part[1])}`
      end = at(...part[1])
      return step
    })
    .join('')
}

/** A line through the converged values; a short one at each of them between categories, and if there is only one. */
function convergedPath(spots: readonly Spot[], plot: Plot, hasNames: boolean, aside: number): string {
  if (!hasNames && spots.length > 1) return pathOf(spots, plot, 0)
  // no longer than the room of its series
  const half = hasNames ? Math.min(TICK, (plot.aside(1) - plot.aside(0) + ASIDE) / 2) : TICK
  return spots
    .filter(({ y }) => plot.beyond(y) === undefined)
    .map((spot) => {
      const [x, y] = placeOf(spot, plot, aside + ASIDE / 2)
      return `M${at(x - half, y)}H${at(x + half)}`
    })
    .join('')
}

function interval({ x, bar }: Spot, { scaleX, scaleY, frame }: Plot, aside: number, name: string): string[] {
  if (bar === undefined) return []
  const [low, high] = bar.map((end) => at(Math.min(frame.bottom, Math.max(frame.top, scaleY(end)))))
  const middle = scaleX(x) + aside
  const [left, center] = [at(middle - CAP), at(middle)]
  const d = `M${center} ${low}V${high}M${left} ${low}h${2 * CAP}M${left} ${high}h${2 * CAP}`
  return [element('path', { class: name, d, stroke: 'currentColor', fill: 'none' })]
}

const ARROWS = { below: 'M-4.5 -8H4.5L0 0z', above: 'M-4.5 8H4.5L0 0z' } as const
const ROW = 15

/** Arrows at the edge of the plot for points beyond it, each with its value. No two stand on each other. */
export function arrows(series: readonly Series[], plot: Plot): string[] {
  const { frame, spots, beyond, digits, scaleX } = plot
  const all = spots.flatMap(({ ours, paper }, i) =>
    [...(series[i]?.marks === false ? [] : ours), ...paper].flatMap((spot) => {
      const side = spot && beyond(spot.y)
      return side ? [{ spot, side, i, x: scaleX(spot.x) + plot.aside(i) }] : []
    }),
  )
  const taken: { readonly side: string; readonly row: number; readonly from: number; readonly to: number }[] = []
  return all
    .toSorted((one, other) => one.x - other.x)
    .map(({ spot, side, i, x }) => {
      const text = String(Number(spot.y.toFixed(Math.min(digits, 2))))
      const length = text.length * LETTER + 8
      const isLeft = x + length > frame.right + 12
      const [from, to] = isLeft ? [x - length, x + 5] : [x - 5, x + length]
      let row = 0
      while (taken.some((one) => one.side === side && one.row === row && one.from < to && from < one.to)) row++
      taken.push({ side, row, from, to })
      const y = side === 'below' ? frame.bottom - ROW * row : frame.top + ROW * row
      const label = { x: at(x + (isLeft ? -7 : 7)), y: at(side === 'below' ? y - 1 : y + 10) }
      return inColor(
        styleOf(i),
        'beyond',
        element('path', { d: ARROWS[side], transform: `translate(${at(x, y)})`, fill: 'currentColor' }),
        element('text', { ...label, 'text-anchor': isLeft ? 'end' : 'start' }, escaped(text)),
      )
    })
}
