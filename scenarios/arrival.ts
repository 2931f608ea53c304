/** The promise that nothing happens to a task before it arrives. */
import type { Time } from '../lib/actor.ts'
import { byTheClock } from '../lib/scenario/disturbance.ts'
import type { ObservedFact, Property } from '../lib/scenario/oracle.ts'
import { instant, invariant } from '../lib/scenario/promises/safety.ts'

/** No fact of a kind is observed before the arrival of its task. `nameOf` gives the task of such a fact by name. */
export const notBeforeArrival = (
  name: string,
  nameOf: (observed: ObservedFact) => string | undefined,
  arrivalOf: (observed: ObservedFact) => Time | undefined,
): Property =>
  byTheClock(
    invariant(name, (observed) => {
      const task = nameOf(observed)
      const arrival = arrivalOf(observed) ?? 0
      return task !== undefined && observed.at < arrival
        ? `${task} at ${instant(observed.at)}, arrival ${instant(arrival)}`
        : undefined
    }),
  )
