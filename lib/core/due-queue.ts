/** A priority queue by due time. Items of one instant come in the order of adding. */
import TinyQueue from 'tinyqueue'
import type { Time } from './time.ts'

interface Entry<T> {
  readonly item: T
  readonly due: Time
  readonly order: number
  isWanted: boolean
}

export class DueQueue<T> {
  readonly #entries = new TinyQueue<Entry<T>>([], (a, b) => a.due - b.due || a.order - b.order)
  #order = 0

  /** Adds an item; returns a function that removes it. */
  add(due: Time, item: T): () => void {
    const entry = { item, due, order: this.#order++, isWanted: true }
    this.#entries.push(entry)
    return () => {
      entry.isWanted = false
    }
  }

  /** When the next item is due; Infinity if there is none. */
  get next(): Time {
    while (this.#entries.peek()?.isWanted === false) this.#entries.pop()
    return this.#entries.peek()?.due ?? Number.POSITIVE_INFINITY
  }

  /** Takes the next item if it is due by `now`. */
  take(now: Time): T | undefined {
    return this.next <= now ? this.#entries.pop()?.item : undefined
  }
}
