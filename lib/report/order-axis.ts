/**
 * An axis on which the columns of a run's events follow each other at equal distances. All events of a column have one instant, and
 * instants never decrease along columns, so that times and columns can be converted. With a filter, only columns with an event that
 * passes it have a place of their own.
 */
import { countUpTo, type Graph } from './graph.ts'
import type { Viewport } from './viewport.ts'

export class OrderAxis {
  /** The instant of each column. */
  readonly #times: Float64Array

  /** The place of each event. An event in a column that the filter leaves out is between two places. */
  readonly places: Float64Array

  /** `shown` marks the events that pass the filter; null, or a filter that nothing passes, keeps all columns. */
  constructor({ column, at, count }: Pick<Graph, 'column' | 'at' | 'count'>, shown: Uint8Array | null = null) {
    const kept = keptColumns(column, shown?.includes(1) ? shown : null)
    // the number of kept columns up to each column
    const ranks = new Int32Array(kept.length)
    for (let one = 0; one < kept.length; one++) ranks[one] = (ranks[one - 1] ?? 0) + (kept[one] ?? 0)
    this.#times = new Float64Array(ranks.at(-1) ?? 0)
    this.places = new Float64Array(count)
    for (let event = 0; event < count; event++) {
      const own = column[event] ?? 0
      const rank = ranks[own] ?? 0
      this.places[event] = kept[own] ? rank - 1 : rank - 0.5
      if (kept[own]) this.#times[rank - 1] = at[event] ?? 0
    }
  }

  /** The time at a place among the columns. Between two columns the time passes evenly. */
  timeAt(place: number): number {
    const before = Math.min(Math.max(Math.floor(place), 0), this.#times.length - 1)
    const [one = 0, other = one] = [this.#times[before], this.#times[before + 1]]
    return one + (other - one) * Math.min(1, Math.max(0, place - before))
  }

  /** The place of a time: that of the last column up to it, and a part of the way to the next one. */
  placeOf(time: number): number {
    const before = countUpTo(this.#times, (at) => at <= time) - 1
    const [one = time, other = one] = [this.#times[before], this.#times[before + 1]]
    return before < 0 || other <= one ? before : before + (time - one) / (other - one)
  }

  /** The columns of a time window, with half a column on both sides. */
  columnsOf({ from, to }: Viewport): Viewport {
    const first = countUpTo(this.#times, (at) => at < from)
    return { from: Math.min(first, this.placeOf(from)) - 0.5, to: this.placeOf(to) + 0.5 }
  }
}

/** Marks with 1 the columns with an event that is shown. */
function keptColumns(column: Int32Array, shown: Uint8Array | null): Uint8Array {
  let last = -1
  for (const one of column) last = Math.max(last, one)
  const kept = new Uint8Array(last + 1)
  for (const [event, one] of column.entries()) if (!shown || shown[event]) kept[one] = 1
  return kept
}
