/**
 * The converged values of figure 7: yield in dollars per unit of time by slack threshold and load, as in figure 6, at an alpha
 * of 0.3.
 */
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged } from './converged.ts'

/** The thresholds in units of slack. */
export const THRESHOLDS = [-400, -200, 0, 50, 100, 180, 250, 350, 500, 700, 1000] as const

export interface Guarded {
  readonly processors: 1 | 16
  readonly load: number
  /** The rates in the order of `THRESHOLDS`. */
  readonly rates: readonly { readonly threshold: number; readonly rate: Converged }[]
  /** The best threshold, and those whose rates cannot be distinguished from its rate. */
  readonly best: readonly number[]
}

/** One number for each threshold. */
type Each<T extends readonly number[] = typeof THRESHOLDS> = { readonly [I in keyof T]: number }

const row = (processors: Guarded['processors'], load: number, best: readonly number[], v: Each, t: Each): Guarded => ({
  processors,
  load,
  best,
  rates: THRESHOLDS.map((threshold, i) => ({
    threshold,
    rate: converged([v[i] ?? Number.NaN, t[i] ?? Number.NaN], 8),
  })),
})

/** Rows of processors, load and best thresholds; then the rate at each threshold; their tolerances. */
export const FIGURE_7: readonly Guarded[] = [
  row(
    1,
    0.5,
    [0],
    [0.4542, 0.4569, 0.4706, 0.4701, 0.4628, 0.4408, 0.4237, 0.4058, 0.3711, 0.3116, 0.2268],
    [0.01, 0.0101, 0.0116, 0.0118, 0.0122, 0.0123, 0.0118, 0.0116, 0.0116, 0.0097, 0.0088],
  ),
  row(
    1,
    1,
    [100],
    [0.6132, 0.6541, 0.7707, 0.7926, 0.7983, 0.7891, 0.7751, 0.7523, 0.6971, 0.5993, 0.4463],
    [0.017, 0.02, 0.0167, 0.0186, 0.0212, 0.0215, 0.0208, 0.0204, 0.0204, 0.016, 0.0162],
  ),
  row(
    1,
    1.5,
    [250, 350],
    [0.5133, 0.6349, 0.8744, 0.9149, 0.9412, 0.965, 0.9746, 0.9753, 0.9422, 0.8472, 0.6577],
    [0.0342, 0.0264, 0.0251, 0.026, 0.0253, 0.0288, 0.0285, 0.0283, 0.0229, 0.0223, 0.0225],
  ),
  row(
    1,
    2,
    [350, 500],
    [0.3808, 0.5771, 0.9529, 1.0076, 1.0384, 1.0697, 1.0863, 1.0978, 1.0963, 1.0465, 0.8577],
    [0.024, 0.0214, 0.0346, 0.0352, 0.0344, 0.0342, 0.0333, 0.0266, 0.029, 0.0304, 0.0277],
  ),
  row(
    1,
    3,
    [700],
    [0.1561, 0.4517, 1.1059, 1.1796, 1.2274, 1.2626, 1.2826, 1.2941, 1.3024, 1.3111, 1.2064],
    [0.0464, 0.0378, 0.0437, 0.0471, 0.0534, 0.0446, 0.0437, 0.0411, 0.0355, 0.0397, 0.0411],
  ),
  row(
    16,
    0.5,
    [-400, -200, 0],
    [7.9751, 7.9751, 7.9744, 7.9428, 7.8027, 7.345, 7.0089, 6.7006, 6.1082, 5.1007, 3.6582],
    [0.2298, 0.2298, 0.2285, 0.2305, 0.2269, 0.2213, 0.2009, 0.2005, 0.2039, 0.1753, 0.1397],
  ),
  row(
    16,
    1,
    [0, 50],
    [14.7786, 14.7877, 14.9234, 14.9315, 14.7571, 14.2314, 13.7233, 13.1661, 12.0612, 10.1304, 7.2806],
    [0.3547, 0.4072, 0.3407, 0.3657, 0.4012, 0.4401, 0.4068, 0.3963, 0.4226, 0.3577, 0.2715],
  ),
  row(
    16,
    1.5,
    [100, 180],
    [16.3015, 16.572, 17.4342, 17.5712, 17.6503, 17.5858, 17.488, 17.2319, 16.5594, 14.7913, 10.8505],
    [0.2799, 0.4091, 0.4283, 0.5206, 0.4961, 0.5031, 0.5262, 0.5361, 0.5941, 0.5173, 0.3807],
  ),
  row(
    16,
    2,
    [50, 100, 180],
    [16.833, 17.4846, 19.3133, 19.5087, 19.5429, 19.5287, 19.2405, 19.0853, 18.8184, 18.1228, 14.3232],
    // biome-ignore lint/suspicious/noApproximativeNumericConstant: measured
    [0.3308, 0.4526, 0.4242, 0.5273, 0.5548, 0.6058, 0.4342, 0.5733, 0.549, 0.6337, 0.4799],
  ),
  row(
    16,
    3,
    [50, 100, 180],
    [17.3464, 18.4445, 22.2815, 23.1039, 23.0605, 22.9544, 22.8209, 22.1679, 21.7478, 21.6879, 20.4001],
    [0.4164, 0.7749, 0.9135, 0.7515, 0.9807, 1.0316, 0.66, 0.9919, 1.0133, 0.7082, 0.6929],
  ),
]
