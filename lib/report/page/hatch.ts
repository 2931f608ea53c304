/** Draws slanted lines over an area, which mark what the page does not have. */

/** The distance between two lines, in pixels. */
const APART = 7

export interface HatchedArea {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function hatch(context: CanvasRenderingContext2D, area: HatchedArea, color: string): void {
  const { x, y, width, height } = area
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
  context.beginPath()
  for (let start = x - height; start < x + width; start += APART) {
    context.moveTo(start, y + height)
    context.lineTo(start + height, y)
  }
  context.strokeStyle = color
  context.lineWidth = 1
  context.stroke()
  context.restore()
}
