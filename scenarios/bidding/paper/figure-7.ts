/**
 * Malone et al. 1986, figure 7: mean flow time at a load of 50 % under the alternatives to DSP, as the same models
 * converge in long runs; the paper prints no numbers. DSP itself is in Table 1.
 */
import { type Mean, meanOf, type Pair, speedsOf } from './means.ts'

interface Alternatives {
  readonly speeds: readonly number[]
  readonly eager: { readonly perfect: Mean; readonly gen: Mean }
  readonly random: { readonly perfect: Mean; readonly gen: Mean }
}

export const FIGURE_7_LOAD = 0.5

/** Makes a row from four means: eager with perfect estimates and with `gen`, then random with the same two. */
const row = (speeds: string, ...[perfect, gen, ...random]: [Pair, Pair, Pair, Pair]): Alternatives => ({
  speeds: speedsOf(speeds),
  eager: { perfect: meanOf(perfect), gen: meanOf(gen) },
  random: { perfect: meanOf(random[0]), gen: meanOf(random[1]) },
})

export const FIGURE_7: readonly Alternatives[] = [
  row('8', [12.795, 0.068], [14.611, 0.112], [14.97, 0.083], [17.583, 0.133]),
  row('4,4', [18.645, 0.081], [20.918, 0.124], [19.976, 0.084], [21.537, 0.127]),
  row('4,2,2', [24.62, 0.114], [28.82, 0.157], [27.146, 0.083], [28.302, 0.119]),
  row('4,2,1,1', [28.099, 0.173], [33.617, 0.273], [36.995, 0.085], [38.02, 0.136]),
  row('2,2,2,2', [31.944, 0.107], [35.602, 0.17], [32.577, 0.091], [33.365, 0.136]),
  row('4,1,1,1,1', [47.038, 0.456], [53.871, 0.519], [45.989, 0.095], [46.811, 0.144]),
  row('2,2,2,1,1', [35.475, 0.154], [41.627, 0.272], [41.165, 0.095], [41.786, 0.138]),
  row('2,2,1,1,1,1', [46.994, 0.249], [56.581, 0.383], [48.756, 0.107], [49.264, 0.158]),
  row('2,1,1,1,1,1,1', [58.775, 0.237], [67.871, 0.355], [55.344, 0.116], [55.732, 0.158]),
  row('1,1,1,1,1,1,1,1', [60.601, 0.178], [68.131, 0.278], [60.851, 0.126], [61.153, 0.17]),
]
