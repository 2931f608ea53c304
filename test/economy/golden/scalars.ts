/** Formulas of the economy at points where the result is known. */

/** Equation 2: from the best offer `pa` for a job that ends at once to the expected price `pe` for one without end. */
export const SMOOTHED: readonly { pa: number; pe: number; alpha: number; dt: number; price: number }[] = [
  { pa: 10, pe: 4, alpha: 0.5, dt: 0, price: 10 },
  { pa: 10, pe: 4, alpha: 0.5, dt: 2, price: 6.207276647028654 },
  { pa: 10, pe: 4, alpha: 0.5, dt: 1000, price: 4 },
  { pa: 2, pe: 5, alpha: 0.1, dt: 10, price: 3.896361676485673 },
  { pa: 7, pe: 7, alpha: 3, dt: 5, price: 7 },
]

/** A case of equations 6 and 7, in minutes, dollars and dollars per minute. */
export interface Bound {
  /** Processors of the machine. */
  readonly N: number
  /** Processors of the job. */
  readonly p: number
  readonly T: number
  /** Longest service of any job. */
  readonly Tmax: number
  /** Incomes of all users together. */
  readonly R: number
  /** The least that the job receives. */
  readonly rmin: number
  /** The money of others when the job begins to save. */
  readonly M: number
  readonly delta: number
  /** R / (N - p + 1) + delta: a job with this offer cannot be outbid for ever. */
  readonly price: number
  readonly dt1: number
  readonly dt2: number
  readonly bound: number
}

type Bounded = Pick<Bound, 'price' | 'dt1' | 'dt2' | 'bound'>
type Eight = readonly [number, number, number, number, number, number, number, number]
const bound = ([N, p, T, Tmax, R, rmin, M, delta]: Eight, found: Bounded): Bound => ({
  N,
  p,
  T,
  Tmax,
  R,
  rmin,
  M,
  delta,
  ...found,
})

/** Equations 6 and 7: N, p, T, Tmax, R, rmin, M, delta. The last two differ in whether expense accounts count in M. */
export const BOUNDS: readonly Bound[] = [
  bound([128, 64, 100, 1000, 1000, 1, 1_000_000, 1], {
    price: 213 / 13,
    dt1: 1137092.3076923077,
    dt2: 15151.515151515152,
    bound: 1153243.8228438229,
  }),
  bound([4, 2, 5, 10, 30, 2, 60, 2], { price: 12, dt1: 120, dt2: 7.5, bound: 137.5 }),
  bound([1, 1, 1, 100, 2, 0.5, 0, 1], { price: 3, dt1: 6, dt2: 0, bound: 106 }),
  bound([1, 1, 1, 100, 2, 0.5, 60_006, 1], { price: 3, dt1: 6, dt2: 40_004, bound: 40_110 }),
]

type ByClass = readonly [number, number, number]

/** One adaptation of coefficients to mean responses over service and a target, before and after normalising. */
export const ADAPTED: readonly {
  coefficients: ByClass
  U: ByClass
  target: ByClass
  raw: ByClass
  normalised: ByClass
}[] = [
  {
    coefficients: [1 / 3, 1 / 3, 1 / 3],
    U: [2, 4, 6],
    target: [1, 2, 2],
    raw: [5 / 18, 5 / 18, 5 / 12],
    normalised: [2 / 7, 2 / 7, 3 / 7],
  },
  {
    coefficients: [0.5, 0.3, 0.2],
    U: [3, 6, 6],
    target: [1, 2, 2],
    raw: [0.5, 0.3, 0.2],
    normalised: [0.5, 0.3, 0.2],
  },
]

/**
 * Probability of the first phase and the means of both, from p1 = (1 + sqrt((cv^2 - 1) / (cv^2 + 1))) / 2 and
 * p1 * first = (1 - p1) * second = mean / 2 in 40 digits.
 */
export const PHASES: readonly { mean: number; cv: number; p1: number; first: number; second: number }[] = [
  { mean: 50, cv: 4, p1: 0.9696682183138621, first: 25.7820144332172, second: 824.2179855667828 },
  { mean: 100, cv: 2.5, p1: 0.9254814716983816, first: 54.02593301867335, second: 670.9740669813267 },
  { mean: 200, cv: 1.8, p1: 0.8634218921558156, first: 115.81823545186843, second: 732.1817645481316 },
]
