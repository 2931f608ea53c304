/**
 * Malone et al. 1986, figure 5: mean flow time under DSP by message delay, as the same model converges in long runs;
 * the paper prints no numbers. Free contractors may have several bids open, and hold awards that find them busy.
 */
import { localOnly, sptByEstimate } from '../../../lib/experiment/closed-forms.ts'
import { type Mean, meanOf, type Pair, speedsOf } from './means.ts'

interface DelayPoint {
  readonly load: number
  readonly speeds: readonly number[]
  /** The delay in percent of the mean execution time on a machine of mean speed. */
  readonly percent: number
  /** The delay of every message between a client and a contractor, in units. */
  readonly delay: number
  readonly converged: Mean
}

const point = (load: number, speeds: string, percent: number, delay: number, converged: Pair): DelayPoint => ({
  load,
  speeds: speedsOf(speeds),
  percent,
  delay,
  converged: meanOf(converged),
})

export const FIGURE_5: readonly DelayPoint[] = [
  point(0.1, '4,4', 0, 0, [15.068, 0.064]),
  point(0.1, '4,4', 5, 0.75, [18.232, 0.065]),
  point(0.1, '4,4', 10, 1.5, [21.376, 0.066]),
  point(0.1, '4,4', 15, 2.25, [24.503, 0.068]),
  point(0.1, '4,4', 20, 3, [27.632, 0.067]),
  point(0.1, '4,1,1,1,1', 0, 0, [22.396, 0.146]),
  point(0.1, '4,1,1,1,1', 5, 1.875, [30.576, 0.139]),
  point(0.1, '4,1,1,1,1', 10, 3.75, [38.481, 0.139]),
  point(0.1, '4,1,1,1,1', 15, 5.625, [46.324, 0.142]),
  point(0.1, '4,1,1,1,1', 20, 7.5, [54.127, 0.142]),
  point(0.1, '1,1,1,1,1,1,1,1', 0, 0, [59.707, 0.246]),
  point(0.1, '1,1,1,1,1,1,1,1', 5, 3, [72.311, 0.25]),
  point(0.1, '1,1,1,1,1,1,1,1', 10, 6, [84.902, 0.259]),
  point(0.1, '1,1,1,1,1,1,1,1', 15, 9, [97.393, 0.262]),
  point(0.1, '1,1,1,1,1,1,1,1', 20, 12, [109.912, 0.267]),
  point(0.5, '4,4', 0, 0, [18.58, 0.122]),
  point(0.5, '4,4', 5, 0.75, [23.512, 0.16]),
  point(0.5, '4,4', 10, 1.5, [28.302, 0.182]),
  point(0.5, '4,4', 15, 2.25, [33.004, 0.214]),
  point(0.5, '4,4', 20, 3, [37.687, 0.267]),
  point(0.5, '4,1,1,1,1', 0, 0, [37.261, 0.217]),
  point(0.5, '4,1,1,1,1', 5, 1.875, [50.567, 0.293]),
  point(0.5, '4,1,1,1,1', 10, 3.75, [62.024, 0.377]),
  point(0.5, '4,1,1,1,1', 15, 5.625, [72.891, 0.441]),
  point(0.5, '4,1,1,1,1', 20, 7.5, [83.199, 0.514]),
  point(0.5, '1,1,1,1,1,1,1,1', 0, 0, [60.404, 0.272]),
  point(0.5, '1,1,1,1,1,1,1,1', 5, 3, [78.993, 0.365]),
  point(0.5, '1,1,1,1,1,1,1,1', 10, 6, [96.009, 0.366]),
  point(0.5, '1,1,1,1,1,1,1,1', 15, 9, [111.925, 0.493]),
  point(0.5, '1,1,1,1,1,1,1,1', 20, 12, [127.072, 0.571]),
]

/**
 * The exact flow time if every machine serves its own arrivals, shortest first. The paper scaled its run with one
 * machine.
 */
export const localOf = ({ load, speeds }: Pick<DelayPoint, 'load' | 'speeds'>): number =>
  localOnly(speeds, sptByEstimate(load, 'perfect'))
