/**
 * The converged values of figure 6: the mean response over service of classes 2 and 3 over that of class 1, when users adapt
 * coefficients to a target every 2000 minutes.
 */
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged } from './converged.ts'

export const TARGETS = { '1:2:2': [1, 2, 2], '1:1:2': [1, 1, 2] } as const
export type Target = keyof typeof TARGETS

export interface Adapted {
  readonly preset: 'paper' | 'literal'
  /** Whether the divisor of the rates weights work by coefficient (equation 4). */
  readonly rates: 'weighted' | 'unweighted'
  /** The target; null: equal coefficients that stay. */
  readonly target: Target | null
  readonly load: number
  /** U2 / U1 and U3 / U1: the means of the ratios of single seeds. */
  readonly ratios: readonly [second: Converged, third: Converged]
  /** U1 itself; absent where it was not recorded. */
  readonly U1?: Converged
}

const row = (
  preset: Adapted['preset'],
  rates: Adapted['rates'],
  target: Target | null,
  seeds: number,
  [second, third, first]: readonly [number, number, number?],
  [ofSecond, ofThird, ofFirst]: readonly [number, number, number?],
  load = 0.9,
): Adapted => ({
  preset,
  rates,
  target,
  load,
  ratios: [converged([second, ofSecond], seeds), converged([third, ofThird], seeds)],
  ...(first !== undefined && ofFirst !== undefined && { U1: converged([first, ofFirst], seeds) }),
})

/** Rows of preset, rates, target and seeds; then U2 / U1, U3 / U1 and U1; their tolerances; the load, if it is not 0.9. */
export const FIGURE_6: readonly Adapted[] = [
  row('paper', 'weighted', '1:2:2', 24, [2.5992, 3.041, 9.3483], [0.2888, 0.44, 3.304]),
  row('paper', 'weighted', '1:1:2', 24, [2.072, 3.9175, 8.6578], [0.3057, 0.4864, 2.6153]),
  row('paper', 'unweighted', '1:2:2', 24, [2.1371, 1.8966, 19.647], [0.1911, 0.3305, 10.767]),
  row('paper', 'unweighted', '1:1:2', 24, [1.3627, 2.5776, 16.0418], [0.1449, 0.4816, 8.5756]),
  row('literal', 'weighted', '1:2:2', 24, [2.4436, 2.4986, 14.879], [0.2749, 0.3634, 7.9306]),
  row('literal', 'weighted', '1:1:2', 24, [1.7911, 3.253, 13.3834], [0.2474, 0.3193, 5.067]),
  row('literal', 'unweighted', '1:2:2', 24, [2.0215, 2.0727, 20.8254], [0.2569, 0.3322, 11.9798]),
  row('literal', 'unweighted', '1:1:2', 24, [1.153, 2.1542, 24.2252], [0.1747, 0.4422, 15.339]),
  row('literal', 'unweighted', '1:2:2', 12, [1.3317, 1.576], [0.2989, 0.4912], 0.3),
  row('literal', 'unweighted', '1:2:2', 12, [1.8518, 2.1507], [0.2374, 0.3431], 0.5),
  row('literal', 'unweighted', '1:2:2', 12, [2.1666, 2.1105], [0.308, 0.3802], 0.7),
  row('paper', 'weighted', null, 30, [2.4668, 4.0746], [0.2158, 0.5983]),
  row('literal', 'weighted', null, 30, [2.7819, 3.5211], [0.2001, 0.3768]),
]
