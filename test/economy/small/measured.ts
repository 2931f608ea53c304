/** The results of runs.ts over many seeds, as `npx tsx test/economy/small/measure.ts` prints them. */

/** Replications of seed 1. */
export const SEEDS = { first: 100, last: 123 } as const

export interface Measured {
  readonly of: string
  readonly mean: number
  /** The standard deviation of one seed. */
  readonly deviation: number
}

const ROWS: readonly (readonly [of: string, mean: number, deviation: number])[] = [
  ['S: paper / RES', 0.5914, 0.118],
  ['S: literal / RES', 0.692, 0.1037],
  ['S: paper / literal', 0.8538, 0.102],
  ['U: paper / RES', 0.3828, 0.102],
  ['U: literal / RES', 0.5137, 0.103],
  ['U: paper / literal', 0.7478, 0.1358],
  ['W: 50 / 100', 1.7217, 0.5237],
  ['W: 200 / 100', 0.7066, 0.1305],
  ['paper, weighted, 1:2:2: U2 / U1', 2.1382, 0.2767],
  ['paper, weighted, 1:2:2: U3 / U1', 3.1665, 0.8568],
  ['paper, weighted, 1:1:2: U2 / U1', 1.4365, 0.307],
  ['paper, weighted, 1:1:2: U3 / U1', 3.1947, 1.034],
  ['paper, unweighted, 1:2:2: U2 / U1', 2.2125, 0.4193],
  ['paper, unweighted, 1:2:2: U3 / U1', 2.5002, 0.988],
  ['paper, unweighted, 1:1:2: U2 / U1', 1.2518, 0.3219],
  ['paper, unweighted, 1:1:2: U3 / U1', 2.7257, 0.818],
  ['literal, weighted, 1:2:2: U2 / U1', 2.3334, 0.611],
  ['literal, weighted, 1:2:2: U3 / U1', 2.9024, 0.9462],
  ['literal, weighted, 1:1:2: U2 / U1', 1.366, 0.2569],
  ['literal, weighted, 1:1:2: U3 / U1', 2.9602, 1.1255],
  ['literal, unweighted, 1:2:2: U2 / U1', 2.2508, 0.7002],
  ['literal, unweighted, 1:2:2: U3 / U1', 2.5104, 1.0663],
  ['literal, unweighted, 1:1:2: U2 / U1', 1.0745, 0.2797],
  ['literal, unweighted, 1:1:2: U3 / U1', 2.4296, 0.8551],
  ['all readings: U2 / U1 at 1:2:2 / at 1:1:2', 1.7763, 0.3194],
]

export const MEASURED: readonly Measured[] = ROWS.map(([of, mean, deviation]) => ({ of, mean, deviation }))
