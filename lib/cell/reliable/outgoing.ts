/**
 * The sender's side of reliable delivery: gives the messages to each incarnation of each peer sequence numbers, and decides
 * which to retransmit (with exponential backoff) and which to give up. It sends nothing itself and knows no clock.
 */

import { type ReliableOptions, timeoutAfter } from '../../actor/reliable-options.ts'
import { DueQueue, type QueueEntry } from '../../core/due-queue.ts'
import { instantAfter, type Time } from '../../core/time.ts'

/** One attempt at one message. */
export interface Packet<M> {
  readonly to: number
  readonly incarnation: number
  /** The sequence number of the message among those to this incarnation, from 0. */
  readonly n: number
  /** All smaller sequence numbers are settled, so the receiver does not wait for them. */
  readonly base: number
  /** The attempt number, from 1. */
  readonly attempt: number
  readonly message: M
}

/** An acknowledgement: what a receiver has. */
export interface Receipt {
  /** All smaller sequence numbers were delivered, or given up by the sender. */
  readonly upTo: number
  /** Sequence numbers that came since the last receipt and wait for a smaller one. */
  readonly held: readonly number[]
}

interface Pair<M> {
  readonly to: number
  readonly incarnation: number
  next: number
  /** Unacknowledged messages, in the order of sending. */
  readonly waiting: Map<number, Waiting<M>>
}

interface Waiting<M> {
  readonly pair: Pair<M>
  readonly n: number
  readonly message: M
  attempt: number
  /** The receiver has the message but cannot deliver it yet, so there is no need to retransmit it. */
  isHeld: boolean
  /** Its timeout; undefined before the first attempt. */
  timer: QueueEntry<Waiting<M>> | undefined
}

export class Outgoing<M> {
  readonly #options: ReliableOptions
  readonly #pairs = new Map<string, Pair<M>>()
  readonly #timers = new DueQueue<Waiting<M>>()
  #waiting = 0

  constructor(options: ReliableOptions) {
    this.#options = options
  }

  /** Says whether all messages are acknowledged or given up. */
  get isEmpty(): boolean {
    return this.#waiting === 0
  }

  /** The instant of the next timeout; Infinity if nothing is unacknowledged. */
  get due(): Time {
    return this.#timers.next
  }

  /** Makes the first attempt at a message; undefined if the window is full. */
  add(to: number, incarnation: number, message: M, now: Time): Packet<M> | undefined {
    const pair = this.#pairs.get(keyOf(to, incarnation)) ?? { to, incarnation, next: 0, waiting: new Map() }
    this.#pairs.set(keyOf(to, incarnation), pair)
    if (pair.waiting.size >= this.#options.window) return undefined
    const entry: Waiting<M> = { pair, n: pair.next++, message, attempt: 0, isHeld: false, timer: undefined }
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

  /** Takes what an incarnation has not acknowledged and never will: these messages are lost. */
  refuse(to: number, incarnation: number): M[] {
    const entries = [...(this.#pairs.get(keyOf(to, incarnation))?.waiting.values() ?? [])]
    for (const entry of entries) this.#settle(entry)
    return entries.map(({ message }) => message)
  }

  /** Takes the messages whose timeout has passed: those to retransmit, and those to give up. */
  expire(now: Time): { readonly again: readonly Packet<M>[]; readonly lost: readonly M[] } {
    const again: Packet<M>[] = []
    const lost: M[] = []
    for (let entry = this.#timers.take(now); entry; entry = this.#timers.take(now)) {
      if (entry.attempt >= this.#options.attempts) {
        this.#settle(entry)
        lost.push(entry.message)
        // The next packet tells the receiver, by its base, not to wait for this message.
        for (const later of entry.pair.waiting.values()) later.isHeld = false
      } else {
        const packet = this.#attempt(entry, now)
        if (!entry.isHeld) again.push(packet)
      }
    }
    return { again, lost }
  }

  /** Forgets all messages. */
  clear(): void {
    for (const { waiting } of this.#pairs.values()) for (const entry of waiting.values()) this.#settle(entry)
  }

  #attempt(entry: Waiting<M>, now: Time): Packet<M> {
    const { pair, n, message } = entry
    const attempt = ++entry.attempt
    const due = instantAfter(now, timeoutAfter(attempt, this.#options), 'the next attempt (option reliable.timeout)')
    entry.timer = this.#timers.add(due, entry)
    const [base = n] = pair.waiting.keys()
    return { to: pair.to, incarnation: pair.incarnation, n, base, attempt, message }
  }

  #settle(entry: Waiting<M>): void {
    if (entry.timer) this.#timers.remove(entry.timer)
    entry.pair.waiting.delete(entry.n)
    this.#waiting--
  }
}

const keyOf = (slot: number, incarnation: number): string => `${slot}.${incarnation}`
