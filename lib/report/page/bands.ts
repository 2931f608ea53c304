/** Draws the states of each actor over time as bands. */
import type { Graph } from '../graph.ts'
import { nth } from './colors.ts'
import { DEAD, type Stretch } from './scene.ts'
import { FONT, type Sheet } from './sheet.ts'

/** The least height of a row whose states have names, in pixels. */
const NAMED = 30

/** Draws the lanes with their states; of a dense picture only the lanes, and the times in which actors were dead. */
export function paintBands(sheet: Sheet, isDense: boolean): void {
  const { context, ink, width, picture } = sheet
  for (const lane of picture.selected.lanes) {
    const y = sheet.y(lane) ?? 0
    context.fillStyle = ink('line')
    context.fillRect(sheet.left, y - 0.5, width, 1)
    paintLane(sheet, lane, y, isDense)
  }
  context.font = FONT
}

function paintLane(sheet: Sheet, lane: number, y: number, isDense: boolean): void {
  const { graph, picture } = sheet
  const own = picture.stretches[lane] ?? []
  const names = picture.states?.get(graph.laneName(lane)) ?? statesOf(graph, own)
  for (const [i, { event, state }] of own.entries()) {
    if (isDense && state !== DEAD) continue
    const next = own[i + 1]
    const from = Math.max(sheet.left, sheet.x(event))
    const to = Math.min(sheet.width, next ? sheet.x(next.event) : sheet.width)
    if (to <= sheet.left || from >= sheet.width || to - from < 0.5) continue
    if (state === DEAD) paintDead(sheet, from, to, y)
    else if (graph.text(state) !== '-') paintState(sheet, state, names.indexOf(graph.text(state)), from, to, y)
  }
}

/** The states of a lane in the order of first use. */
const statesOf = (graph: Graph, own: readonly Stretch[]): readonly string[] => [
  ...new Set(own.filter(({ state }) => state !== DEAD).map(({ state }) => graph.text(state))),
]

function paintDead({ context, ink }: Sheet, from: number, to: number, y: number): void {
  context.fillStyle = ink('panel')
  context.fillRect(from, y - 1, to - from, 2)
  context.strokeStyle = ink('red')
  context.setLineDash([3, 4])
  context.beginPath()
  context.moveTo(from, y)
  context.lineTo(to, y)
  context.stroke()
  context.setLineDash([])
}

function paintState(
  { context, ink, graph, picture }: Sheet,
  state: number,
  index: number,
  from: number,
  to: number,
  y: number,
): void {
  const { rowHeight } = picture
  const high = Math.min(rowHeight - 4, 18)
  context.globalAlpha = 0.28
  context.fillStyle = ink(nth(index))
  context.fillRect(from, y - high / 2, to - from, high)
  context.globalAlpha = 1
  const name = graph.text(state)
  if (rowHeight < NAMED || to - from < name.length * 6 + 6) return
  // the name is above the band, where it covers neither steps nor the lines of other actors
  context.font = '10.5px system-ui, sans-serif'
  context.fillStyle = ink('faint')
  context.fillText(name, from + 4, y - high / 2 - 5)
}
