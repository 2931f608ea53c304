/** The sheet that the parts of a space-time diagram draw on: positions, and the marks that several parts use. */
import type { Twins } from '../counterpart.ts'
import type { LaneDensity } from '../density.ts'
import type { Graph } from '../graph.ts'
import type { Viewport } from '../viewport.ts'
import { type Ink, inks } from './colors.ts'
import { leftOf, type Places, type Selected, type Stretch, TOP } from './scene.ts'

export interface Picture {
  readonly places: Places
  readonly viewport: Viewport
  readonly selected: Selected
  readonly stretches: readonly (readonly Stretch[])[]
  readonly rowHeight: number
  /** The shown events, for pictures of too many. */
  readonly density: () => LaneDensity
  /** The ink of each type of message, by the text index of the type. */
  readonly colors: ReadonlyMap<number, Ink>
  /** The states of each actor in the order of their colours; null for that of first use in this run. */
  readonly states: ReadonlyMap<string, readonly string[]> | null
  /** Which events the run next to this one has, too; null if there is none. */
  readonly twins: Twins | null
}

export const FONT = '12px system-ui, sans-serif'

export class Sheet {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  readonly picture: Picture
  readonly graph: Graph
  /** Where the picture begins, right of the names. */
  readonly left: number
  readonly ink = inks()
  /** The pixels per place. */
  readonly scale: number

  constructor(context: CanvasRenderingContext2D, width: number, height: number, picture: Picture) {
    this.context = context
    this.width = width
    this.height = height
    this.picture = picture
    this.graph = picture.places.graph
    this.left = leftOf(width)
    this.scale = (width - this.left) / (picture.viewport.to - picture.viewport.from)
  }

  x(event: number): number {
    return this.left + ((this.picture.places.of[event] ?? 0) - this.picture.viewport.from) * this.scale
  }

  /** The vertical middle of a lane; undefined if the lane is not shown. */
  y(lane: number): number | undefined {
    const row = this.picture.selected.rows[lane] ?? -1
    return row < 0 ? undefined : TOP + (row + 0.5) * this.picture.rowHeight
  }

  line(fromX: number, fromY: number, toX: number, toY: number): void {
    this.context.beginPath()
    this.context.moveTo(fromX, fromY)
    this.context.lineTo(toX, toY)
    this.context.stroke()
  }

  cross(x: number, y: number, size: number): void {
    const { context } = this
    context.strokeStyle = this.ink('red')
    context.lineWidth = 2
    this.line(x - size, y - size, x + size, y + size)
    this.line(x - size, y + size, x + size, y - size)
    context.lineWidth = 1
  }

  ring(x: number, y: number, radius: number, ink: Ink): void {
    const { context } = this
    context.strokeStyle = this.ink(ink)
    context.lineWidth = 2
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.stroke()
    context.lineWidth = 1
  }

  square(x: number, y: number, size: number, ink: Ink): void {
    const { context } = this
    context.strokeStyle = this.ink(ink)
    context.lineWidth = 1.5
    context.strokeRect(x - size, y - size, 2 * size, 2 * size)
    context.lineWidth = 1
  }

  diamond(x: number, y: number, size: number): void {
    const { context } = this
    context.beginPath()
    context.moveTo(x, y - size)
    context.lineTo(x + size, y)
    context.lineTo(x, y + size)
    context.lineTo(x - size, y)
    context.fill()
  }
}
