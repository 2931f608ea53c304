/** The decisions of eager assignment: every task has a machine and a promised start as soon as it is announced. */
import type { Time } from '../../../lib/actor.ts'
import { type Award, isBefore, type Request } from '../agenda.ts'
import { earliest, type Offer } from '../offers.ts'

type Predict = (task: Pick<Request, 'estimate' | 'files'>) => Time

/** When a task would begin on a machine that is available at that time, behind the reservations that go before it. */
export const quotedStart = (
  available: Time,
  reservations: readonly Award[],
  request: Request,
  predict: Predict,
): Time =>
  reservations
    .filter((reservation) => reservation.task !== request.task && !isBefore(request, reservation))
    .reduce((start, reservation) => start + predict(reservation), available)

/** The first reservation, in their order, that will begin later than promised by more than the tolerance. */
export function firstLate(
  available: Time,
  reservations: readonly Award[],
  tolerance: Time,
  predict: Predict,
): Award | undefined {
  let start = available
  for (const reservation of reservations) {
    if (start > reservation.promise + tolerance) return reservation
    start += predict(reservation)
  }
  return undefined
}

/**
 * The earliest completion; of several that of the holder, or else of the fastest machine, or else the first: whoever
 * begins last and ends with the others is the fastest.
 */
export const choose = (offers: readonly Offer[], holder: string | undefined): Offer | undefined => {
  const best = earliest(offers)
  const latest = best.reduce((start, offer) => Math.max(start, offer.start), Number.NEGATIVE_INFINITY)
  return best.find(({ contractor }) => contractor === holder) ?? best.find(({ start }) => start === latest)
}
