/** Which types of messages have a colour of their own. */
import { countsOf } from '../core/tally.ts'
import type { ShownRun } from './types.ts'

/** The number of message types with a colour of their own. */
export const COLORED = 5
/** The least number of messages that shows which types are frequent. */
const LEAST = 100
/** The least share of the messages that a type with a colour has. */
const SHARE = 0.05

/**
 * The types with a colour on a live page, given the types of the messages that are shown. Types that have one keep it while the run
 * goes on, and all viewers see the same; a rare type gets none.
 */
export function coloredTypes(known: readonly number[], types: readonly number[]): readonly number[] {
  if (types.length < LEAST || known.length >= COLORED) return known
  const frequent = [...countsOf(types)]
    .filter(([type, count]) => count >= SHARE * types.length && !known.includes(type))
    .sort(([, one], [, other]) => other - one)
    .map(([type]) => type)
  return [...known, ...frequent].slice(0, COLORED)
}

/** The most frequent types of messages, the most frequent first. */
export function frequentTypes(runs: readonly ShownRun[]): readonly string[] {
  const all = runs.flatMap(({ sends, texts }) => sends.type.map((type) => texts[type] ?? ''))
  return [...countsOf(all)]
    .sort(([, one], [, other]) => other - one)
    .slice(0, COLORED)
    .map(([type]) => type)
}
