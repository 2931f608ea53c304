/**
 * Malone et al. 1986, Table 1: mean flow time under DSP by utilisation and speeds of the machines, with estimates
 * that are right or off by up to 100 %, each with its 90 % half-width; and what the same model converges to in runs
 * of a million jobs. The paper's column of 100 % errors is the model `gen` (see lib/workload/generate.ts).
 */
export interface Mean {
  readonly mean: number
  readonly halfWidth: number
}

export interface Row {
  readonly load: number
  readonly speeds: readonly number[]
  readonly paper: { readonly perfect: Mean; readonly gen: Mean }
  readonly converged: { readonly perfect: Mean; readonly gen: Mean }
}

type Pair = readonly [mean: number, halfWidth: number]

const meanOf = ([mean, halfWidth]: Pair): Mean => ({ mean, halfWidth })

/** Paper and converged, each for perfect estimates and for errors of up to 100 %. */
const row = (
  load: number,
  speeds: string,
  ...of: readonly [perfect: Pair, gen: Pair, perfect: Pair, gen: Pair]
): Row => ({
  load,
  speeds: speeds.split(',').map(Number),
  paper: { perfect: meanOf(of[0]), gen: meanOf(of[1]) },
  converged: { perfect: meanOf(of[2]), gen: meanOf(of[3]) },
})

export const TABLE_1: readonly Row[] = [
  row(0.9, '8', [30.65, 2.27], [38.96, 2.73], [31.558, 0.216], [39.282, 0.27]),
  row(0.9, '4,4', [37.73, 2.57], [46.42, 3.44], [39.344, 0.226], [46.663, 0.292]),
  row(0.9, '4,2,2', [45.88, 2.89], [53.46, 3.9], [46.8, 0.242], [53.496, 0.303]),
  row(0.9, '4,2,1,1', [53.27, 2.98], [59.75, 3.7], [54.066, 0.249], [60.553, 0.305]),
  row(0.9, '2,2,2,2', [53.7, 3.17], [60.75, 4.56], [54.039, 0.25], [60.676, 0.317]),
  row(0.9, '4,1,1,1,1', [59.71, 2.75], [67.08, 3.82], [61.437, 0.247], [67.805, 0.31]),
  row(0.9, '2,2,2,1,1', [60.43, 3.26], [67.56, 5.07], [61.064, 0.256], [67.313, 0.321]),
  row(0.9, '2,2,1,1,1,1', [66.14, 2.91], [74.23, 3.19], [68.2, 0.264], [74.183, 0.329]),
  row(0.9, '2,1,1,1,1,1,1', [73.03, 3.14], [82.46, 6.18], [75.518, 0.271], [81.321, 0.33]),
  row(0.9, '1,1,1,1,1,1,1,1', [81.14, 2.52], [90.73, 2.99], [82.953, 0.271], [88.759, 0.349]),
  row(0.5, '8', [12.7, 0.74], [14.26, 0.91], [12.854, 0.03], [14.64, 0.053]),
  row(0.5, '4,4', [18.57, 1.28], [20.6, 1.5], [18.719, 0.036], [19.782, 0.057]),
  row(0.5, '4,2,2', [24.29, 1.41], [24.58, 1.6], [24.278, 0.045], [24.98, 0.067]),
  row(0.5, '4,2,1,1', [28.64, 1.84], [29.68, 1.6], [30.136, 0.057], [30.666, 0.086]),
  row(0.5, '2,2,2,2', [32.52, 1.37], [32.34, 1.55], [32.045, 0.049], [32.532, 0.07]),
  row(0.5, '4,1,1,1,1', [34.86, 1.88], [36.86, 2.4], [37.607, 0.066], [38.012, 0.095]),
  row(0.5, '2,2,2,1,1', [37.03, 1.51], [36.65, 1.61], [36.477, 0.059], [36.823, 0.085]),
  row(0.5, '2,2,1,1,1,1', [42.66, 2.35], [39.04, 2.42], [42.548, 0.069], [42.796, 0.098]),
  row(0.5, '2,1,1,1,1,1,1', [50.81, 2.34], [50.88, 2.95], [50.699, 0.073], [50.881, 0.105]),
  row(0.5, '1,1,1,1,1,1,1,1', [60.66, 2.67], [61.83, 2.16], [60.756, 0.076], [60.883, 0.11]),
  row(0.1, '8', [7.66, 0.38], [8.68, 0.56], [8.284, 0.015], [8.562, 0.02]),
  row(0.1, '4,4', [14.36, 0.66], [16.15, 0.99], [15.136, 0.024], [15.185, 0.032]),
  row(0.1, '4,2,2', [17.65, 1.06], [17.37, 0.76], [17.498, 0.031], [17.517, 0.041]),
  row(0.1, '4,2,1,1', [18.4, 1.21], [17.93, 0.84], [18.187, 0.034], [18.228, 0.045]),
  row(0.1, '2,2,2,2', [28.89, 1.21], [30.36, 1.72], [29.99, 0.047], [30.009, 0.06]),
  row(0.1, '4,1,1,1,1', [22.9, 1.27], [22.06, 1.28], [22.498, 0.049], [22.512, 0.064]),
  row(0.1, '2,2,2,1,1', [30.57, 1.45], [30.12, 1.11], [30.197, 0.046], [30.215, 0.062]),
  row(0.1, '2,2,1,1,1,1', [31.57, 1.65], [33.08, 1.85], [31.595, 0.053], [31.617, 0.07]),
  row(0.1, '2,1,1,1,1,1,1', [38.68, 2.13], [40.7, 2.56], [38.551, 0.068], [38.585, 0.095]),
  row(0.1, '1,1,1,1,1,1,1,1', [60.43, 2.6], [62.99, 3.3], [59.965, 0.094], [60.001, 0.121]),
]

/** The row of a load and speeds, if the paper has it. */
export const rowOf = (load: number, speeds: readonly number[]): Row | undefined =>
  TABLE_1.find((row) => row.load === load && row.speeds.join() === speeds.join())
