/** Which two things waited at one actor at once, and which of them went first: how much of what can race was tried. */
import { nameOfPending, type Scheduler, type SchedulingPoint } from '../actor/schedule.ts'

/** `SLOT.LIFE FIRST<SECOND`. */
export type OrderedPair = string

/** More are not looked at. */
const PAIRS_MAX = 100_000

/** The scheduler, with every pair that it puts in order added to `pairs`. */
export function watched(scheduler: Scheduler, pairs: Set<OrderedPair>): Scheduler {
  return {
    next(choice: SchedulingPoint): number {
      const place = scheduler.next(choice)
      const { slot, incarnation, pending: things } = choice
      const chosen = things[place]
      if (!chosen || things.length < 2 || pairs.size >= PAIRS_MAX) return place
      const name = nameOfPending(chosen)
      for (const [other, thing] of things.entries()) {
        if (other !== place) pairs.add(`${slot}.${incarnation} ${name}<${nameOfPending(thing)}`)
      }
      return place
    },
    outcomeOf: (passage) => scheduler.outcomeOf(passage),
  }
}

/** Of the pairs that were met those that came in both orders. */
export function covered(pairs: ReadonlySet<OrderedPair>): { readonly met: number; readonly both: number } {
  let both = 0
  for (const pair of pairs) {
    const [where, order = ''] = pair.split(' ')
    const [first, second] = order.split('<')
    if (pairs.has(`${where} ${second}<${first}`)) both++
  }
  return { met: pairs.size - both / 2, both: both / 2 }
}
