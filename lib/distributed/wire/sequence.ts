/**
 * Sequence numbers for the messages of one node to another, from 1. The sender keeps each item until it is acknowledged. The receiver
 * recognizes duplicates and gaps by the numbers. No messages and no clock here.
 *
 * Nothing is retransmitted: mail between hosts may be lost, and its loss is told. A `ReliableStream` retransmits bytes.
 */

/** Thrown when two nodes disagree about what was sent between them. They cannot recover, so one of them has to end. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
}

/** Numbers `first` to `last`. */
export type Gap = { readonly first: number; readonly last: number }

/** The sender's window: items that were sent and not yet acknowledged. */
export class UnacknowledgedWindow<T> {
  readonly #kept = new Map<number, T>()
  #last = 0
  #acknowledged = 0

  /** The sequence number of the last item. */
  get last(): number {
    return this.#last
  }

  push(item: T): number {
    this.#kept.set(++this.#last, item)
    return this.#last
  }

  /**
   * Removes and returns the items up to `n`, which have arrived or are known to be lost.
   *
   * @throws StreamError for a count above all that was sent
   */
  acknowledge(n: number): T[] {
    if (n > this.#last) throw new StreamError(`number ${n} was heard, but the last one sent is ${this.#last}`)
    const taken = this.take({ first: this.#acknowledged + 1, last: n })
    this.#acknowledged = Math.max(this.#acknowledged, n)
    return taken
  }

  /** Removes and returns the items of a gap that are still kept. */
  take({ first, last }: Gap): T[] {
    const taken: T[] = []
    for (let n = Math.max(first, this.#acknowledged + 1); n <= Math.min(last, this.#last); n++) {
      const item = this.#kept.get(n)
      if (item !== undefined) taken.push(item)
      this.#kept.delete(n)
    }
    return taken
  }
}

/** The receiver of mail, which arrives at most once: it drops late and repeated items, and an item that a later one overtook is lost. */
export class AtMostOnceReceiver {
  #last = 0

  /** The last number: all items up to it have arrived or are lost. */
  get last(): number {
    return this.#last
  }

  /** Takes the arrival of number `n`; returns whether it is new, and the gap that was lost before it. */
  hear(n: number): { readonly isNew: boolean; readonly lost: Gap | undefined } {
    if (n <= this.#last) return { isNew: false, lost: undefined }
    const lost = this.upTo(n - 1)
    this.#last = n
    return { isNew: true, lost }
  }

  /** Takes the sender's count of items sent so far; items that have not arrived by now are lost. */
  upTo(n: number): Gap | undefined {
    if (n <= this.#last) return undefined
    const lost = { first: this.#last + 1, last: n }
    this.#last = n
    return lost
  }
}
