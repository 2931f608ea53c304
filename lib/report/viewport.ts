/** The visible part of an axis, as numbers. */

export interface Viewport {
  readonly from: number
  readonly to: number
}

/** The bounds of an axis; `least` is the least length that a viewport shows. */
export interface Bounds extends Viewport {
  readonly least: number
}

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** A viewport of a length that begins at `from`, moved and cut to stay within the bounds. */
function placed(from: number, length: number, { from: low, to: high, least }: Bounds): Viewport {
  const size = within(length, Math.min(least, high - low), high - low)
  const start = within(from, low, high - size)
  return { from: start, to: start + size }
}

/** Zooms a viewport, in for a factor < 1; the point `around` stays in place. */
export function zoomed({ from, to }: Viewport, factor: number, around: number, bounds: Bounds): Viewport {
  const { least, from: low, to: high } = bounds
  const length = within((to - from) * factor, Math.min(least, high - low), high - low)
  return placed(around - ((around - from) / (to - from || 1)) * length, length, bounds)
}

export const panned = ({ from, to }: Viewport, by: number, bounds: Bounds): Viewport =>
  placed(from + by, to - from, bounds)

/** A viewport moved and cut to stay within the bounds. */
export const clamped = ({ from, to }: Viewport, bounds: Bounds): Viewport => placed(from, to - from, bounds)

/** Says whether a viewport shows all of an axis. */
export const isWhole = (viewport: Viewport, { from, to }: Viewport): boolean =>
  viewport.from <= from && viewport.to >= to

/** A viewport with one of its ends moved to a point, at most to where the least length is left. */
export function resized({ from, to }: Viewport, end: keyof Viewport, point: number, bounds: Bounds): Viewport {
  const least = Math.min(bounds.least, bounds.to - bounds.from)
  return end === 'from'
    ? { from: within(point, bounds.from, to - least), to }
    : { from, to: within(point, from + least, bounds.to) }
}

/** A viewport of a length around a point. */
export const around = (point: number, length: number, bounds: Bounds): Viewport =>
  placed(point - length / 2, length, bounds)

/** A viewport of a part of an axis, with some room at both ends. */
export const spanning = ({ from, to }: Viewport, bounds: Bounds): Viewport =>
  placed(from - (to - from) / 20, ((to - from) * 11) / 10, bounds)

/** The same viewport if a point is well inside it, else one around that point. */
export function showing(viewport: Viewport, point: number, bounds: Bounds): Viewport {
  const { from, to } = viewport
  const edge = (to - from) / 20
  return point >= from + edge && point <= to - edge ? viewport : around(point, to - from, bounds)
}

/** The viewport after an axis has grown: one at the end stays at the end, and shows at least `least`. */
export function following(viewport: Viewport, before: Viewport, now: Bounds, least: number): Viewport {
  if (viewport.to < before.to) return viewport
  return placed(now.to, Math.max(viewport.to - viewport.from, least), now)
}
