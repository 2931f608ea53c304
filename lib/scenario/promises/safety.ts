/** Safety as an automaton: what the promises of this library share. */
import type { Address } from '../../core/address.ts'
import { type Time, toUnits } from '../../core/time.ts'
import type { ObservedFact, Property } from '../oracle.ts'

/** The name of something that facts are about, such as a task, a round or a term. */
export type Key = string | number

/** Reads a fact: what it means to a promise; undefined if the promise is not about it. */
export type Reads<T> = (observed: ObservedFact) => T | undefined

/** One or several: a fact may mean several things at once, such as the processors that a job gets. */
export type Several<T extends object | Key> = T | readonly T[]

/** All that a fact means. */
export function allIn<T extends object | Key>(reads: Reads<Several<T>>, observed: ObservedFact): readonly T[] {
  const read = reads(observed)
  if (read === undefined) return NONE
  return isList(read) ? read : [read]
}

const NONE: readonly never[] = []

const isList = <T extends object | Key>(read: Several<T>): read is readonly T[] => Array.isArray(read)

/** Reads facts in their order, and says which of them break a promise. */
export interface Automaton {
  /** A text if this fact breaks the promise. */
  fold(observed: ObservedFact): string | undefined
  died?(who: Address, at: Time): void
}

/** The most violations of one promise that are told; the others are counted. */
export const VIOLATIONS_TOLD = 20

/**
 * A safety property, given by an automaton that sees each fact once. In a run that breaks it, one fact is the first to break it,
 * and nothing that comes later mends it (Alpern and Schneider 1985).
 */
export function safety(name: string, begin: () => Automaton): Property {
  const watch: Property['watch'] = () => {
    const automaton = begin()
    const texts: string[] = []
    let untold = 0
    return {
      fold: (observed) => {
        const text = automaton.fold(observed)
        if (text === undefined) return
        if (texts.length < VIOLATIONS_TOLD) texts.push(text)
        else untold++
      },
      died: (who, at) => automaton.died?.(who, at),
      broken: () => (untold > 0 ? [...texts, `and ${untold} more`] : texts),
    }
  }
  return { name, eventually: false, watch }
}

/** An invariant: no fact breaks it, whatever came before. `broken` returns a text for a fact that does (Manna and Pnueli 1992). */
export const invariant = (name: string, broken: Reads<string>): Property => safety(name, () => ({ fold: broken }))

/** An instant in units, for texts. */
export const instant = (time: Time): string => String(toUnits(time))
