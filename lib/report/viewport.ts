/** The part of an axis that is to be seen, as numbers only. */

export interface Viewport {
  readonly from: number
  readonly to: number
}

/** Nobody sees less than this much of the whole. */
export interface Bounds extends Viewport {
  readonly least: number
}

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** Of a length, around where it is wanted to begin. */
function placed(from: number, length: number, { from: low, to: high, least }: Bounds): Viewport {
  const size = within(length, Math.min(least, high - low), high - low)
  const start = within(from, low, high - size)
  return { from: start, to: start + size }
}

/** By a factor < 1 closer, and the point `around` stays where it is. */
export function zoomed({ from, to }: Viewport, factor: number, around: number, bounds: Bounds): Viewport {
  const { least, from: low, to: high } = bounds
  const length = within((to - from) * factor, Math.min(least, high - low), high - low)
  return placed(around - ((around - from) / (to - from || 1)) * length, length, bounds)
}

export const panned = ({ from, to }: Viewport, by: number, bounds: Bounds): Viewport =>
  placed(from + by, to - from, bounds)

/** The same, if a point is well inside it, else around that point. */
export function showing(viewport: Viewport, point: number, bounds: Bounds): Viewport {
  const { from, to } = viewport
  const edge = (to - from) / 20
  return point >= from + edge && point <= to - edge ? viewport : placed(point - (to - from) / 2, to - from, bounds)
}

/** As there comes to be more of an axis: what was at its end stays there, at least `least` of it in sight. */
export function following(viewport: Viewport, before: Viewport, now: Bounds, least: number): Viewport {
  if (viewport.to < before.to) return viewport
  return placed(now.to, Math.max(viewport.to - viewport.from, least), now)
}
