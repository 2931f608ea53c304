/** The mailbox of one slot: collects linked records and hands them out when they are due, in the order of the run. */

import TinyQueue from 'tinyqueue'
import type { Deviations } from '../actor/schedule.ts'
import { SYSTEM } from '../core/address.ts'
import { mix } from '../core/random.ts'
import type { Time } from '../core/time.ts'
import {
  CLASS,
  CLASS_CONTROL,
  DUE,
  LOST,
  LOST_EARLIER_INCARNATION,
  nameAt,
  SENT_AT,
  STATE,
  STATE_HELD,
  STATE_POSTED,
  SUBROUND,
} from './envelope.ts'
import type { Board } from './layout.ts'
import { push, takeAll } from './mpsc-list.ts'

/** `fifo`: earliest due first; `causal`: in the order of sending over all senders. Both keep the order of each pair. */
export type Order = 'fifo' | 'causal'

/**
 * The order of mail that is due in one round. `fifo`: the order of sending. A number: a permutation of senders that is drawn
 * from it. Deviations: fifo with exceptions.
 */
export type Schedule = 'fifo' | number | Deviations

interface Held {
  /** The record's address. */
  readonly at: number
  readonly due: Time
  readonly sentAt: Time
  readonly subround: number
  readonly from: number
  readonly incarnation: number
  readonly seq: number
  /** The order of collecting, which has a meaning in real time only. */
  readonly arrival: number
}

const asSent = (a: Held, b: Held): number =>
  a.sentAt - b.sentAt || a.subround - b.subround || a.from - b.from || a.incarnation - b.incarnation || a.seq - b.seq
const asArrived = (a: Held, b: Held): number => a.arrival - b.arrival
const byDue = (then: typeof asSent) => (a: Held, b: Held) => a.due - b.due || then(a, b)

export class Mailbox {
  readonly #board: Board
  readonly #slot: number
  readonly #order: Order
  readonly #held: TinyQueue<Held>
  readonly #isUrgent: ((at: number) => boolean) | undefined
  /** Mail that is due, the urgent first; only used in real time by an actor that declares urgent mail. */
  #due: Held[] = []
  #arrivals = 0

  /** Makes the mailbox of a slot. `isUrgent` says whether the record at an address goes first. */
  constructor(board: Board, slot: number, order: Order, time: 'virtual' | 'real', isUrgent?: (at: number) => boolean) {
    this.#board = board
    this.#slot = slot
    this.#order = order
    this.#isUrgent = isUrgent
    // Linking is atomic, so in real time an effect is linked after its cause: the order of arrival is causal.
    const sending = time === 'virtual' ? asSent : asArrived
    this.#held = new TinyQueue<Held>([], order === 'fifo' ? byDue(sending) : sending)
  }

  /** Takes all linked records from the slot's list. */
  collect(): void {
    const { i32, f64 } = this.#board
    for (const at of takeAll(this.#board, this.#slot)) {
      // The system may have given up a record since, if its sender died while linking it.
      if (Atomics.compareExchange(i32, 2 * at + STATE, STATE_POSTED, STATE_HELD) !== STATE_POSTED) continue
      const name = nameAt(this.#board, at)
      this.#held.push({
        at,
        due: f64[at + DUE] ?? 0,
        sentAt: f64[at + SENT_AT] ?? 0,
        subround: i32[2 * at + SUBROUND] ?? 0,
        from: i32[name] ?? 0,
        incarnation: i32[name + 1] ?? 0,
        seq: i32[name + 2] ?? 0,
        arrival: this.#arrivals++,
      })
    }
  }

  /** Real time: a record that was linked too late, for an earlier incarnation, becomes a dead letter. */
  refuse(at: number): void {
    const { i32, pending } = this.#board
    Atomics.sub(i32, pending + this.#slot, 1)
    i32[2 * at + LOST] = LOST_EARLIER_INCARNATION
    push(this.#board, SYSTEM, at)
  }

  /** When the first collected record is due; Infinity if there is none. */
  get nextDue(): Time {
    return (this.#due[0] ?? this.#held.peek())?.due ?? Number.POSITIVE_INFINITY
  }

  /** Takes the next record due by `now`; 0 if there is none. */
  take(now: Time): number {
    if (!this.#isUrgent) return this.#pop(now)?.at ?? 0
    const before = this.#due.length
    this.#due.push(...this.#popAll(now))
    if (this.#due.length > before) this.#due = this.#urgentFirst(this.#due)
    return this.#due.shift()?.at ?? 0
  }

  /** Takes all records to be handled in one round, in the order of the schedule. */
  takeRound(now: Time, subround: number, schedule: Schedule): number[] {
    const round = this.#popAll(now)
    if (typeof schedule === 'number' && round.length > 1) {
      const ranks = new Map(
        round.map(({ from }) => [from, from === SYSTEM ? -1 : mix(schedule, now, subround, from, this.#slot)]),
      )
      const byRank = (a: Held, b: Held) => (ranks.get(a.from) ?? 0) - (ranks.get(b.from) ?? 0)
      // Mail of two rounds may be cause and effect: under `causal` only what one round sent may change places.
      const byRound = (a: Held, b: Held) => a.sentAt - b.sentAt || a.subround - b.subround || byRank(a, b)
      round.sort(this.#order === 'causal' ? byRound : byRank)
    }
    return this.#urgentFirst(round).map((held) => held.at)
  }

  /** Takes the next record due by `now` from the queue. */
  #pop(now: Time): Held | undefined {
    const next = this.#held.peek()
    return next && next.due <= now ? this.#held.pop() : undefined
  }

  #popAll(now: Time): Held[] {
    const due: Held[] = []
    for (let next = this.#pop(now); next; next = this.#pop(now)) due.push(next)
    return due
  }

  /** Puts urgent mail first. Orders of the system stay between the mail that came before and after them. */
  #urgentFirst(due: Held[]): Held[] {
    const isUrgent = this.#isUrgent
    if (!isUrgent || due.length < 2) return due
    const sorted: Held[] = []
    let urgent: Held[] = []
    let others: Held[] = []
    for (const held of due) {
      if (this.#board.i32[2 * held.at + CLASS] === CLASS_CONTROL) {
        sorted.push(...urgent, ...others, held)
        urgent = []
        others = []
      } else if (isUrgent(held.at)) urgent.push(held)
      else others.push(held)
    }
    return [...sorted, ...urgent, ...others]
  }
}
