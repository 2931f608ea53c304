/** System credit worked out by hand: t of T tickets, asleep for S, to catch up within C; the largest share is 95 %. */

export interface Credit {
  readonly tickets: number
  readonly total: number
  readonly slept: number
  readonly catchUp: number
  /** The tickets by the paper's formula without a cap; null if it divides by zero. */
  readonly uncapped: number | null
  /** The credit as fractions: the tickets, their duration, and the share meanwhile. */
  readonly extra: Fraction
  readonly lasts: Fraction
  readonly share: Fraction
}

export type Fraction = readonly [numerator: number, denominator: number]

const row = (
  [tickets, total, slept, catchUp]: readonly [number, number, number, number],
  uncapped: Fraction | null,
  extra: Fraction,
  lasts: Fraction,
  share: Fraction,
): Credit => ({ tickets, total, slept, catchUp, uncapped: uncapped && uncapped[0] / uncapped[1], extra, lasts, share })

/** Each row has t, T, S, C; the uncapped tickets; then extra, lasts and share. */
export const CREDITS: readonly Credit[] = [
  row([1, 3, 6, 6], [3, 1], [3, 1], [6, 1], [2, 3]),
  row([1, 5, 4, 4], [5, 3], [5, 3], [4, 1], [2, 5]),
  row([1, 10, 7, 7], [5, 4], [5, 4], [7, 1], [1, 5]),
  row([1, 5, 4, 8], [5, 7], [5, 7], [8, 1], [3, 10]),
  row([1, 5, 4, 2], [5, 1], [5, 1], [2, 1], [3, 5]),
  row([1, 5, 4, 1], null, [75, 1], [16, 15], [19, 20]),
  row([1, 5, 4, 0.5], [-10, 1], [75, 1], [16, 15], [19, 20]),
  row([1, 2, 3, 3], null, [18, 1], [10, 3], [19, 20]),
  row([3, 6, 1, 1], null, [54, 1], [10, 9], [19, 20]),
  row([3, 4, 2, 2], [-6, 1], [16, 1], [15, 2], [19, 20]),
  row([2, 6, 1, 1], [6, 1], [6, 1], [1, 1], [2, 3]),
  row([1, 6, 1, 1], [3, 2], [3, 2], [1, 1], [1, 3]),
  row([1, 1, 5, 5], [-1, 1], [0, 1], [0, 1], [1, 1]),
]
