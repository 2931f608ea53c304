/**
 * The converged values of figure 6: yield in dollars per unit of time, from the first arrival to the last finish, by load, with
 * admission control (slack of at least 180) and without. They are of 5000 tasks of the mix `FIGURES_6_AND_7`, FirstReward with a
 * discount rate of 0.01, no preemption.
 */
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged, type Pair } from './converged.ts'

export const THRESHOLD = 180

export const ALPHAS = [0, 0.3, 0.9] as const

interface Rates {
  readonly admitting: Converged
  readonly takingAll: Converged
}

export interface Loaded {
  readonly processors: 1 | 16
  readonly load: number
  /** The share of tasks that are accepted with admission control, at an alpha of 0.3. */
  readonly accepted: Converged
  readonly rates: Readonly<Record<(typeof ALPHAS)[number], Rates>>
}

type Six = readonly [number, number, number, number, number, number]

const row = (processors: Loaded['processors'], load: number, accepted: Pair, v: Six, t: Six): Loaded => ({
  processors,
  load,
  accepted: converged(accepted, 8),
  rates: {
    0: { admitting: converged([v[0], t[0]], 8), takingAll: converged([v[1], t[1]], 4) },
    0.3: { admitting: converged([v[2], t[2]], 8), takingAll: converged([v[3], t[3]], 4) },
    0.9: { admitting: converged([v[4], t[4]], 8), takingAll: converged([v[5], t[5]], 4) },
  },
})

/** Processors, load, share accepted; at alpha 0, 0.3 and 0.9 the rates with admission control and without; tolerances. */
export const FIGURE_6: readonly Loaded[] = [
  row(
    1,
    0.5,
    [0.7078, 0.0075],
    [0.4395, 0.4644, 0.4408, 0.4514, 0.4407, 0.4423],
    [0.0125, 0.0171, 0.0123, 0.0171, 0.0123, 0.0171],
  ),
  row(
    1,
    1,
    [0.6374, 0.0078],
    [0.787, -0.5896, 0.7891, -16.3306, 0.7888, -19.4188],
    [0.0226, 1.5625, 0.0215, 19.6259, 0.0222, 23.1508],
  ),
  row(
    1,
    1.5,
    [0.5188, 0.0103],
    [0.9757, -34.5135, 0.965, -111.5075, 0.962, -152.8043],
    [0.0283, 4.9142, 0.0288, 3.5327, 0.0256, 4.0812],
  ),
  row(
    1,
    2,
    [0.4175, 0.0092],
    [1.0791, -56.858, 1.0697, -148.1886, 1.0666, -192.4313],
    [0.0345, 4.1072, 0.0342, 4.7524, 0.0323, 1.9622],
  ),
  row(
    1,
    3,
    [0.3022, 0.0066],
    [1.2631, -79.8547, 1.2626, -205.8892, 1.2626, -243.4761],
    [0.0403, 3.4011, 0.0446, 8.0416, 0.0456, 1.779],
  ),
  row(
    16,
    0.5,
    [0.7445, 0.0085],
    [7.3452, 7.9812, 7.345, 7.9812, 7.345, 7.981],
    [0.222, 0.3332, 0.2213, 0.3332, 0.2213, 0.3329],
  ),
  row(
    16,
    1,
    [0.7167, 0.0055],
    [14.1231, 14.2215, 14.2314, 11.6684, 14.2189, 6.5858],
    [0.4368, 1.3716, 0.4401, 3.7066, 0.4378, 9.2176],
  ),
  row(
    16,
    1.5,
    [0.5403, 0.0105],
    [17.8255, -18.8203, 17.5858, -21.4923, 17.6019, -61.5434],
    [0.5213, 4.6327, 0.5031, 5.2686, 0.5108, 3.789],
  ),
  row(
    16,
    2,
    [0.421, 0.0099],
    [20.0032, -40.9152, 19.5287, -52.6669, 19.4511, -102.9652],
    [0.5596, 3.8739, 0.6058, 6.3379, 0.5903, 7.1357],
  ),
  row(
    16,
    3,
    [0.3086, 0.0105],
    [23.5024, -63.6865, 22.9544, -117.7437, 23.0166, -168.914],
    [0.9026, 3.4832, 1.0316, 6.5577, 0.9414, 3.3598],
  ),
]
