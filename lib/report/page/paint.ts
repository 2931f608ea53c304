/** Draws a space-time diagram. */
import { ticksOf } from '../../experiment/ticks.ts'
import type { Graph } from '../graph.ts'
import { CRASHED, UNHANDLED } from '../types.ts'
import type { Viewport } from '../viewport.ts'
import { type Ink, inks, nth } from './colors.ts'
import { DEAD, LEFT, laneOf, type Places, type Selected, type Stretch, TOP } from './scene.ts'
import { addHead, Strokes } from './strokes.ts'

/** More messages than these are not drawn at once: every second, third, ... is. */
export const ARROWS_MAX = 10_000

export interface Picture {
  readonly places: Places
  readonly viewport: Viewport
  readonly selected: Selected
  readonly stretches: readonly (readonly Stretch[])[]
  readonly rowHeight: number
  /** By the text of its type. */
  readonly colors: ReadonlyMap<number, Ink>
}

/** Returns how many events are in sight, and of how many messages one is drawn. */
export function paint(context: CanvasRenderingContext2D, width: number, height: number, picture: Picture) {
  const painter = new Painter(context, width, height, picture)
  return painter.paint()
}

class Painter {
  readonly #context: CanvasRenderingContext2D
  readonly #width: number
  readonly #height: number
  readonly #picture: Picture
  readonly #graph: Graph
  readonly #ink = inks()
  readonly #scale: number

  constructor(context: CanvasRenderingContext2D, width: number, height: number, picture: Picture) {
    this.#context = context
    this.#width = width
    this.#height = height
    this.#picture = picture
    this.#graph = picture.places.graph
    this.#scale = (width - LEFT) / (picture.viewport.to - picture.viewport.from)
  }

  paint(): { readonly events: number; readonly every: number } {
    const { places, viewport } = this.#picture
    const context = this.#context
    context.font = '12px system-ui, sans-serif'
    context.textBaseline = 'middle'
    const events = places.between(viewport)
    context.save()
    context.beginPath()
    context.rect(LEFT, 0, this.#width - LEFT, this.#height)
    context.clip()
    this.#bands()
    if (places.axis === 'time') this.#timeAxis()
    else this.#orderAxis(events)
    this.#faults(events)
    const every = this.#arrows(events)
    this.#dots(events)
    context.restore()
    this.#names()
    return { events: events.length, every }
  }

  #x(event: number): number {
    return LEFT + ((this.#picture.places.of[event] ?? 0) - this.#picture.viewport.from) * this.#scale
  }

  /** The middle of a lane; undefined: it is not shown. */
  #y(lane: number): number | undefined {
    const row = this.#picture.selected.rows[lane] ?? -1
    return row < 0 ? undefined : TOP + (row + 0.5) * this.#picture.rowHeight
  }

  #names(): void {
    const context = this.#context
    const { selected } = this.#picture
    const own = selected.event < 0 ? -1 : laneOf(this.#graph, selected.event)
    for (const lane of selected.lanes) {
      const y = this.#y(lane) ?? 0
      context.fillStyle = this.#ink('text')
      context.font = `${lane === own ? 'bold ' : ''}12px system-ui, sans-serif`
      context.fillText(this.#graph.laneName(lane), 4, y, LEFT - 10)
    }
  }

  /** The states of each actor, and when it is dead. */
  #bands(): void {
    const context = this.#context
    const { selected, stretches, rowHeight } = this.#picture
    const high = Math.min(rowHeight - 4, 18)
    for (const lane of selected.lanes) {
      const y = this.#y(lane) ?? 0
      context.fillStyle = this.#ink('line')
      context.fillRect(LEFT, y - 0.5, this.#width, 1)
      const own = stretches[lane] ?? []
      const names = [...new Set(own.map(({ state }) => state))].filter((state) => state !== DEAD)
      for (const [i, { event, state }] of own.entries()) {
        const next = own[i + 1]
        const from = Math.max(LEFT, this.#x(event))
        const to = Math.min(this.#width, next ? this.#x(next.event) : this.#width)
        if (to <= LEFT || from >= this.#width || to - from < 0.5) continue
        if (state === DEAD) {
          context.fillStyle = this.#ink('panel')
          context.fillRect(from, y - 1, to - from, 2)
          context.strokeStyle = this.#ink('red')
          context.setLineDash([3, 4])
          this.#line(from, y, to, y)
          context.setLineDash([])
          continue
        }
        const name = this.#graph.text(state)
        if (name === '-') continue
        context.globalAlpha = 0.28
        context.fillStyle = this.#ink(nth(names.indexOf(state)))
        context.fillRect(from, y - high / 2, to - from, high)
        context.globalAlpha = 1
        if (to - from < name.length * 6 + 10 || rowHeight < 16) continue
        context.fillStyle = this.#ink('faint')
        context.fillText(name, from + 8, y + (rowHeight >= 30 ? 9 - rowHeight / 2 + 2 : 0))
      }
    }
  }

  #line(fromX: number, fromY: number, toX: number, toY: number): void {
    this.#context.beginPath()
    this.#context.moveTo(fromX, fromY)
    this.#context.lineTo(toX, toY)
    this.#context.stroke()
  }

  #timeAxis(): void {
    const { from, to } = this.#picture.viewport
    const { values, labels } = ticksOf(from / 1e6, to / 1e6)
    for (const [i, value] of values.entries()) this.#tick(LEFT + (value * 1e6 - from) * this.#scale, labels[i] ?? '')
  }

  /** Where time goes on. */
  #orderAxis(events: Int32Array): void {
    let [said, written] = [Number.NaN, Number.NEGATIVE_INFINITY]
    for (const event of events) {
      const at = this.#graph.at[event] ?? 0
      const x = this.#x(event)
      if (at === said || x - written < 80) continue
      said = at
      written = x
      this.#tick(x, String(Number((at / 1e6).toFixed(3))))
    }
  }

  #tick(x: number, label: string): void {
    const context = this.#context
    context.fillStyle = this.#ink('line')
    context.fillRect(x, TOP - 8, 1, this.#height)
    context.fillStyle = this.#ink('faint')
    context.fillText(label, x + 3, 9)
  }

  #faults(events: Int32Array): void {
    const context = this.#context
    for (const event of events) {
      if (this.#graph.kind(event) !== 'fault') continue
      const x = this.#x(event)
      context.strokeStyle = this.#ink('red')
      context.lineWidth = 1.5
      this.#line(x, TOP - 8, x, this.#height)
      context.lineWidth = 1
      context.fillStyle = this.#ink('red')
      context.fillText(this.#graph.name(event), x + 3, TOP - 6)
    }
  }

  #arrows(events: Int32Array): number {
    const { sends } = this.#graph
    let count = 0
    for (const event of events) count += (sends[event + 1] ?? 0) - (sends[event] ?? 0)
    const every = Math.max(1, Math.ceil(count / ARROWS_MAX))
    const { from } = this.#picture.viewport
    const strokes = new Strokes()
    for (const event of events) {
      for (let send = sends[event] ?? 0; send < (sends[event + 1] ?? 0); send++) {
        if (send % every === 0) this.#arrow(send, strokes)
      }
      // what was sent out of sight comes from there
      const mail = this.#graph.mail[event] ?? -1
      if (mail < 0 || mail % every !== 0) continue
      if ((this.#picture.places.of[this.#graph.sender[mail] ?? 0] ?? 0) < from) this.#arrow(mail, strokes)
    }
    strokes.draw(this.#context, this.#ink)
    return every
  }

  /** In the colour of its type, or of the cone of the selected event. */
  #colorOf(send: number): { readonly ink: Ink; readonly alpha: number } {
    const { selected, colors } = this.#picture
    const [sender, handler] = [this.#graph.sender[send] ?? 0, this.#graph.handler[send] ?? -1]
    const { past, future } = selected
    if (!past || !future) return { ink: colors.get(this.#graph.run.sends.type[send] ?? 0) ?? 'faint', alpha: 0.85 }
    if (handler >= 0 && past[handler]) return { ink: 'blue', alpha: 1 }
    if (future[sender]) return { ink: 'orange', alpha: 1 }
    return { ink: 'faint', alpha: 0.15 }
  }

  #arrow(send: number, strokes: Strokes): void {
    const { selected, places, rowHeight } = this.#picture
    if (!selected.sends[send]) return
    const { sends } = this.#graph.run
    const [sender, handler] = [this.#graph.sender[send] ?? 0, this.#graph.handler[send] ?? -1]
    const [fromY, toY] = [this.#y(this.#graph.lane(sender)), this.#y(sends.to[send] ?? 0)]
    if (fromY === undefined || toY === undefined) return
    const isLost = (this.#graph.reason[send] ?? 0) > 0 && handler < 0
    if (handler < 0 && !isLost) return
    const fromX = this.#x(sender)
    const way = places.axis === 'time' ? Math.max(0, sends.way[send] ?? 0) * this.#scale : 0.7 * this.#scale
    const toX = handler >= 0 ? this.#x(handler) : fromX + Math.max(6, Math.min(way, 60))
    const { ink, alpha } = this.#colorOf(send)
    // what is lost does not get there
    const endY = isLost ? fromY + (toY - fromY) * 0.7 : toY
    const { lines, heads } = strokes.of(isLost ? 'red' : ink, alpha, isLost)
    lines.moveTo(fromX, fromY)
    lines.lineTo(toX, endY)
    if (isLost) this.#cross(toX, endY)
    else if (this.#scale > 4 || places.axis === 'time') addHead(heads, fromX, fromY, toX, toY)
    if (this.#scale < 56 || places.axis === 'time' || rowHeight < 16) return
    this.#context.globalAlpha = alpha
    this.#context.fillStyle = this.#ink(isLost ? 'red' : 'text')
    this.#context.fillText(this.#graph.text(sends.type[send]), (fromX + toX) / 2 + 4, (fromY + endY) / 2)
    this.#context.globalAlpha = 1
  }

  #cross(x: number, y: number, size = 4): void {
    const context = this.#context
    context.strokeStyle = this.#ink('red')
    context.lineWidth = 2
    this.#line(x - size, y - size, x + size, y + size)
    this.#line(x - size, y + size, x + size, y - size)
    context.lineWidth = 1
  }

  #dots(events: Int32Array): void {
    const context = this.#context
    const { selected } = this.#picture
    const { past, future } = selected
    const size = this.#scale > 6 || this.#picture.places.axis === 'time' ? 3 : 1.5
    for (const event of events) {
      const y = this.#y(laneOf(this.#graph, event))
      if (y === undefined || (selected.events[event] ?? 0) === 0) continue
      const x = this.#x(event)
      const kind = this.#graph.kind(event)
      const flags = this.#graph.flags[event] ?? 0
      const isIn = past?.[event] ? 'blue' : future?.[event] ? 'orange' : null
      context.globalAlpha = past && !isIn ? 0.25 : 1
      if (kind === 'died' || flags & CRASHED) {
        this.#cross(x, y, 6)
      } else {
        context.fillStyle = this.#ink(flags & UNHANDLED ? 'red' : (isIn ?? 'text'))
        if (kind === 'timer') this.#diamond(x, y, size + 1)
        else context.fillRect(x - size, y - size, 2 * size, 2 * size)
      }
      context.globalAlpha = 1
      if (event !== selected.event) continue
      context.strokeStyle = this.#ink('text')
      context.lineWidth = 2
      context.beginPath()
      context.arc(x, y, 9, 0, 2 * Math.PI)
      context.stroke()
      context.lineWidth = 1
    }
  }

  #diamond(x: number, y: number, size: number): void {
    const context = this.#context
    context.beginPath()
    context.moveTo(x, y - size)
    context.lineTo(x + size, y)
    context.lineTo(x, y + size)
    context.lineTo(x - size, y)
    context.fill()
  }
}
