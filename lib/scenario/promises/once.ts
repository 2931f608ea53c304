/** How often something happens: at most once, at least once, exactly once. */
import type { ObservedFact, Property } from '../oracle.ts'
import type { RunOutcome } from '../outcome.ts'
import { instant, type Key, type Reads, safety } from './safety.ts'

/** What must happen, when the run is over. It should expect nothing of the dead, and nothing that needed a lost message. */
export type Expected = (outcome: RunOutcome) => Iterable<Key>

/**
 * At most once: no key is told by two facts. This is the promise of a remote procedure call whose server filters
 * duplicates (Spector 1982; Birrell and Nelson 1984).
 *
 * ```ts
 * atMostOnce('a task ends once', ({ fact }) => (fact.type === 'ended' ? `task ${fact['task']}` : undefined))
 * ```
 */
export const atMostOnce = (name: string, keyOf: Reads<Key>): Property =>
  safety(name, () => {
    // only what a violation tells: the facts of a long run take much memory
    const first = new Map<Key, Pick<ObservedFact, 'who' | 'at'>>()
    return {
      fold: (observed) => {
        const key = keyOf(observed)
        if (key === undefined) return undefined
        const before = first.get(key)
        if (before)
          return `${key} at ${instant(before.at)} by ${before.who}, and again at ${instant(observed.at)} by ${observed.who}`
        first.set(key, { who: observed.who, at: observed.at })
        return undefined
      },
    }
  })

/** At least once: when the run is over, each expected key was told by a fact (liveness). */
export const atLeastOnce = (name: string, keyOf: Reads<Key>, expected: Expected): Property => ({
  name,
  eventually: true,
  watch: () => {
    const told = new Set<Key>()
    return {
      fold: (observed) => {
        const key = keyOf(observed)
        if (key !== undefined) told.add(key)
      },
      broken: (outcome) => [...expected(outcome)].flatMap((key) => (told.has(key) ? [] : [`${key} did not`])),
    }
  },
})

/**
 * Exactly once: no key is told by two facts, and when the run is over each expected key was told (Birrell and Nelson
 * 1984). No protocol can promise the second part to the dead, so `expected` leaves them out.
 */
export const exactlyOnce = (name: string, keyOf: Reads<Key>, expected: Expected): readonly Property[] => [
  atMostOnce(name, keyOf),
  atLeastOnce(name, keyOf, expected),
]
