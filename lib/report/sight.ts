/** The time window that all pictures of a run show, and the instant that the reader points at. */
import { type Bounds, clamped, following, isWhole, type Viewport } from './viewport.ts'

/** The shortest window, in millionths of a unit. */
const LEAST = 10_000

export const sightBounds = (until: number, begins = 0): Bounds => ({
  from: begins,
  to: Math.max(begins + 1, until),
  least: LEAST,
})

export class Sight {
  #bounds: Bounds
  /** The part that the reader chose; null for the whole run, also as it grows. */
  #chosen: Viewport | null = null
  #columns: Viewport | null = null
  #pointed: number | null = null
  readonly #onWindow: (() => void)[] = []
  readonly #onPoint: ((at: number | null) => void)[] = []

  /** The run ends at `until`; what is shown of it begins at `begins`. */
  constructor(until: number, begins = 0) {
    this.#bounds = sightBounds(until, begins)
  }

  get bounds(): Bounds {
    return this.#bounds
  }

  get window(): Viewport {
    return this.#chosen ?? this.#bounds
  }

  /** The columns that the diagram shows in this window, if it was moved by them; many columns may be of one instant. */
  get columns(): Viewport | null {
    return this.#columns
  }

  /** The instant that the reader points at in any picture; null for none. */
  get pointed(): number | null {
    return this.#pointed
  }

  /** Shows a part of the run, by order as these columns. Returns the window, which stays within the run. */
  look(next: Viewport, columns: Viewport | null = null): Viewport {
    this.#columns = columns
    this.#chosen = isWhole(next, this.#bounds) ? null : clamped(next, this.#bounds)
    const { window } = this
    for (const listener of this.#onWindow) listener()
    return window
  }

  /** Shows the whole run. */
  lookAtAll(): void {
    this.look(this.#bounds)
  }

  point(at: number | null): void {
    if (at === this.#pointed) return
    this.#pointed = at
    for (const listener of this.#onPoint) listener(at)
  }

  /**
   * The run has grown, and what is shown of it may begin later. A window at its end stays at its end if it `follows`; listeners are
   * not called.
   */
  grow(until: number, follows = true, begins = 0): void {
    const bounds = sightBounds(until, begins)
    if (this.#chosen && follows) this.#chosen = following(this.#chosen, this.#bounds, bounds, 0)
    if (this.#chosen) this.#chosen = clamped(this.#chosen, bounds)
    this.#bounds = bounds
  }

  /** Calls `listener` after every change of the window. */
  onWindow(listener: () => void): void {
    this.#onWindow.push(listener)
  }

  /** Calls `listener` after every change of the instant that the reader points at. */
  onPoint(listener: (at: number | null) => void): void {
    this.#onPoint.push(listener)
  }
}
