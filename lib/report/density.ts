/** How many of something there are in each part of an axis. */
import { countUpTo } from './graph.ts'
import type { Viewport } from './viewport.ts'

/** The sums of the weights of the places in each of `count` parts of equal length between two places. */
export function binsOf(
  places: ArrayLike<number>,
  weightOf: (index: number) => number,
  { from, to }: Viewport,
  count: number,
): Float64Array {
  const bins = new Float64Array(Math.max(1, count))
  const perPart = to > from ? bins.length / (to - from) : 0
  for (let i = 0; i < places.length; i++) {
    const place = places[i] ?? 0
    if (place < from || place > to) continue
    const bin = Math.min(bins.length - 1, Math.floor((place - from) * perPart))
    bins[bin] = (bins[bin] ?? 0) + weightOf(i)
  }
  return bins
}

/**
 * The places of events in each lane, in order. The number of events before a place is their rank there, so that counting a part
 * takes the same time however many events are in it.
 */
export class LaneDensity {
  readonly #places: readonly (readonly number[])[]

  /** `events` are in the order of their places; those that `isShown` refuses are left out. */
  constructor(
    lanes: number,
    events: Iterable<number>,
    of: {
      readonly lane: (event: number) => number
      readonly place: (event: number) => number
      readonly isShown: (event: number) => boolean
    },
  ) {
    const places: number[][] = Array.from({ length: lanes }, () => [])
    for (const event of events) if (of.isShown(event)) places[of.lane(event)]?.push(of.place(event))
    this.#places = places
  }

  /** The number of events of a lane from one place up to before another. */
  count(lane: number, from: number, to: number): number {
    return this.#rank(lane, to) - this.#rank(lane, from)
  }

  /** The numbers of events of a lane in `parts` parts of equal length. */
  counts(lane: number, { from, to }: Viewport, parts: number): Int32Array {
    const counts = new Int32Array(Math.max(0, parts))
    let before = this.#rank(lane, from)
    for (let part = 0; part < parts; part++) {
      const rank = this.#rank(lane, from + ((part + 1) * (to - from)) / parts)
      counts[part] = rank - before
      before = rank
    }
    return counts
  }

  #rank(lane: number, place: number): number {
    return countUpTo(this.#places[lane] ?? [], (one) => one < place)
  }
}

/** The steps of intensity in which counts are drawn. */
export const LEVELS = 8

/** The intensity of a count among counts of which `most` is the highest: 0 for none, and at most `LEVELS`. Few are told apart best. */
export const levelOf = (count: number, most: number): number =>
  count <= 0 ? 0 : most <= 1 ? LEVELS / 2 : Math.ceil((LEVELS * Math.log1p(count)) / Math.log1p(most))
