/** The window as a brush on the whole run: what a drag or a key makes of it. */
import { type Bounds, clamped, panned, resized, type Viewport, zoomed } from './viewport.ts'

/** What is dragged: the window, one of its ends, or a new window. */
export type Grip = 'window' | 'from' | 'to' | 'new'

/** The window after a drag from one place to another. */
export function dragged(window: Viewport, grip: Grip, start: number, now: number, bounds: Bounds): Viewport {
  if (grip === 'window') return panned(window, now - start, bounds)
  if (grip === 'new') return clamped({ from: Math.min(start, now), to: Math.max(start, now) }, bounds)
  return resized(window, grip, window[grip] + now - start, bounds)
}

/** The parts of a window's length that a key moves it by. */
const STEP = 0.1
const PAGE = 0.5

/** The window after a key on a grip; null for a key without a meaning there. */
export function keyed(window: Viewport, grip: Exclude<Grip, 'new'>, key: string, bounds: Bounds): Viewport | null {
  const length = window.to - window.from
  const middle = (window.from + window.to) / 2
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: -STEP * length,
    ArrowDown: -STEP * length,
    ArrowRight: STEP * length,
    ArrowUp: STEP * length,
    PageUp: -PAGE * length,
    PageDown: PAGE * length,
    Home: bounds.from - bounds.to,
    End: bounds.to - bounds.from,
  }
  const by = Object.hasOwn(moves, key) ? moves[key] : undefined
  if (by !== undefined) return dragged(window, grip, 0, by, bounds)
  if (key === '+' || key === '=') return zoomed(window, 0.5, middle, bounds)
  return key === '-' ? zoomed(window, 2, middle, bounds) : null
}
