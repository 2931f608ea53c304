/**
 * The converged values of figure 5: the mean wait of user 1 by income, in minutes, among nine others with 100 dollars a
 * minute.
 */
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged } from './converged.ts'

export const INCOMES = [50, 100, 200] as const

export interface Incomes {
  readonly preset: 'paper' | 'literal'
  readonly load: number
  /** The mean wait of user 1 at each income. */
  readonly waits: Readonly<Record<(typeof INCOMES)[number], Converged>>
  /** The mean wait of the nine others in the same runs. */
  readonly others: Readonly<Record<50 | 200, Converged>>
  /** The wait of user 1 over that at an income of 100: the mean of the ratios of single seeds. */
  readonly ratios: Readonly<Record<50 | 200, Converged>>
}

type Seven = readonly [number, number, number, number, number, number, number]

const row = (preset: Incomes['preset'], load: number, v: Seven, t: Seven): Incomes => ({
  preset,
  load,
  waits: { 50: converged(v[0], t[0], 30), 100: converged(v[1], t[1], 30), 200: converged(v[2], t[2], 30) },
  others: { 50: converged(v[3], t[3], 30), 200: converged(v[4], t[4], 30) },
  ratios: { 50: converged(v[5], t[5], 30), 200: converged(v[6], t[6], 30) },
})

/** Rows of preset and load; then waits at 50, 100, 200, of the others at 50, 200, ratios 50/100, 200/100; their tolerances. */
export const FIGURE_5: readonly Incomes[] = [
  row(
    'paper',
    0.5,
    [21.822, 18.9426, 17.0421, 18.8781, 19.4387, 1.1527, 0.9029],
    [3.9648, 3.4153, 2.9166, 2.905, 3.0131, 0.0554, 0.0488],
  ),
  row(
    'paper',
    0.6,
    [39.2063, 32.5543, 27.9699, 32.2879, 33.4537, 1.2011, 0.863],
    [7.7117, 5.8749, 4.5298, 4.2432, 4.2676, 0.0481, 0.0378],
  ),
  row(
    'paper',
    0.7,
    [74.1952, 57.8977, 46.2232, 56.0654, 60.04, 1.2809, 0.804],
    [15.3086, 11.3042, 7.9111, 9.6148, 10.2621, 0.0803, 0.0432],
  ),
  row(
    'paper',
    0.8,
    [164.8071, 110.4827, 76.9801, 104.9228, 114.0298, 1.4777, 0.7059],
    [44.0944, 23.922, 13.2906, 19.4007, 21.6531, 0.1312, 0.0501],
  ),
  row(
    'paper',
    0.9,
    [573.4692, 308.7497, 162.2001, 269.8245, 317.2765, 1.8261, 0.5579],
    [285.8899, 143.1041, 47.4493, 83.985, 115.6604, 0.2513, 0.0639],
  ),
  row(
    'literal',
    0.9,
    [838.2134, 378.5331, 188.1581, 320.6774, 395.0406, 2.1388, 0.5423],
    [494.5438, 188.3859, 51.9366, 103.1616, 156.8872, 0.428, 0.082],
  ),
]
