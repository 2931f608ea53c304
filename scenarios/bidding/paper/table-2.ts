/**
 * Malone et al. 1986, Table 2 and figure 4: mean flow time by the number of machines of speed 1 at a constant load,
 * with random sequencing (by formula) and with DSP (SPT). The paper scaled the DSP column from Table 1, so its values
 * for fewer than 8 machines are 8, 4 and 2 times rounded ones. Figure 4 plots that column; we add 16 and 32 machines.
 */
import { mmc } from '../../../lib/experiment/closed-forms.ts'
import { MEAN_WORK, type Mean, meanOf, type Pair } from './means.ts'

interface Size {
  readonly machines: number
  readonly load: number
  /** The printed values; null for sizes that we added. */
  readonly paper: { readonly random: number; readonly spt: Mean } | null
  /** The converged mean of DSP with perfect estimates. */
  readonly converged: Mean
  /** A known mistake in the printed values. */
  readonly known?: string
}

const row = (machines: number, load: number, random: number, spt: Pair, converged: Pair, known?: string): Size => ({
  machines,
  load,
  paper: { random, spt: meanOf(spt) },
  converged: meanOf(converged),
  ...(known !== undefined && { known }),
})

const drawn = (machines: number, load: number, converged: Pair): Size => ({
  machines,
  load,
  paper: null,
  converged: meanOf(converged),
})

export const TABLE_2: readonly Size[] = [
  row(
    1,
    0.1,
    66.64,
    [61.28, 3.04],
    [66.272, 0.12],
    '66.64 is 8 times a rounded 8.33 (66.67); 61.28 is 8 times the 7.66 of Table 1, below the exact value',
  ),
  row(1, 0.5, 120, [101.6, 5.92], [102.832, 0.24]),
  row(1, 0.9, 600, [245.2, 18.16], [252.464, 1.728]),
  row(
    2,
    0.1,
    60.6,
    [57.44, 2.64],
    [60.544, 0.096],
    '60.60 is 4 times a rounded 15.15 (60.61); 57.44 is 4 times the 14.36 of Table 1, below the mean execution',
  ),
  row(2, 0.5, 80, [74.28, 5.12], [74.876, 0.144]),
  row(2, 0.9, 315.79, [150.92, 10.28], [157.376, 0.904]),
  row(4, 0.1, 60.01, [57.78, 2.42], [59.98, 0.094]),
  row(4, 0.5, 65.22, [65.04, 2.74], [64.09, 0.098]),
  row(4, 0.9, 178.16, [107.4, 6.34], [108.078, 0.5]),
  row(8, 0.1, 60, [60.43, 2.6], [59.965, 0.094]),
  row(8, 0.5, 60.89, [60.66, 2.67], [60.756, 0.076]),
  row(8, 0.9, 112.61, [81.14, 2.52], [82.953, 0.271]),
]

export const FIGURE_4: readonly Size[] = [
  ...TABLE_2,
  drawn(16, 0.1, [59.927, 0.159]),
  drawn(16, 0.5, [60.03, 0.13]),
  drawn(16, 0.9, [70.444, 0.311]),
  drawn(32, 0.1, [59.927, 0.159]),
  drawn(32, 0.5, [59.972, 0.129]),
  drawn(32, 0.9, [64.401, 0.199]),
]

/** The value of the column "random" by formula (M/M/m); first come, first served has the same mean. */
export const randomOf = ({ load, machines }: Pick<Size, 'load' | 'machines'>): number =>
  mmc(load / MEAN_WORK, 1 / MEAN_WORK, machines).flow
