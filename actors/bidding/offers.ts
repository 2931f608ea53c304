/** Bids as a client compares them. */
import type { Address, Time } from '../../lib/actor.ts'

export type Offer = {
  readonly contractor: Address
  /** When the execution would begin. */
  readonly start: Time
  readonly completion: Time
  /** The contractor's place in the market. */
  readonly index: number
}

/**
 * With this offer in the place of any earlier one of the same contractor. In index order: in which order bids came is
 * forgotten, so that it cannot matter.
 */
export const collect = (offers: readonly Offer[], offer: Offer): readonly Offer[] =>
  [...offers.filter(({ contractor }) => contractor !== offer.contractor), offer].sort(
    (one, other) => one.index - other.index,
  )

/** The offers of the earliest completion, in their order. */
export function earliest(offers: readonly Offer[]): readonly Offer[] {
  const completion = offers.reduce((least, offer) => Math.min(least, offer.completion), Number.POSITIVE_INFINITY)
  return offers.filter((offer) => offer.completion === completion)
}
