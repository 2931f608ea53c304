/**
 * How many random cases a test has, how large its scale is, and which cases of a list it has. `npm test` takes a quarter, so that
 * it takes minutes. `npm run test:full`, which is what CI runs, and `npm test -- pattern` take all; BOURSE_RUNS=N takes N random
 * cases.
 */

/** The variable that `npm test` sets for its files. */
export const QUICK = 'BOURSE_QUICK'

const PART = 4

/** The number of random cases, or a scale. */
export function repeats(all: number): number {
  const { [QUICK]: quick, BOURSE_RUNS: given } = process.env
  if (given !== undefined) return Number(given)
  return quick === undefined ? all : Math.ceil(all / PART)
}

/** The first of every four cases of a list for `npm test`, or all of them. */
export const sampled = <T>(all: readonly T[]): readonly T[] => all.filter((_, i) => isSampled(i))

/** Whether a run has the case at an index of a list. */
export const isSampled = (index: number): boolean => process.env[QUICK] === undefined || index % PART === 0
