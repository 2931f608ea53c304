/** Sums over windows of time, for pictures that show how something changes in a run. */
import type { Time } from '../core/time.ts'
import type { PicturePoint } from './page.ts'

/** The width of the windows of a run that has just begun. */
const FIRST: Time = 1000

/** Collects amounts by name in windows of equal width. They double in width when a run outgrows them. */
export class Windows {
  readonly #most: number
  readonly #sums = new Map<string, number[]>()
  #width = FIRST

  /** There are at most `most` windows, and at least half of them in a long run. */
  constructor(most = 48) {
    this.#most = most
  }

  /** The width of a window. */
  get width(): Time {
    return this.#width
  }

  /** Adds an amount at an instant. */
  add(name: string, at: Time, amount = 1): void {
    this.#reach(at)
    const place = Math.min(this.#most - 1, Math.floor(at / this.#width))
    const sums = this.#of(name)
    sums[place] = (sums[place] ?? 0) + amount
  }

  /** Adds the time from one instant to another, or a part of it. */
  span(name: string, from: Time, until: Time, part = 1): void {
    this.#reach(until)
    for (let start = from; start < until; ) {
      const end = Math.min(until, (Math.floor(start / this.#width) + 1) * this.#width)
      this.add(name, start, (end - start) * part)
      start = end
    }
  }

  /** The names in the order of first use. */
  get names(): readonly string[] {
    return [...this.#sums.keys()]
  }

  /**
   * The sum of each window of a run that ends at `until`, divided by the length of the window, as points of steps. The amounts
   * of an instant are so a rate in millionths of a unit, and those of spans a share.
   */
  rates(name: string, until: Time): readonly PicturePoint[] {
    const sums = this.#sums.get(name) ?? []
    const edges = this.edges(until)
    const rateOf = (i: number): number => (sums[i] ?? 0) / ((edges[i + 1] ?? until) - (edges[i] ?? 0))
    return edges.map((x, i): PicturePoint => ({ x, y: rateOf(Math.min(i, edges.length - 2)) }))
  }

  /** The beginnings of the windows of a run that ends at `until`, and its end. The windows reach it from now on. */
  edges(until: Time): readonly Time[] {
    this.#reach(until)
    const count = Math.min(this.#most, Math.ceil(until / this.#width))
    return [...Array.from({ length: count }, (_, i) => i * this.#width), ...(count > 0 ? [until] : [])]
  }

  #of(name: string): number[] {
    const known = this.#sums.get(name)
    if (known) return known
    const made: number[] = []
    this.#sums.set(name, made)
    return made
  }

  /** Doubles the width until the windows reach an instant. */
  #reach(at: Time): void {
    while (at > this.#most * this.#width) {
      this.#width *= 2
      for (const sums of this.#sums.values()) {
        const halves = Math.ceil(sums.length / 2)
        for (let i = 0; i < halves; i++) sums[i] = (sums[2 * i] ?? 0) + (sums[2 * i + 1] ?? 0)
        sums.length = halves
      }
    }
  }
}
