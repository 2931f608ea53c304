/** Agreement: actors decide alike, and a term has one leader. */
import type { Address } from '../../core/address.ts'
import type { Plain } from '../../core/data.ts'
import { canonical } from '../../core/difference.ts'
import type { Property } from '../oracle.ts'
import { instant, type Key, type Reads, safety } from './safety.ts'

/** A decision: the value of a key, such as the outcome of a transaction or the entry at a place of a log. */
export interface Decision {
  readonly key: Key
  /** A fact without a value breaks the promise, so that a misspelt field is not taken for agreement. */
  readonly value: Plain | undefined
}

/**
 * Agreement: no two facts decide a key differently (consensus, Pease, Shostak and Lamport 1980; atomic commitment,
 * Skeen 1981). To decide the same again is allowed.
 */
export const agreement = (name: string, decisionOf: Reads<Decision>): Property =>
  safety(name, () => {
    const decided = new Map<Key, { readonly value: string; readonly who: Address }>()
    return {
      fold: (observed) => {
        const decision = decisionOf(observed)
        if (decision === undefined) return undefined
        const { key } = decision
        if (decision.value === undefined)
          return `${key} is decided without a value by ${observed.who} at ${instant(observed.at)}`
        const value = canonical(decision.value)
        const before = decided.get(key)
        if (!before) decided.set(key, { value, who: observed.who })
        if (!before || before.value === value) return undefined
        return `${key} is decided as ${before.value} by ${before.who}, and as ${value} by ${observed.who} at ${instant(observed.at)}`
      },
    }
  })

/**
 * Election safety: a term has at most one leader (Ongaro and Ousterhout 2014). Two actors may both believe that they lead
 * if their terms differ.
 */
export const oneLeaderPerTerm = (
  name: string,
  leaderOf: Reads<{ readonly term: number; readonly leader: Address }>,
): Property =>
  agreement(name, (observed) => {
    const read = leaderOf(observed)
    return read && { key: `the leader of term ${read.term}`, value: read.leader }
  })
