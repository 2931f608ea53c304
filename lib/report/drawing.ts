/** Draws pictures of runs as SVG within a page, whose style sheet decides their colours. */

import { rounded, withUnit } from '../core/table.ts'
import { groupsOf } from '../core/tally.ts'
import { at, element, escaped } from '../experiment/svg.ts'
import { logTicksOf, type Ticks, ticksOf } from '../experiment/ticks.ts'
import type { Ink } from './inks.ts'

/** A series as it is drawn. An area has its lower end in `base`. */
export interface Drawn {
  readonly name: string
  readonly shape: 'line' | 'steps' | 'area' | 'dots' | 'reference'
  readonly ink: Ink
  readonly points: readonly Spot[]
}

export interface Spot {
  readonly x: number
  readonly y: number
  readonly base?: number
  readonly name?: string | undefined
  /** The fragment of an address that the point leads to. */
  readonly to?: string | undefined
}

/** A marked part of the x axis, such as the time of a machine's death. */
export interface Band {
  readonly from: number
  readonly until: number
  readonly label: string
}

export interface Axis {
  readonly label: string
  readonly unit?: string | undefined
  readonly from: number
  readonly until: number
  readonly isLog: boolean
}

export interface Panel {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Drawn[]
  readonly bands: readonly Band[]
  /** The fragment that leads to a place of the x axis; '' if none does. */
  readonly toOf: (x: number) => string
  /** The most dots that carry their names, the highest ones. Each of them makes the page larger. */
  readonly namedMax: number
}

const [WIDTH, HEIGHT] = [460, 210]
const [TOP, RIGHT, BOTTOM] = [18, 14, 44]
/** The width of a letter on a small screen, in pixels; without a browser it can only be estimated. */
const LETTER = 8
/** The most steps of a line that are all drawn. In a longer line each pixel has the least and the greatest of its values. */
const STEPS_MAX = 1200
/** The most parts of the x axis that carry their values. */
const COLUMNS_MAX = 130

type Scale = (value: number) => number
interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly scaleX: Scale
  readonly scaleY: Scale
}

function scaleOf(isLog: boolean, from: number, until: number, start: number, end: number): Scale {
  const along = isLog ? Math.log : (value: number) => value
  return (value) => start + ((along(value) - along(from)) / (along(until) - along(from) || 1)) * (end - start)
}

/** A picture as an SVG element. */
export function drawing(panel: Panel): string {
  const { title, x, y, series, bands } = panel
  const yTicks = y.isLog ? logTicksOf(y.from, y.until) : ticksOf(y.from, y.until, 5)
  const xTicks = within(x.isLog ? logTicksOf(x.from, x.until) : ticksOf(x.from, x.until, 6), x)
  const left = Math.max(...yTicks.labels.map((label) => label.length)) * LETTER + 26
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM]
  const scaleX = scaleOf(x.isLog, x.from, x.until, left, right)
  const scaleY = scaleOf(y.isLog, yTicks.values[0] ?? 0, yTicks.values.at(-1) ?? 1, bottom, TOP)
  const frame = { left, right, top: TOP, bottom, scaleX, scaleY }
  const hasLinks = panel.toOf(x.from) !== '' || series.some(({ points }) => points.some(({ to }) => to))
  const dots = series.filter(({ shape }) => shape === 'dots')
  const heights = dots.flatMap(({ points }) => points.map((point) => point.y)).sort((one, other) => other - one)
  const lowest = heights[panel.namedMax] ?? Number.NEGATIVE_INFINITY
  return element(
    'svg',
    // an image cannot have links
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: hasLinks ? 'group' : 'img', 'aria-label': `${title}. ${saysOf(panel)}` },
    ...bandsOf(bands, frame),
    ...gridOf(xTicks, yTicks, frame),
    label(withUnit(x.label, x.unit), (left + right) / 2, HEIGHT - 8, 'middle'),
    label(withUnit(y.label, y.unit), 0, 0, 'middle', { transform: `translate(12 ${(TOP + bottom) / 2}) rotate(-90)` }),
    ...series.filter(({ shape }) => shape !== 'dots').map((one) => lineOf(one, frame)),
    ...columnsOf(panel, frame),
    ...dots.map((one) => dotsOf(one, x.label, frame, lowest)),
  )
}

/** The description of a picture for readers who cannot see it. */
const saysOf = ({ x, y, series, bands }: Panel): string => {
  const names = [...new Set(series.map(({ name }) => name))].join(', ')
  const marked = bands.length > 0 ? ` Marked: ${bands.map((band) => band.label).join(', ')}.` : ''
  return `${withUnit(y.label, y.unit)} over ${withUnit(x.label, x.unit)}: ${names || 'nothing'}.${marked}`
}

const within = ({ values, labels }: Ticks, { from, until }: Axis): Ticks => {
  const kept = [...values.keys()].filter((i) => (values[i] ?? 0) >= from && (values[i] ?? 0) <= until)
  return { values: kept.map((i) => values[i] ?? 0), labels: kept.map((i) => labels[i] ?? '') }
}

const label = (text: string, x: number, y: number, anchor: string, more: { [name: string]: string } = {}): string =>
  element('text', { x, y, 'text-anchor': anchor, ...more }, escaped(text))

const said = (text: string): string => element('title', {}, escaped(text))

function gridOf(x: Ticks, y: Ticks, { left, right, top, bottom, scaleX, scaleY }: Frame): string[] {
  const lines = [
    ...x.values.map((value) => `M${at(scaleX(value), top)}V${bottom}`),
    ...y.values.map((value) => `M${at(left, scaleY(value))}H${right}`),
  ]
  return [
    element('path', { class: 'grid-lines', d: lines.join('') }),
    ...x.labels.map((text, i) => label(text, scaleX(x.values[i] ?? 0), bottom + 16, 'middle')),
    ...y.labels.map((text, i) => label(text, left - 6, scaleY(y.values[i] ?? 0) + 4, 'end')),
  ]
}

/** The marked parts of the x axis, with their labels above as far as there is room. */
function bandsOf(bands: readonly Band[], { left, right, top, bottom, scaleX }: Frame): string[] {
  let free = left
  return bands.flatMap((band) => {
    const start = Math.min(right - 2, Math.max(left, scaleX(band.from)))
    const end = Math.min(right, Math.max(start + 2, scaleX(band.until)))
    const shape = { class: 'band', x: start, y: top, width: end - start, height: bottom - top }
    const width = band.label.length * LETTER
    const place = Math.min(start, right - width)
    const hasRoom = place >= free
    if (hasRoom) free = place + width + LETTER
    return [
      element('rect', shape, said(band.label)),
      ...(hasRoom ? [label(band.label, place, top - 5, 'start', { class: 'faint' })] : []),
    ]
  })
}

function lineOf({ name, shape, ink, points }: Drawn, frame: Frame): string {
  const { scaleX, scaleY } = frame
  const look = { class: `${shape} ink-${ink}` }
  if (shape === 'area') return element('path', { ...look, d: areaOf(points, frame) }, said(name))
  const straight = points.map(({ x, y }, i) => `${i > 0 ? 'L' : 'M'}${at(scaleX(x), scaleY(y))}`).join('')
  return element('path', { ...look, d: shape === 'steps' ? stepsOf(points, frame) : straight }, said(name))
}

/** The path of a line whose values hold until the next point. */
function stepsOf(points: readonly Spot[], { scaleX, scaleY }: Frame): string {
  const shown = points.length > STEPS_MAX ? thinned(points, scaleX) : points
  return shown
    .map(({ x, y }, i) => (i > 0 ? `H${at(scaleX(x))}V${at(scaleY(y))}` : `M${at(scaleX(x), scaleY(y))}`))
    .join('')
}

/** The points that differ in the picture: of each pixel the first, the least, the greatest and the last. */
function thinned(points: readonly Spot[], scaleX: Scale): readonly Spot[] {
  const pixels = groupsOf(points, ({ x }) => Math.round(scaleX(x)))
  return [...pixels.values()].flatMap((own) => {
    const inOrder = own.toSorted((one, other) => one.y - other.y)
    const some = new Set([own[0], inOrder[0], inOrder.at(-1), own.at(-1)])
    return own.filter((point) => some.has(point))
  })
}

/** The path around an area, whose values hold until the next point. */
function areaOf(points: readonly Spot[], frame: Frame): string {
  const { scaleX, scaleY } = frame
  const back = points.toReversed().map(({ x }, i, all) => {
    const before = all[i + 1]
    return `H${at(scaleX(x))}${before ? `V${at(scaleY(before.base ?? 0))}` : ''}`
  })
  const last = points.at(-1)
  return last ? `${stepsOf(points, frame)}V${at(scaleY(last.base ?? 0))}${back.join('')}Z` : ''
}

/** Transparent columns that carry the values of steps and areas at their place; none beyond `COLUMNS_MAX`. */
function columnsOf({ x, series, toOf }: Panel, { top, bottom, scaleX }: Frame): string[] {
  const stepped = series.filter(({ shape }) => shape === 'steps' || shape === 'area')
  const places = [...new Set(stepped.flatMap(({ points }) => points.map((point) => point.x)))]
  places.sort((one, other) => one - other)
  if (places.length > COLUMNS_MAX) return []
  return places.slice(0, -1).map((from, i) => {
    const until = places[i + 1] ?? from
    const values = stepped.flatMap(({ name, points }) => {
      const point = points.findLast((one) => one.x <= from)
      return point ? [`${name} ${rounded(point.y - (point.base ?? 0))}`] : []
    })
    const text = `${x.label} ${rounded(from)} to ${rounded(until)}: ${values.join(', ')}`
    const shape = {
      class: 'column',
      x: scaleX(from),
      y: top,
      width: scaleX(until) - scaleX(from),
      height: bottom - top,
    }
    return linked(toOf(from), element('rect', shape, said(text)))
  })
}

/** The dots of a series. Those above `lowest` have their names and their links. */
function dotsOf(
  { name: series, ink, points }: Drawn,
  nameOfX: string,
  { scaleX, scaleY }: Frame,
  lowest: number,
): string {
  const rest = points.flatMap(({ x, y }) => (y > lowest ? [] : [`M${at(scaleX(x), scaleY(y))}h0`]))
  const named = points.filter(({ y }) => y > lowest)
  const each = named.map(({ x, y, name, to }) => {
    const text = said(`${name ?? series}: ${rounded(y)} at ${nameOfX} ${rounded(x)}`)
    return linked(to ?? '', element('circle', { cx: scaleX(x), cy: scaleY(y), r: 3 }, text))
  })
  return element(
    'g',
    { class: `dots ink-${ink}` },
    ...(rest.length > 0 ? [element('path', { class: 'many', d: rest.join('') })] : []),
    ...each,
  )
}

/** A shape that can be clicked. The keyboard has the tables, which lead to the same places. */
const linked = (to: string, shape: string): string =>
  to === '' ? shape : element('a', { href: to, tabindex: -1 }, shape)
