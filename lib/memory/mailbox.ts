/** The mailbox of one actor: collects linked envelopes and hands them out when they are due, in the order of the run. */

import TinyQueue from 'tinyqueue'
import type { Deviations } from '../actor/schedule.ts'
import { SYSTEM } from '../core/address.ts'
import { mix } from '../core/random.ts'
import type { Time } from '../core/time.ts'
import { CLASS_CONTROL, type LinkedEnvelope } from './envelope.ts'
import type { Endpoint } from './mail.ts'

/** `fifo`: earliest due first; `causal`: in the order of sending over all senders. Both keep the order of each pair. */
export type Order = 'fifo' | 'causal'

/**
 * The order of mail that is due in one round. `fifo`: the order of sending. A number: a permutation of senders that is drawn
 * from it. Deviations: fifo with exceptions.
 */
export type Schedule = 'fifo' | number | Deviations

const asSent = (a: LinkedEnvelope, b: LinkedEnvelope): number =>
  a.sentAt - b.sentAt || a.subround - b.subround || a.id[0] - b.id[0] || a.id[1] - b.id[1] || a.id[2] - b.id[2]
const asArrived = (a: LinkedEnvelope, b: LinkedEnvelope): number => a.arrival - b.arrival
const byDue = (then: typeof asSent) => (a: LinkedEnvelope, b: LinkedEnvelope) => a.due - b.due || then(a, b)

export class Mailbox {
  readonly #endpoint: Pick<Endpoint, 'collect'>
  readonly #slot: number
  readonly #order: Order
  readonly #held: TinyQueue<LinkedEnvelope>
  readonly #isUrgent: ((envelope: LinkedEnvelope) => boolean) | undefined
  readonly #hold = (envelope: LinkedEnvelope): void => this.#held.push(envelope)
  /** Mail that is due, the urgent first; only used in real time by an actor that declares urgent mail. */
  #due: LinkedEnvelope[] = []

  /** Makes the mailbox of a slot. `isUrgent` says whether an envelope goes first. */
  constructor(
    endpoint: Pick<Endpoint, 'collect'>,
    slot: number,
    order: Order,
    time: 'virtual' | 'real',
    isUrgent?: (envelope: LinkedEnvelope) => boolean,
  ) {
    this.#endpoint = endpoint
    this.#slot = slot
    this.#order = order
    this.#isUrgent = isUrgent
    // Linking is atomic, so in real time an effect is linked after its cause: the order of arrival is causal.
    const sending = time === 'virtual' ? asSent : asArrived
    this.#held = new TinyQueue<LinkedEnvelope>([], order === 'fifo' ? byDue(sending) : sending)
  }

  /** Takes all envelopes that have been linked. */
  collect(): void {
    this.#endpoint.collect(this.#hold)
  }

  /** When the first collected envelope is due; Infinity if there is none. */
  get nextDue(): Time {
    return (this.#due[0] ?? this.#held.peek())?.due ?? Number.POSITIVE_INFINITY
  }

  /** Takes the next envelope due by `now`. */
  take(now: Time): LinkedEnvelope | undefined {
    if (!this.#isUrgent) return this.#pop(now)
    const before = this.#due.length
    this.#due.push(...this.#popAll(now))
    if (this.#due.length > before) this.#due = this.#urgentFirst(this.#due)
    return this.#due.shift()
  }

  /** Takes all envelopes to be handled in one round, in the order of the schedule. */
  takeRound(now: Time, subround: number, schedule: Schedule): readonly LinkedEnvelope[] {
    const round = this.#popAll(now)
    if (typeof schedule === 'number' && round.length > 1) {
      const rankOf = (from: number) => (from === SYSTEM ? -1 : mix(schedule, now, subround, from, this.#slot))
      const ranks = new Map(round.map(({ id: [from] }) => [from, rankOf(from)]))
      const byRank = (a: LinkedEnvelope, b: LinkedEnvelope) => (ranks.get(a.id[0]) ?? 0) - (ranks.get(b.id[0]) ?? 0)
      // Mail of two rounds may be cause and effect: under `causal` only what one round sent may change places.
      const byRound = (a: LinkedEnvelope, b: LinkedEnvelope) =>
        a.sentAt - b.sentAt || a.subround - b.subround || byRank(a, b)
      round.sort(this.#order === 'causal' ? byRound : byRank)
    }
    return this.#urgentFirst(round)
  }

  /** Takes the next envelope due by `now` from the queue. */
  #pop(now: Time): LinkedEnvelope | undefined {
    const next = this.#held.peek()
    return next && next.due <= now ? this.#held.pop() : undefined
  }

  #popAll(now: Time): LinkedEnvelope[] {
    const due: LinkedEnvelope[] = []
    for (let next = this.#pop(now); next; next = this.#pop(now)) due.push(next)
    return due
  }

  /** Puts urgent mail first. Orders of the system stay between the mail that came before and after them. */
  #urgentFirst(due: LinkedEnvelope[]): LinkedEnvelope[] {
    const isUrgent = this.#isUrgent
    if (!isUrgent || due.length < 2) return due
    const sorted: LinkedEnvelope[] = []
    let urgent: LinkedEnvelope[] = []
    let others: LinkedEnvelope[] = []
    for (const envelope of due) {
      if (envelope.class === CLASS_CONTROL) {
        sorted.push(...urgent, ...others, envelope)
        urgent = []
        others = []
      } else if (isUrgent(envelope)) urgent.push(envelope)
      else others.push(envelope)
    }
    return [...sorted, ...urgent, ...others]
  }
}
