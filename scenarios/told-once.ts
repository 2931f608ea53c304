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
 * No actor tells a fact about a task or job twice in a row at one instant, so the number of facts is the number of events. Other facts
 * tell a state, such as the ring of a mesh, and may tell it again.
 */
const TOLD_ONCE: Property = safety('a fact is told once', () => {
  const last = new Map<Address, ObservedFact>()
  return {
    fold: (observed) => {
      const { fact, who, at } = observed
      const before = last.get(who)
      last.set(who, observed)
      if (before?.at !== at || before.fact.type !== fact.type || !('task' in fact || 'job' in fact)) return undefined
      return JSON.stringify(before.fact) === JSON.stringify(fact)
        ? `${fact.type} of ${who} at ${instant(at)}`
        : undefined
    },
    died: (who) => {
      last.delete(who)
    },
  }
})
