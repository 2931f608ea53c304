/** The order of events: what precedes what, what follows, and numbers that only grow. */
import type { ObservedFact, Property } from '../oracle.ts'
import type { RunOutcome } from '../outcome.ts'
import { allIn, instant, type Key, type Reads, type Several, safety } from './safety.ts'

/** Reads the key of a cause, and that of an effect. A cause and its effect have the same key. */
export interface CauseAndEffect {
  readonly cause: Reads<Several<Key>>
  readonly effect: Reads<Several<Key>>
}

/**
 * Precedence: no effect comes before its cause, such as a result of a task that no machine has finished (Manna and
 * Pnueli 1992; the pattern of this name in Dwyer, Avrunin and Corbett 1999). One cause allows any number of effects.
 */
export const precedence = (name: string, { cause, effect }: CauseAndEffect): Property =>
  safety(name, () => {
    const caused = new Set<Key>()
    return {
      fold: (observed) => {
        const effects = allIn(effect, observed)
        const early = effects.length === 0 ? effects : effects.filter((key) => !caused.has(key))
        for (const key of allIn(cause, observed)) caused.add(key)
        if (early.length === 0) return undefined
        return `${early.join(' and ')} at ${instant(observed.at)} by ${observed.who}, without a cause`
      },
    }
  })

/**
 * Response (leads to): when the run is over, each cause was followed by its effect (Owicki and Lamport 1982; the pattern of this
 * name in Dwyer, Avrunin and Corbett 1999). `unless` excuses the keys that cannot be expected any more, such as
 * requests of the dead.
 */
export const response = (
  name: string,
  { cause, effect, unless }: CauseAndEffect & { unless?(key: Key, outcome: RunOutcome): boolean },
): Property => ({
  name,
  eventually: true,
  watch: () => {
    /** The last cause of each key that has no effect yet. */
    const open = new Map<Key, ObservedFact>()
    return {
      fold: (observed) => {
        for (const key of allIn(effect, observed)) open.delete(key)
        for (const key of allIn(cause, observed)) open.set(key, observed)
      },
      broken: (outcome) =>
        [...open].flatMap(([key, { at, who }]) =>
          unless?.(key, outcome) ? [] : [`${key} at ${instant(at)} by ${who}, without an effect`],
        ),
    }
  },
})

/**
 * Increasing: the numbers of a key only grow, as terms, epochs and fencing tokens must (Lamport 1978). With `by`, each
 * number is the last one plus `by`. The first may be any, unless `first` says which.
 */
export const increasing = (
  name: string,
  numberOf: Reads<{ readonly key: Key; readonly number: number }>,
  { by, first }: { readonly by?: number; readonly first?: number } = {},
): Property =>
  safety(name, () => {
    const last = new Map<Key, number>()
    return {
      fold: (observed) => {
        const read = numberOf(observed)
        if (read === undefined) return undefined
        const { key, number } = read
        const before = last.get(key)
        last.set(key, number)
        if (before === undefined)
          return number === (first ?? number)
            ? undefined
            : `${key} has ${number}, not ${first}, at ${instant(observed.at)}`
        if (by === undefined ? number > before : number === before + by) return undefined
        return `${key} has ${number} after ${before}, at ${instant(observed.at)}`
      },
    }
  })
