/**
 * How many random cases a test has, and which cases of a list. `npm test` takes a quarter of them, so that it takes minutes.
 * `npm run test:full`, which is what CI runs, and `npm test -- pattern` take all; BOURSE_RUNS=N takes N random cases.
 */

/** The variable that `npm test` sets for its files. */
export const QUICK = 'BOURSE_QUICK'

const PART = 4

/** The number of random cases. */
export function repeats(all: number): number {
  const { [QUICK]: quick, BOURSE_RUNS: given } = process.env
  if (given !== undefined) return Number(given)
  return quick === undefined ? all : Math.ceil(all / PART)
}

/** The first of every four cases of a list for `npm test`, or all of them. */
export function sampled<T>(all: readonly T[]): readonly T[] {
  return process.env[QUICK] === undefined ? all : all.filter((_, i) => i % PART === 0)
}
