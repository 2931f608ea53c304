/** The decisions of eager assignment: every task has a machine and a promised start as soon as it is announced. */
import { type Time, units } from '../../../lib/actor.ts'
import { type Award, isBefore, type Request } from '../agenda.ts'
import { earliest, type Offer } from '../conversation.ts'

/** The interval between checks of an overdue machine whether it can keep its promises. */
export const PATIENCE: Time = units(1)

type Predict = (task: Pick<Request, 'estimate' | 'files'>) => Time

/** The start of a task on a machine that is free at `available`, after the reservations that go before the task. */
export const quotedStart = (
  available: Time,
  reservations: readonly Award[],
  request: Request,
  predict: Predict,
): Time =>
  reservations
    .filter((reservation) => reservation.task !== request.task && !isBefore(request, reservation))
    .reduce((start, reservation) => start + predict(reservation), available)

/** The first reservation that will start later than promised by more than the tolerance. */
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
 * Chooses the offer with the earliest completion. Of several, it prefers the one of the holder, then the one of the
 * fastest machine, then the first. The fastest machine is the one with the latest start, since all end together.
 */
export const choose = (offers: readonly Offer[], holder: string | undefined): Offer | undefined => {
  const best = earliest(offers)
  const latest = best.reduce((start, offer) => Math.max(start, offer.start), Number.NEGATIVE_INFINITY)
  return best.find(({ contractor }) => contractor === holder) ?? best.find(({ start }) => start === latest)
}
