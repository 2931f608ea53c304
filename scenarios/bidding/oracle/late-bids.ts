/** The promise about late bids: one that saves enough of the remaining time moves its task, and no other does. */

import type { Time } from '../../../lib/actor.ts'
import type { ObservedFact, Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import type { Market } from '../model.ts'
import { placedOn } from './facts.ts'

/** The share of the remaining time that a late bid saves (section 2); null if the task is overdue. */
const gainOf = (now: Time, promised: Time, offered: Time): number | null =>
  promised <= now ? null : 1 - (offered - now) / (promised - now)

export const lateBids = ({ jobs, terms: { i0 } }: Pick<Market, 'jobs' | 'terms'>): Property =>
  safety('a late bid moves its task if it saves enough', () => {
    /** The completion that the holder of each task has promised. */
    const promised = new Map<unknown, Time>()
    return {
      fold: (observed) => {
        const text = broken(observed, promised.get(observed.fact['task']))
        if (placedOn(observed) !== undefined) promised.set(observed.fact['task'], Number(observed.fact['completion']))
        return text
      },
    }

    function broken({ fact, at }: ObservedFact, before: Time | undefined): string | undefined {
      if ((fact.type !== 'moved' && fact.type !== 'rejected') || before === undefined) return undefined
      const { task, completion, improvement } = fact
      const gain = gainOf(at, before, Number(completion))
      const isSingle = jobs[Number(task)]?.restartable === false
      const mayMove = !isSingle && gain !== null && i0 !== null && gain > i0
      if (improvement === gain && mayMove === (fact.type === 'moved')) return undefined
      return `task ${task} was ${fact.type} at ${instant(at)}: told ${improvement}, gain ${gain}, criterion ${i0}`
    }
  })
