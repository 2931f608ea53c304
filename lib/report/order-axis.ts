/**
 * An axis on which the columns of a run's events follow each other at equal distances. All events of a column have one instant, and
 * instants never decrease along columns, so that times and columns can be converted.
 */
import { countUpTo, type Graph } from './graph.ts'
import type { Viewport } from './viewport.ts'

export class OrderAxis {
  /** The instant of each column. */
  readonly #times: Float64Array

  constructor({ column, at, count }: Pick<Graph, 'column' | 'at' | 'count'>) {
    let last = -1
    for (const one of column) last = Math.max(last, one)
    this.#times = new Float64Array(last + 1)
    for (let event = 0; event < count; event++) this.#times[column[event] ?? 0] = at[event] ?? 0
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
