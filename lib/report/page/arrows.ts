/** Draws messages as arrows from their sender to the event that handles them. */
import type { AxisName } from '../address.ts'
import type { Graph } from '../graph.ts'
import type { Ink } from './colors.ts'
import type { Sheet } from './sheet.ts'
import { addHead, Strokes } from './strokes.ts'

/** The most arrows in one picture; of more messages only every second, third, ... is drawn. */
const ARROWS_MAX = 10_000
/** The least pixels between two columns for arrows with heads, and for arrows with names. */
const HEADS = 4
const NAMES = 56

/** Draws the arrows; returns n if only every n-th message is drawn. */
export function paintArrows(sheet: Sheet, events: Int32Array): number {
  const { graph, picture } = sheet
  const { sends } = graph
  let count = 0
  for (const event of events) count += (sends[event + 1] ?? 0) - (sends[event] ?? 0)
  const every = Math.max(1, Math.ceil(count / ARROWS_MAX))
  const { from } = picture.viewport
  const strokes = new Strokes()
  for (const event of events) {
    for (let send = sends[event] ?? 0; send < (sends[event + 1] ?? 0); send++) {
      if (send % every === 0) addArrow(sheet, send, strokes)
    }
    // arrows of messages that were sent outside the picture begin there
    const mail = graph.mail[event] ?? -1
    if (mail < 0 || mail % every !== 0) continue
    if ((picture.places.of[graph.sender[mail] ?? 0] ?? 0) < from) addArrow(sheet, mail, strokes)
  }
  strokes.draw(sheet.context, sheet.ink)
  return every
}

function addArrow(sheet: Sheet, send: number, strokes: Strokes): void {
  const { graph, picture, scale, context, ink: inkOf } = sheet
  const { selected, places, rowHeight } = picture
  if (!selected.sends[send]) return
  const { sends } = graph.run
  const [sender, handler] = [graph.sender[send] ?? 0, graph.handler[send] ?? -1]
  const [fromY, toY] = [sheet.y(graph.lane(sender)), sheet.y(sends.to[send] ?? 0)]
  if (fromY === undefined || toY === undefined) return
  const isLost = graph.isLost(send)
  if (handler < 0 && !isLost) return
  const fromX = sheet.x(sender)
  const toX = handler >= 0 ? sheet.x(handler) : fromX + reachOf(graph, send, places.axis, scale)
  const { ink, alpha, width } = lookOf(sheet, send)
  const { lines, heads } = strokes.of(isLost ? 'red' : ink, alpha, isLost, width)
  lines.moveTo(fromX, fromY)
  lines.lineTo(toX, toY)
  // the mark of a lost message is in the lane of the actor that it was for
  if (isLost) sheet.cross(toX, toY, 4)
  else if (scale > HEADS || places.axis === 'time') addHead(heads, fromX, fromY, toX, toY)
  if (scale < NAMES || places.axis === 'time' || rowHeight < 16) return
  context.globalAlpha = alpha
  context.fillStyle = inkOf(isLost ? 'red' : 'text')
  context.fillText(graph.text(sends.type[send]), (fromX + toX) / 2 + 4, (fromY + toY) / 2)
  context.globalAlpha = 1
}

/** How far to the right of its sender the arrow of a message ends that no event handled, in pixels. */
export function reachOf({ run }: Graph, send: number, axis: AxisName, scale: number): number {
  const way = axis === 'time' ? Math.max(0, run.sends.way[send] ?? 0) * scale : 0.7 * scale
  return Math.max(6, Math.min(way, 60))
}

interface ArrowLook {
  readonly ink: Ink
  readonly alpha: number
  /** The width of the line, in pixels. */
  readonly width: number
}

/** The look of an arrow: the colour of its type, or whether it led to the selected event or came of it. */
function lookOf({ graph, picture }: Sheet, send: number): ArrowLook {
  const { past, future, isTopical } = picture.selected
  const [sender, handler] = [graph.sender[send] ?? 0, graph.handler[send] ?? -1]
  if (handler >= 0 && picture.twins?.moved.has(handler)) return { ink: 'pink', alpha: 1, width: 3 }
  const width = isTopical ? 2 : 1
  if (past && handler >= 0 && past[handler]) return { ink: 'blue', alpha: 1, width }
  if (future?.[sender]) return { ink: 'orange', alpha: 1, width }
  const ink = picture.colors.get(graph.run.sends.type[send] ?? 0) ?? 'faint'
  return past && !isTopical ? { ink: 'faint', alpha: 0.15, width: 1 } : { ink, alpha: 0.85, width: 1 }
}
