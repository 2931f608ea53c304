/** Draws a space-time diagram. */
import { shortUnits } from '../../core/format.ts'
import type { Moved } from '../counterpart.ts'
import { faultText } from '../marks.ts'
import { axisTitle, timeTicks } from '../time-ticks.ts'
import { BROKE, CRASHED, UNHANDLED } from '../types.ts'
import { paintArrows } from './arrows.ts'
import { paintBands } from './bands.ts'
import { paintDensity } from './heat.ts'
import { laneOf, TOP } from './scene.ts'
import { FONT, type Picture, Sheet } from './sheet.ts'

/** What a picture shows. */
export interface Painted {
  /** The number of events in sight that pass the filter. */
  readonly events: number
  /** n if only every n-th message is drawn. */
  readonly every: number
  /** The most events in a part of a lane, if they are too many to be drawn one by one; 0 otherwise. */
  readonly most: number
}

/** Draws a picture. */
export function paint(context: CanvasRenderingContext2D, width: number, height: number, picture: Picture): Painted {
  const sheet = new Sheet(context, width, height, picture)
  const { places, viewport } = picture
  const events = places.between(viewport)
  context.font = FONT
  context.textBaseline = 'middle'
  context.save()
  context.beginPath()
  // half a mark wider, so that marks at the very beginning are whole
  context.rect(sheet.left - EDGE, 0, width - sheet.left + EDGE, height)
  context.clip()
  const shown = events.filter((event) => picture.selected.events[event])
  const isDense = isTooDense(sheet, shown.length)
  paintBands(sheet, isDense)
  if (places.axis === 'time') paintTimes(sheet)
  else paintInstants(sheet, shown)
  paintFaults(sheet, events)
  const most = isDense ? paintDensity(sheet) : 0
  const drawn = isDense ? notableOf(sheet, events) : events
  const every = paintArrows(sheet, drawn)
  paintEvents(sheet, drawn)
  context.restore()
  paintNames(sheet)
  return { events: shown.length, every, most }
}

/** The least pixels between two columns of events that are drawn one by one. */
const COLUMN = 4
/** The most events of a chain of causes and effects that are drawn in a dense picture. */
const NOTABLE_MAX = 1500

/** Says whether events are too many to be drawn one by one: more than one a pixel, or columns that run together. */
const isTooDense = ({ width, left, scale, picture }: Sheet, events: number): boolean =>
  events > width - left || (picture.places.axis === 'order' && scale < COLUMN)

/** The events that are drawn even in a dense picture: deaths, broken promises, the selected event, and what led to it and came of it. */
function notableOf({ graph, picture }: Sheet, events: Int32Array): Int32Array {
  const { past, future, event: selected } = picture.selected
  const isFailure = (event: number): boolean =>
    event === selected || graph.kind(event) === 'died' || ((graph.flags[event] ?? 0) & (BROKE | CRASHED)) > 0
  const chain = past && future ? events.filter((event) => past[event] || future[event] || isFailure(event)) : null
  return chain && chain.length <= NOTABLE_MAX ? chain : events.filter(isFailure)
}

/** Half the width of a mark, in pixels. */
const EDGE = 4
/** How far the name of a child is to the right of its parent's, in pixels. */
const INDENT = 10
/** The least pixels between two labelled instants. */
const APART = 80

function paintNames(sheet: Sheet): void {
  const { context, ink, graph, picture } = sheet
  const { selected } = picture
  const own = selected.event < 0 ? -1 : laneOf(graph, selected.event)
  paintTitle(sheet)
  for (const lane of selected.lanes) {
    const [x, y] = [4 + INDENT * graph.depth(lane), sheet.y(lane) ?? 0]
    paintBranch(sheet, lane, x, y)
    context.fillStyle = ink('text')
    context.font = lane === own ? `bold ${FONT}` : FONT
    context.fillText(graph.laneName(lane), x, y, sheet.left - 6 - x)
  }
}

/** Says what the axis shows, and whether distances are to scale. */
function paintTitle({ context, ink, graph, left, picture }: Sheet): void {
  context.fillStyle = ink('faint')
  context.fillText(axisTitle(graph.run.unit), 4, 9, left - 8)
  if (picture.places.axis === 'order') context.fillText('by order, not to scale', 4, TOP - 4, left - 8)
}

/** Draws the line from a parent's name to that of its child, at `x` and `y`. */
function paintBranch(sheet: Sheet, lane: number, x: number, y: number): void {
  const { context, ink, graph } = sheet
  const from = sheet.y(graph.parent[lane] ?? -1)
  if (from === undefined) return
  context.strokeStyle = ink('line')
  sheet.line(x - INDENT + 3, from + 6, x - INDENT + 3, y)
  sheet.line(x - INDENT + 3, y, x - 2, y)
}

/** Draws the ticks of a time axis. */
function paintTimes(sheet: Sheet): void {
  const { viewport } = sheet.picture
  const { values, labels } = timeTicks(viewport, sheet.width - sheet.left)
  for (const [i, value] of values.entries())
    paintTick(sheet, sheet.left + (value - viewport.from) * sheet.scale, labels[i] ?? '')
}

/** Labels the instants on an axis of event order. */
function paintInstants(sheet: Sheet, events: Int32Array): void {
  let [said, written] = [Number.NaN, Number.NEGATIVE_INFINITY]
  for (const event of events) {
    const at = sheet.graph.at[event] ?? 0
    const x = sheet.x(event)
    if (at === said || x - written < APART) continue
    said = at
    written = x
    paintTick(sheet, x, shortUnits(at))
  }
}

function paintTick({ context, ink, height }: Sheet, x: number, label: string): void {
  context.fillStyle = ink('line')
  context.fillRect(x, TOP - 8, 1, height)
  context.fillStyle = ink('faint')
  context.fillText(label, x + 3, 9)
}

function paintFaults(sheet: Sheet, events: Int32Array): void {
  const { context, ink, graph, height } = sheet
  for (const event of events) {
    if (graph.kind(event) !== 'fault') continue
    const x = sheet.x(event)
    context.strokeStyle = ink('red')
    context.lineWidth = 1.5
    sheet.line(x, TOP - 8, x, height)
    context.lineWidth = 1
    context.fillStyle = ink('bad')
    context.fillText(faultText(graph.name(event)), x + 3, TOP - 6)
  }
}

function paintEvents(sheet: Sheet, events: Int32Array): void {
  const { context, ink, graph, picture, scale } = sheet
  const { selected, places, twins } = picture
  const { past, future } = selected
  const size = scale > 6 || places.axis === 'time' ? 3 : 1.5
  for (const event of events) {
    const y = sheet.y(laneOf(graph, event))
    if (y === undefined || !(selected.events[event] || event === selected.event)) continue
    const x = sheet.x(event)
    const kind = graph.kind(event)
    const flags = graph.flags[event] ?? 0
    const moved = twins?.moved.get(event)
    const isIn = moved ? 'pink' : past?.[event] ? 'blue' : future?.[event] ? 'orange' : null
    context.globalAlpha = past && !isIn && !selected.isTopical ? 0.25 : 1
    if (kind === 'died' || flags & CRASHED) sheet.cross(x, y, 6)
    else {
      context.fillStyle = ink(flags & UNHANDLED ? 'red' : (isIn ?? (twins?.alike[event] ? 'faint' : 'text')))
      if (kind === 'timer') sheet.diamond(x, y, size + 1)
      else context.fillRect(x - size, y - size, 2 * size, 2 * size)
    }
    if (flags & BROKE) sheet.ring(x, y, 6, 'red')
    context.globalAlpha = 1
    if (twins && (twins.of[event] ?? -1) < 0) sheet.square(x, y, size + 3, 'pink')
    if (moved) paintMoved(sheet, moved, x, y)
    if (event === selected.event) sheet.ring(x, y, 9, 'text')
  }
}

/** Marks an event that another order has moved, and says how. */
function paintMoved({ context, ink, width }: Sheet, moved: Moved, x: number, y: number): void {
  context.font = `bold ${FONT}`
  context.fillStyle = ink('text')
  const length = context.measureText(moved).width
  context.fillText(moved, Math.min(x + 8, width - length - 2), y - 9)
  context.font = FONT
}
