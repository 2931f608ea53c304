/** A priority queue by due time. Items of one instant come in the order of adding. */
import TinyQueue from 'tinyqueue'
import type { Time } from './time.ts'

/** The place of an item in a queue. */
export interface QueueEntry<T> {
  readonly item: T
  readonly due: Time
  readonly order: number
  /** False for an item that was removed. */
  isWanted: boolean
}

export class DueQueue<T> {
  readonly #entries = new TinyQueue<QueueEntry<T>>([], (a, b) => a.due - b.due || a.order - b.order)
  #order = 0

  /** Adds an item; returns its place, by which it can be removed. */
  add(due: Time, item: T): QueueEntry<T> {
    const entry = { item, due, order: this.#order++, isWanted: true }
    this.#entries.push(entry)
    return entry
  }

  remove(entry: QueueEntry<T>): void {
    entry.isWanted = false
  }

  /** When the next item is due; Infinity if there is none. */
  get next(): Time {
    let first = this.#entries.peek()
    while (first && !first.isWanted) {
      this.#entries.pop()
      first = this.#entries.peek()
    }
    return first ? first.due : Number.POSITIVE_INFINITY
  }

  /** Takes the next item if it is due by `now`. */
  take(now: Time): T | undefined {
    return this.next <= now ? this.#entries.pop()?.item : undefined
  }
}
