/**
 * The number of random cases of a test. `npm test` takes a quarter of them, so that it takes minutes. `npm run test:full`, which
 * is what CI runs, and `npm test -- pattern` take all; BOURSE_RUNS=N takes N.
 */

/** The variable that `npm test` sets for its files. */
export const QUICK = 'BOURSE_QUICK'

export function repeats(all: number): number {
  const { [QUICK]: quick, BOURSE_RUNS: given } = process.env
  if (given !== undefined) return Number(given)
  return quick === undefined ? all : Math.ceil(all / 4)
}
