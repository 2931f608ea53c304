/** Draws thousands of arrows fast. */
import type { Ink } from './colors.ts'

/** Collects lines of the same look and draws them at once, which is much faster than one by one. */
export class Strokes {
  readonly #looks = new Map<string, Look>()

  of(ink: Ink, alpha: number, isDashed: boolean, width: number): Look {
    const key = `${ink} ${alpha} ${isDashed} ${width}`
    const known = this.#looks.get(key) ?? { ink, alpha, isDashed, width, lines: new Path2D(), heads: new Path2D() }
    this.#looks.set(key, known)
    return known
  }

  draw(context: CanvasRenderingContext2D, inkOf: (ink: Ink) => string): void {
    for (const { ink, alpha, isDashed, width, lines, heads } of this.#looks.values()) {
      context.globalAlpha = alpha
      context.strokeStyle = inkOf(ink)
      context.fillStyle = inkOf(ink)
      context.lineWidth = width
      context.setLineDash(isDashed ? [4, 3] : [])
      context.stroke(lines)
      context.fill(heads)
    }
    context.lineWidth = 1
    context.setLineDash([])
    context.globalAlpha = 1
  }
}

interface Look {
  readonly ink: Ink
  readonly alpha: number
  readonly isDashed: boolean
  readonly width: number
  readonly lines: Path2D
  readonly heads: Path2D
}

/** Adds the head of an arrow that ends at a point. */
export function addHead(path: Path2D, fromX: number, fromY: number, x: number, y: number): void {
  const length = Math.hypot(x - fromX, y - fromY)
  if (length < 6) return
  const [dx, dy] = [(x - fromX) / length, (y - fromY) / length]
  path.moveTo(x - 3 * dx, y - 3 * dy)
  path.lineTo(x - 10 * dx - 3.5 * dy, y - 10 * dy + 3.5 * dx)
  path.lineTo(x - 10 * dx + 3.5 * dy, y - 10 * dy - 3.5 * dx)
}
