/**
 * Malone et al. 1986, Table 2 and figure 4: mean flow time by the number of machines of speed 1 at a constant load, with
 * random sequencing (by formula) and with DSP (SPT). The paper scaled the DSP column from Table 1, so its values for
 * fewer than 8 machines are 8, 4 and 2 times rounded ones. Figure 4 plots that column; we add 16 and 32 machines.
 */
import { type Mean, meanOf, type Pair } from './means.ts'

export interface Size {
  readonly machines: number
  readonly load: number
  /** As printed. */
  readonly paper?: { readonly random: number; readonly spt: Mean }
  /** DSP with perfect estimates. */
  readonly converged: Mean
}

const row = (machines: number, load: number, random: number, spt: Pair, converged: Pair) => ({
  machines,
  load,
  paper: { random, spt: meanOf(spt) },
  converged: meanOf(converged),
})

export const TABLE_2 = [
  row(1, 0.1, 66.64, [61.28, 3.04], [66.272, 0.12]),
  row(1, 0.5, 120, [101.6, 5.92], [102.832, 0.24]),
  row(1, 0.9, 600, [245.2, 18.16], [252.464, 1.728]),
  row(2, 0.1, 60.6, [57.44, 2.64], [60.544, 0.096]),
  row(2, 0.5, 80, [74.28, 5.12], [74.876, 0.144]),
  row(2, 0.9, 315.79, [150.92, 10.28], [157.376, 0.904]),
  row(4, 0.1, 60.01, [57.78, 2.42], [59.98, 0.094]),
  row(4, 0.5, 65.22, [65.04, 2.74], [64.09, 0.098]),
  row(4, 0.9, 178.16, [107.4, 6.34], [108.078, 0.5]),
  row(8, 0.1, 60, [60.43, 2.6], [59.965, 0.094]),
  row(8, 0.5, 60.89, [60.66, 2.67], [60.756, 0.076]),
  row(8, 0.9, 112.61, [81.14, 2.52], [82.953, 0.271]),
] as const satisfies readonly Size[]

export const FIGURE_4: readonly Size[] = [
  ...TABLE_2,
  { machines: 16, load: 0.1, converged: meanOf([59.927, 0.159]) },
  { machines: 16, load: 0.5, converged: meanOf([60.03, 0.13]) },
  { machines: 16, load: 0.9, converged: meanOf([70.444, 0.311]) },
  { machines: 32, load: 0.1, converged: meanOf([59.927, 0.159]) },
  { machines: 32, load: 0.5, converged: meanOf([59.972, 0.129]) },
  { machines: 32, load: 0.9, converged: meanOf([64.401, 0.199]) },
]
