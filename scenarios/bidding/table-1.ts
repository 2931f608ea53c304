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

const mean = (mean: number, halfWidth: number): Mean => ({ mean, halfWidth })

export const TABLE_1: readonly Row[] = [
  {
    load: 0.9,
    speeds: [8],
    paper: { perfect: mean(30.65, 2.27), gen: mean(38.96, 2.73) },
    converged: { perfect: mean(31.558, 0.216), gen: mean(39.282, 0.27) },
  },
  {
    load: 0.9,
    speeds: [4, 4],
    paper: { perfect: mean(37.73, 2.57), gen: mean(46.42, 3.44) },
    converged: { perfect: mean(39.344, 0.226), gen: mean(46.663, 0.292) },
  },
  {
    load: 0.9,
    speeds: [4, 2, 2],
    paper: { perfect: mean(45.88, 2.89), gen: mean(53.46, 3.9) },
    converged: { perfect: mean(46.8, 0.242), gen: mean(53.496, 0.303) },
  },
  {
    load: 0.9,
    speeds: [4, 2, 1, 1],
    paper: { perfect: mean(53.27, 2.98), gen: mean(59.75, 3.7) },
    converged: { perfect: mean(54.066, 0.249), gen: mean(60.553, 0.305) },
  },
  {
    load: 0.9,
    speeds: [2, 2, 2, 2],
    paper: { perfect: mean(53.7, 3.17), gen: mean(60.75, 4.56) },
    converged: { perfect: mean(54.039, 0.25), gen: mean(60.676, 0.317) },
  },
  {
    load: 0.9,
    speeds: [4, 1, 1, 1, 1],
    paper: { perfect: mean(59.71, 2.75), gen: mean(67.08, 3.82) },
    converged: { perfect: mean(61.437, 0.247), gen: mean(67.805, 0.31) },
  },
  {
    load: 0.9,
    speeds: [2, 2, 2, 1, 1],
    paper: { perfect: mean(60.43, 3.26), gen: mean(67.56, 5.07) },
    converged: { perfect: mean(61.064, 0.256), gen: mean(67.313, 0.321) },
  },
  {
    load: 0.9,
    speeds: [2, 2, 1, 1, 1, 1],
    paper: { perfect: mean(66.14, 2.91), gen: mean(74.23, 3.19) },
    converged: { perfect: mean(68.2, 0.264), gen: mean(74.183, 0.329) },
  },
  {
    load: 0.9,
    speeds: [2, 1, 1, 1, 1, 1, 1],
    paper: { perfect: mean(73.03, 3.14), gen: mean(82.46, 6.18) },
    converged: { perfect: mean(75.518, 0.271), gen: mean(81.321, 0.33) },
  },
  {
    load: 0.9,
    speeds: [1, 1, 1, 1, 1, 1, 1, 1],
    paper: { perfect: mean(81.14, 2.52), gen: mean(90.73, 2.99) },
    converged: { perfect: mean(82.953, 0.271), gen: mean(88.759, 0.349) },
  },
  {
    load: 0.5,
    speeds: [8],
    paper: { perfect: mean(12.7, 0.74), gen: mean(14.26, 0.91) },
    converged: { perfect: mean(12.854, 0.03), gen: mean(14.64, 0.053) },
  },
  {
    load: 0.5,
    speeds: [4, 4],
    paper: { perfect: mean(18.57, 1.28), gen: mean(20.6, 1.5) },
    converged: { perfect: mean(18.719, 0.036), gen: mean(19.782, 0.057) },
  },
  {
    load: 0.5,
    speeds: [4, 2, 2],
    paper: { perfect: mean(24.29, 1.41), gen: mean(24.58, 1.6) },
    converged: { perfect: mean(24.278, 0.045), gen: mean(24.98, 0.067) },
  },
  {
    load: 0.5,
    speeds: [4, 2, 1, 1],
    paper: { perfect: mean(28.64, 1.84), gen: mean(29.68, 1.6) },
    converged: { perfect: mean(30.136, 0.057), gen: mean(30.666, 0.086) },
  },
  {
    load: 0.5,
    speeds: [2, 2, 2, 2],
    paper: { perfect: mean(32.52, 1.37), gen: mean(32.34, 1.55) },
    converged: { perfect: mean(32.045, 0.049), gen: mean(32.532, 0.07) },
  },
  {
    load: 0.5,
    speeds: [4, 1, 1, 1, 1],
    paper: { perfect: mean(34.86, 1.88), gen: mean(36.86, 2.4) },
    converged: { perfect: mean(37.607, 0.066), gen: mean(38.012, 0.095) },
  },
  {
    load: 0.5,
    speeds: [2, 2, 2, 1, 1],
    paper: { perfect: mean(37.03, 1.51), gen: mean(36.65, 1.61) },
    converged: { perfect: mean(36.477, 0.059), gen: mean(36.823, 0.085) },
  },
  {
    load: 0.5,
    speeds: [2, 2, 1, 1, 1, 1],
    paper: { perfect: mean(42.66, 2.35), gen: mean(39.04, 2.42) },
    converged: { perfect: mean(42.548, 0.069), gen: mean(42.796, 0.098) },
  },
  {
    load: 0.5,
    speeds: [2, 1, 1, 1, 1, 1, 1],
    paper: { perfect: mean(50.81, 2.34), gen: mean(50.88, 2.95) },
    converged: { perfect: mean(50.699, 0.073), gen: mean(50.881, 0.105) },
  },
  {
    load: 0.5,
    speeds: [1, 1, 1, 1, 1, 1, 1, 1],
    paper: { perfect: mean(60.66, 2.67), gen: mean(61.83, 2.16) },
    converged: { perfect: mean(60.756, 0.076), gen: mean(60.883, 0.11) },
  },
  {
    load: 0.1,
    speeds: [8],
    paper: { perfect: mean(7.66, 0.38), gen: mean(8.68, 0.56) },
    converged: { perfect: mean(8.284, 0.015), gen: mean(8.562, 0.02) },
  },
  {
    load: 0.1,
    speeds: [4, 4],
    paper: { perfect: mean(14.36, 0.66), gen: mean(16.15, 0.99) },
    converged: { perfect: mean(15.136, 0.024), gen: mean(15.185, 0.032) },
  },
  {
    load: 0.1,
    speeds: [4, 2, 2],
    paper: { perfect: mean(17.65, 1.06), gen: mean(17.37, 0.76) },
    converged: { perfect: mean(17.498, 0.031), gen: mean(17.517, 0.041) },
  },
  {
    load: 0.1,
    speeds: [4, 2, 1, 1],
    paper: { perfect: mean(18.4, 1.21), gen: mean(17.93, 0.84) },
    converged: { perfect: mean(18.187, 0.034), gen: mean(18.228, 0.045) },
  },
  {
    load: 0.1,
    speeds: [2, 2, 2, 2],
    paper: { perfect: mean(28.89, 1.21), gen: mean(30.36, 1.72) },
    converged: { perfect: mean(29.99, 0.047), gen: mean(30.009, 0.06) },
  },
  {
    load: 0.1,
    speeds: [4, 1, 1, 1, 1],
    paper: { perfect: mean(22.9, 1.27), gen: mean(22.06, 1.28) },
    converged: { perfect: mean(22.498, 0.049), gen: mean(22.512, 0.064) },
  },
  {
    load: 0.1,
    speeds: [2, 2, 2, 1, 1],
    paper: { perfect: mean(30.57, 1.45), gen: mean(30.12, 1.11) },
    converged: { perfect: mean(30.197, 0.046), gen: mean(30.215, 0.062) },
  },
  {
    load: 0.1,
    speeds: [2, 2, 1, 1, 1, 1],
    paper: { perfect: mean(31.57, 1.65), gen: mean(33.08, 1.85) },
    converged: { perfect: mean(31.595, 0.053), gen: mean(31.617, 0.07) },
  },
  {
    load: 0.1,
    speeds: [2, 1, 1, 1, 1, 1, 1],
    paper: { perfect: mean(38.68, 2.13), gen: mean(40.7, 2.56) },
    converged: { perfect: mean(38.551, 0.068), gen: mean(38.585, 0.095) },
  },
  {
    load: 0.1,
    speeds: [1, 1, 1, 1, 1, 1, 1, 1],
    paper: { perfect: mean(60.43, 2.6), gen: mean(62.99, 3.3) },
    converged: { perfect: mean(59.965, 0.094), gen: mean(60.001, 0.121) },
  },
]

/** The row of a load and speeds, if the paper has it. */
export const rowOf = (load: number, speeds: readonly number[]): Row | undefined =>
  TABLE_1.find((row) => row.load === load && row.speeds.join() === speeds.join())
