/** The promise about silent holders: each has its whole time to answer. Schedules cannot break it, since no timer is early. */

import type { Time } from '../../../lib/actor.ts'
import type { ObservedFact, Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import type { Market } from '../model.ts'
import { placedOn, taskOf } from './facts.ts'

/**
 * A client queries the holder of a task an interval after the award, and waits for the answer until the timeout. It gives no holder
 * up before, whichever contractor it has queried about the task until then.
 */
export const silenceAwaited = ({ terms: { query, timeout } }: Pick<Market, 'terms'>): Property =>
  safety('a holder is given up as silent only after its time to answer', () => {
    const placed = new Map<number, Time>()
    const least = (query ?? 0) + (timeout ?? 0)
    return {
      fold: (observed) => {
        const task = taskOf(observed)
        const since = placed.get(task)
        if (placedOn(observed) !== undefined) placed.set(task, observed.at)
        if (!isSilence(observed) || since === undefined || observed.at - since >= least) return undefined
        const { contractor } = observed.fact
        return `task ${task} is with ${contractor} since ${instant(since)}, which is given up at ${instant(observed.at)}`
      },
    }
  })

const isSilence = ({ fact }: ObservedFact): boolean => fact.type === 'failed' && fact['reason'] === 'silent'
