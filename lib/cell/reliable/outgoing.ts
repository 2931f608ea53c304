/**
 * The sender's side of reliable delivery: numbers what goes to each incarnation of each peer, and says what to send again and
 * what to give up. Pure but for its memory: it sends nothing and knows no clock.
 */

import { type ReliableOptions, timeoutAfter } from '../../actor/reliable-options.ts'
import { DueQueue } from '../../core/due-queue.ts'
import { instantAfter, type Time } from '../../core/time.ts'

/** One attempt at one message. */
export interface Packet<M> {
  readonly to: number
  readonly incarnation: number
  /** The message's number among those to this incarnation, from 0. */
  readonly n: number
  /** What has a smaller number than this is settled: the receiver waits for none of it. */
  readonly base: number
  /** 1 for the first. */
  readonly attempt: number
  readonly message: M
}

/** What a receiver has. */
export interface Receipt {
  /** Everything with a smaller number was handed to the actor, or given up by the sender. */
  readonly upTo: number
  /** Came since the last receipt, and waits for one with a smaller number. */
  readonly held: readonly number[]
}

interface Pair<M> {
  readonly to: number
  readonly incarnation: number
  next: number
  /** Unacknowledged, in the order of sending. */
  readonly waiting: Map<number, Waiting<M>>
}

interface Waiting<M> {
  readonly pair: Pair<M>
  readonly n: number
  readonly message: M
  attempt: number
  /** The receiver has it, and cannot hand it on yet: to send it again is of no use. */
  isHeld: boolean
  unset: () => void
}

export class Outgoing<M> {
  readonly #options: ReliableOptions
  readonly #pairs = new Map<string, Pair<M>>()
  readonly #timers = new DueQueue<Waiting<M>>()
  #waiting = 0

  constructor(options: ReliableOptions) {
    this.#options = options
  }

  /** Has everything been acknowledged or given up? */
  get isEmpty(): boolean {
    return this.#waiting === 0
  }

  /** When something is to be sent again or given up; Infinity if nothing waits. */
  get due(): Time {
    return this.#timers.next
  }

  /** The first attempt at a message; undefined if too many are unacknowledged. */
  add(to: number, incarnation: number, message: M, now: Time): Packet<M> | undefined {
    const pair = this.#pairs.get(keyOf(to, incarnation)) ?? { to, incarnation, next: 0, waiting: new Map() }
    this.#pairs.set(keyOf(to, incarnation), pair)
    if (pair.waiting.size >= this.#options.window) return undefined
    const entry = { pair, n: pair.next++, message, attempt: 0, isHeld: false, unset: () => {} }
    pair.waiting.set(entry.n, entry)
    this.#waiting++
    return this.#attempt(entry, now)
  }

  acknowledge(to: number, incarnation: number, { upTo, held }: Receipt): void {
    const waiting = this.#pairs.get(keyOf(to, incarnation))?.waiting
    if (!waiting) return
    for (const [n, entry] of waiting) {
      if (n >= upTo) break
      this.#settle(entry)
    }
    for (const n of held) {
      const entry = waiting.get(n)
      if (entry) entry.isHeld = true
    }
  }

  /** An incarnation that will acknowledge nothing more: what it did not acknowledge is lost. */
  refuse(to: number, incarnation: number): M[] {
    const entries = [...(this.#pairs.get(keyOf(to, incarnation))?.waiting.values() ?? [])]
    for (const entry of entries) this.#settle(entry)
    return entries.map(({ message }) => message)
  }

  /** What is due by `now`, in the order of sending. */
  expire(now: Time): { readonly again: readonly Packet<M>[]; readonly lost: readonly M[] } {
    const again: Packet<M>[] = []
    const lost: M[] = []
    for (let entry = this.#timers.take(now); entry; entry = this.#timers.take(now)) {
      if (entry.attempt >= this.#options.attempts) {
        this.#settle(entry)
        lost.push(entry.message)
        // The receiver need not wait for it any more, and learns that from whatever is sent next.
        for (const later of entry.pair.waiting.values()) later.isHeld = false
      } else {
        const packet = this.#attempt(entry, now)
        if (!entry.isHeld) again.push(packet)
      }
    }
    return { again, lost }
  }

  /** Forgets everything. */
  clear(): void {
    for (const { waiting } of this.#pairs.values()) for (const entry of waiting.values()) this.#settle(entry)
  }

  #attempt(entry: Waiting<M>, now: Time): Packet<M> {
    const { pair, n, message } = entry
    const attempt = ++entry.attempt
    const due = instantAfter(now, timeoutAfter(attempt, this.#options), 'the next attempt (option reliable.timeout)')
    entry.unset = this.#timers.add(due, entry)
    const [base = n] = pair.waiting.keys()
    return { to: pair.to, incarnation: pair.incarnation, n, base, attempt, message }
  }

  #settle(entry: Waiting<M>): void {
    entry.unset()
    entry.pair.waiting.delete(entry.n)
    this.#waiting--
  }
}

const keyOf = (slot: number, incarnation: number): string => `${slot}.${incarnation}`
