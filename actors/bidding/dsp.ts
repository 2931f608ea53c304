/**
 * The decisions of DSP, the lazy task market: tasks are placed as late as possible, in the order of their priority,
 * and a placed task moves only for a late bid that is good enough.
 */
import type { Address, Time } from '../../lib/actor.ts'
import { duration } from '../processor/messages.ts'

export type Ranked = {
  /** Smaller goes first. */
  readonly priority: number
  /** A bid for it has lapsed: it goes behind all for which none has. */
  readonly lapsed?: true
}

/** In the order of priority, equals in the order in which they came. */
export function enqueue<T extends Ranked>(queue: readonly T[], entry: T): readonly T[] {
  const place = queue.findIndex((other) => isBefore(entry, other))
  return place < 0 ? [...queue, entry] : queue.toSpliced(place, 0, entry)
}

const isBefore = (one: Ranked, other: Ranked): boolean =>
  one.lapsed === other.lapsed ? one.priority < other.priority : other.lapsed === true

/** When a task would be completed if it were awarded on arrival of a bid sent now; `delay` is that of one message. */
export const predictCompletion = (now: Time, delay: Time, estimate: Time, speed: number): Time =>
  now + 2 * delay + duration(Math.max(0, estimate), speed)

export type Offer = {
  readonly contractor: Address
  readonly completion: Time
  /** The contractor's place in the market. */
  readonly index: number
}

/** The offers of the earliest completion, in index order: which of several is taken is not DSP's concern. */
export function earliest(offers: readonly Offer[]): readonly Offer[] {
  const completion = offers.reduce((least, offer) => Math.min(least, offer.completion), Number.POSITIVE_INFINITY)
  return offers.filter((offer) => offer.completion === completion).sort((one, other) => one.index - other.index)
}

/**
 * The share of the time still to go that a late bid saves, of what the contractor at work has promised.
 * Null if that promise is overdue: then nobody knows how long it will take, and the task stays where it is.
 */
export const improvement = (now: Time, promised: Time, offered: Time): number | null =>
  promised <= now ? null : 1 - (offered - now) / (promised - now)

/** Is a late bid good enough to start the task from scratch elsewhere? A criterion of null admits none. */
export const isWorthMoving = (gain: number | null, criterion: number | null): boolean =>
  gain !== null && criterion !== null && gain > criterion
