/**
 * Malone et al. 1986, Table 1: mean flow time under DSP by load and speeds of the machines, with estimates that are
 * perfect or wrong by up to 100 %, and optimal assignment by formula. A row also has the values that the same model
 * converges to in long runs, for both readings of "100 %" (`gen` and `mult`, see lib/workload/generate.ts).
 */
import { sum } from '../../../lib/core/tally.ts'
import { optimalAssignment } from '../../../lib/experiment/closed-forms.ts'
import type { ErrorModel } from '../../../lib/workload/generate.ts'
import { MEAN_WORK, type Mean, meanOf, type Pair, speedsOf } from './means.ts'

export interface Row {
  readonly load: number
  readonly speeds: readonly number[]
  readonly paper: { readonly perfect: Mean; readonly errors: Mean; readonly optimal: number }
  readonly converged: { readonly perfect: Mean; readonly gen: Mean; readonly mult: Mean }
}

/** Makes a row from the paper's columns (perfect, errors, optimal) and the converged ones (perfect, `gen`, `mult`). */
const row = (
  load: number,
  speeds: string,
  ...[perfect, errors, optimal, ...converged]: [Pair, Pair, number, Pair, Pair, Pair]
): Row => ({
  load,
  speeds: speedsOf(speeds),
  paper: { perfect: meanOf(perfect), errors: meanOf(errors), optimal },
  converged: { perfect: meanOf(converged[0]), gen: meanOf(converged[1]), mult: meanOf(converged[2]) },
})

export const TABLE_1: readonly Row[] = [
  row(0.9, '8', [30.65, 2.27], [38.96, 2.73], 75, [31.558, 0.216], [39.282, 0.27], [35.905, 0.272]),
  row(0.9, '4,4', [37.73, 2.57], [46.42, 3.44], 78.95, [39.344, 0.226], [46.663, 0.292], [43.205, 0.28]),
  row(0.9, '4,2,2', [45.88, 2.89], [53.46, 3.9], 81.76, [46.8, 0.242], [53.496, 0.303], [50.23, 0.294]),
  row(0.9, '4,2,1,1', [53.27, 2.98], [59.75, 3.7], 83.63, [54.066, 0.249], [60.553, 0.305], [57.421, 0.296]),
  row(0.9, '2,2,2,2', [53.7, 3.17], [60.75, 4.56], 89.08, [54.039, 0.25], [60.676, 0.317], [57.447, 0.3]),
  row(0.9, '4,1,1,1,1', [59.71, 2.75], [67.08, 3.82], 88.94, [61.437, 0.247], [67.805, 0.31], [64.776, 0.304]),
  row(0.9, '2,2,2,1,1', [60.43, 3.26], [67.56, 5.07], 91.03, [61.064, 0.256], [67.313, 0.321], [64.171, 0.305]),
  row(0.9, '2,2,1,1,1,1', [66.14, 2.91], [74.23, 3.19], 96.62, [68.2, 0.264], [74.183, 0.329], [71.147, 0.311]),
  row(0.9, '2,1,1,1,1,1,1', [73.03, 3.14], [82.46, 6.18], 104.33, [75.518, 0.271], [81.321, 0.33], [78.356, 0.319]),
  row(0.9, '1,1,1,1,1,1,1,1', [81.14, 2.52], [90.73, 2.99], 112.61, [82.953, 0.271], [88.759, 0.349], [85.834, 0.326]),
  row(0.5, '8', [12.7, 0.74], [14.26, 0.91], 15, [12.854, 0.03], [14.64, 0.053], [13.24, 0.033]),
  row(0.5, '4,4', [18.57, 1.28], [20.6, 1.5], 20, [18.719, 0.036], [19.782, 0.057], [18.959, 0.039]),
  row(0.5, '4,2,2', [24.29, 1.41], [24.58, 1.6], 22.5, [24.278, 0.045], [24.98, 0.067], [24.409, 0.047]),
  row(0.5, '4,2,1,1', [28.64, 1.84], [29.68, 1.6], 23.54, [30.136, 0.057], [30.666, 0.086], [30.22, 0.06]),
  row(0.5, '2,2,2,2', [32.52, 1.37], [32.34, 1.55], 32.61, [32.045, 0.049], [32.532, 0.07], [32.153, 0.05]),
  row(0.5, '4,1,1,1,1', [34.86, 1.88], [36.86, 2.4], 27.57, [37.607, 0.066], [38.012, 0.095], [37.67, 0.067]),
  row(0.5, '2,2,2,1,1', [37.03, 1.51], [36.65, 1.61], 33.64, [36.477, 0.059], [36.823, 0.085], [36.541, 0.06]),
  row(0.5, '2,2,1,1,1,1', [42.66, 2.35], [39.04, 2.42], 37.78, [42.548, 0.069], [42.796, 0.098], [42.59, 0.069]),
  row(0.5, '2,1,1,1,1,1,1', [50.81, 2.34], [50.88, 2.95], 47.01, [50.699, 0.073], [50.881, 0.105], [50.731, 0.074]),
  row(0.5, '1,1,1,1,1,1,1,1', [60.66, 2.67], [61.83, 2.16], 60.89, [60.756, 0.076], [60.883, 0.11], [60.784, 0.077]),
  row(0.1, '8', [7.66, 0.38], [8.68, 0.56], 8.33, [8.284, 0.015], [8.562, 0.02], [8.293, 0.015]),
  row(0.1, '4,4', [14.36, 0.66], [16.15, 0.99], 15.15, [15.136, 0.024], [15.185, 0.032], [15.137, 0.024]),
  row(0.1, '4,2,2', [17.65, 1.06], [17.37, 0.76], 16.01, [17.498, 0.031], [17.517, 0.041], [17.499, 0.031]),
  row(0.1, '4,2,1,1', [18.4, 1.21], [17.93, 0.84], 16.09, [18.187, 0.034], [18.228, 0.045], [18.187, 0.034]),
  row(0.1, '2,2,2,2', [28.89, 1.21], [30.36, 1.72], 30.01, [29.99, 0.047], [30.009, 0.06], [29.99, 0.047]),
  row(0.1, '4,1,1,1,1', [22.9, 1.27], [22.06, 1.28], 16.92, [22.498, 0.049], [22.512, 0.064], [22.498, 0.049]),
  row(0.1, '2,2,2,1,1', [30.57, 1.45], [30.12, 1.11], 30.04, [30.197, 0.046], [30.215, 0.062], [30.197, 0.046]),
  row(0.1, '2,2,1,1,1,1', [31.57, 1.65], [33.08, 1.85], 30.42, [31.595, 0.053], [31.617, 0.07], [31.595, 0.053]),
  row(0.1, '2,1,1,1,1,1,1', [38.68, 2.13], [40.7, 2.56], 33.96, [38.551, 0.068], [38.585, 0.095], [38.551, 0.068]),
  row(0.1, '1,1,1,1,1,1,1,1', [60.43, 2.6], [62.99, 3.3], 60, [59.965, 0.094], [60.001, 0.121], [59.965, 0.094]),
]

/** The row of a load and speeds; undefined if the paper has none. */
export const rowOf = (load: number, speeds: readonly number[]): Row | undefined =>
  TABLE_1.find((row) => row.load === load && row.speeds.join() === speeds.join())

/** The value of the column "optimal assignment" by its formula. All 30 values equal the printed ones. */
export const optimalOf = ({ load, speeds }: Pick<Row, 'load' | 'speeds'>): number => {
  const rates = speeds.map((speed) => speed / MEAN_WORK)
  return optimalAssignment(load * sum(rates), rates)
}

const KNOWN: readonly (readonly [load: number, errors: 'perfect' | 'errors', speeds: string, line: string])[] = [
  [0.5, 'perfect', '4,1,1,1,1', '34.86: 7 % below the long run; first come, first served would give 37.97 (exact)'],
  [0.5, 'errors', '2,2,1,1,1,1', '39.04: lower than the 42.66 of perfect estimates, so chance'],
  [0.1, 'perfect', '8', '7.66: below 8.29, the exact value for one machine of speed 8'],
  [0.1, 'perfect', '4,4', '14.36: below 15, the mean execution alone'],
]

/** A known mistake in a printed value, if any. The paper has one column for both models of errors. */
export const knownOf = ({ load, speeds }: Row, errors: ErrorModel): string | undefined =>
  KNOWN.find((known) => {
    const column = errors === 'perfect' ? 'perfect' : 'errors'
    return known[0] === load && known[1] === column && known[2] === speeds.join()
  })?.[3]
