/** The promise of all families that their facts can be counted. */
import type { Address } from '../lib/actor.ts'
import type { Circumstances } from '../lib/scenario/definition.ts'
import { disturbanceOf } from '../lib/scenario/disturbance.ts'
import type { ObservedFact, Property } from '../lib/scenario/oracle.ts'
import { instant, safety } from '../lib/scenario/promises/safety.ts'

/**
 * Asked in calm runs. Where faults or the network make an actor do something again, it may tell the same again, also at the
 * same instant.
 */
export const toldOnce = (circumstances: Circumstances): readonly Property[] =>
  disturbanceOf(circumstances).isCalm ? [TOLD_ONCE] : []

/**
 * No actor tells a fact twice in a row at one instant, so the number of facts is the number of events. A fact without fields does not
 * say which event it tells: an allocator without delays may come to rest several times at one instant.
 */
const TOLD_ONCE: Property = safety('a fact is told once', () => {
  const last = new Map<Address, ObservedFact>()
  return {
    fold: (observed) => {
      const { fact, who, at } = observed
      const before = last.get(who)
      last.set(who, observed)
      if (before?.at !== at || before.fact.type !== fact.type || Object.keys(fact).length === 1) return undefined
      return JSON.stringify(before.fact) === JSON.stringify(fact)
        ? `${fact.type} of ${who} at ${instant(at)}`
        : undefined
    },
    died: (who) => {
      last.delete(who)
    },
  }
})
