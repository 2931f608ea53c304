/**
 * Three equal parallel jobs, coscheduled implicitly: how much slower than by gang scheduling with slots of 100 ms, as the
 * same model converges in long runs (60 s after 10 s of warm-up, means of 5 seeds). The paper prints no such table; it says
 * that basic stride scheduling loses throughput and that sleeping credit wins it back (section 5.2).
 */
import { DEFAULTS, type Parameters, SPINS } from './parameters.ts'

/** A value and how far from it is still agreement. */
export type Tolerated = readonly [value: number, tolerance: number]

export interface Slowdown {
  readonly parameters: Parameters
  /** Below 1: better than gang scheduling. */
  readonly slowdown: Tolerated
}

/** Who spins without end never sleeps, so there is nothing to credit: null. */
const row = (
  switching: number,
  granularity: number,
  imbalance: number,
  spin: keyof typeof SPINS,
  none: Tolerated,
  system: Tolerated | null,
): Slowdown[] => {
  const parameters = { ...DEFAULTS, switching, granularity, imbalance, spin: SPINS[spin] }
  const uncredited: Slowdown = { parameters: { ...parameters, credit: 'none' }, slowdown: none }
  return system ? [uncredited, { parameters, slowdown: system }] : [uncredited]
}

/** Context switch, granularity and imbalance, spin; slowdown without credit and with system credit. */
export const SLOWDOWNS: readonly Slowdown[] = [
  row(0.1, 0.3, 0.2, 'block', [1.216, 0.05], [1.292, 0.05]),
  row(0.1, 0.3, 0.2, 'switch', [1.434, 0.056], [1.275, 0.05]),
  row(0.1, 0.3, 0.2, 'switches', [2.053, 0.348], [1.041, 0.05]),
  row(0.1, 0.3, 0.2, 'spread', [2.229, 0.104], [1.046, 0.05]),
  row(0.1, 0.3, 0.2, 'endless', [38.462, 2.278], null),
  row(0.1, 1, 0.2, 'block', [1.04, 0.05], [1.063, 0.05]),
  row(0.1, 1, 0.2, 'switch', [1.109, 0.05], [1.092, 0.05]),
  row(0.1, 1, 0.2, 'switches', [1.325, 0.05], [1.036, 0.05]),
  row(0.1, 1, 0.2, 'spread', [1.444, 0.057], [1.047, 0.05]),
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: measured
  row(0.1, 1, 0.2, 'endless', [12.044, 0.693], null),
  row(0.1, 5, 0.2, 'block', [0.969, 0.05], [0.98, 0.05]),
  row(0.1, 5, 0.2, 'switch', [0.984, 0.05], [0.991, 0.05]),
  row(0.1, 5, 0.2, 'switches', [1.034, 0.05], [1.021, 0.05]),
  row(0.1, 5, 0.2, 'spread', [1.159, 0.05], [1.071, 0.05]),
  row(0.1, 5, 0.2, 'endless', [2.751, 0.135], null),
  row(0.1, 10, 0.2, 'block', [0.959, 0.05], [0.968, 0.05]),
  row(0.1, 10, 0.2, 'switch', [0.967, 0.05], [0.974, 0.05]),
  row(0.1, 10, 0.2, 'switches', [0.992, 0.05], [0.993, 0.05]),
  row(0.1, 10, 0.2, 'spread', [1.124, 0.05], [1.091, 0.05]),
  row(0.1, 10, 0.2, 'endless', [1.549, 0.063], null),
  row(0.1, 50, 0.2, 'block', [0.931, 0.05], [0.946, 0.05]),
  row(0.1, 50, 0.2, 'switch', [0.934, 0.05], [0.948, 0.05]),
  row(0.1, 50, 0.2, 'switches', [0.94, 0.05], [0.954, 0.05]),
  row(0.1, 50, 0.2, 'spread', [1.069, 0.05], [1.072, 0.05]),
  row(0.1, 50, 0.2, 'endless', [1.067, 0.05], null),
  row(0.1, 0.3, 1, 'block', [1.049, 0.05], [1.108, 0.05]),
  row(0.1, 0.3, 1, 'switch', [1.215, 0.05], [1.196, 0.05]),
  row(0.1, 0.3, 1, 'switches', [1.758, 0.075], [1.034, 0.05]),
  row(0.1, 0.3, 1, 'spread', [2.178, 0.101], [1.05, 0.05]),
  row(0.1, 0.3, 1, 'endless', [28.979, 1.709], null),
  row(0.1, 1, 1, 'block', [0.889, 0.05], [0.93, 0.05]),
  row(0.1, 1, 1, 'switch', [0.941, 0.05], [0.97, 0.05]),
  row(0.1, 1, 1, 'switches', [1.126, 0.05], [1.059, 0.05]),
  row(0.1, 1, 1, 'spread', [1.588, 0.065], [1.077, 0.05]),
  row(0.1, 1, 1, 'endless', [8.993, 0.51], null),
  row(0.1, 5, 1, 'block', [0.828, 0.05], [0.864, 0.05]),
  row(0.1, 5, 1, 'switch', [0.839, 0.05], [0.872, 0.05]),
  row(0.1, 5, 1, 'switches', [0.876, 0.05], [0.902, 0.05]),
  row(0.1, 5, 1, 'spread', [1.356, 0.051], [1.194, 0.05]),
  row(0.1, 5, 1, 'endless', [2.107, 0.096], null),
  row(0.1, 10, 1, 'block', [0.819, 0.05], [0.851, 0.05]),
  row(0.1, 10, 1, 'switch', [0.826, 0.05], [0.856, 0.05]),
  row(0.1, 10, 1, 'switches', [0.846, 0.05], [0.87, 0.05]),
  row(0.1, 10, 1, 'spread', [1.247, 0.05], [1.259, 0.05]),
  row(0.1, 10, 1, 'endless', [1.225, 0.05], null),
  row(0.1, 50, 1, 'block', [0.808, 0.05], [0.83, 0.05]),
  row(0.1, 50, 1, 'switch', [0.809, 0.05], [0.832, 0.05]),
  row(0.1, 50, 1, 'switches', [0.809, 0.05], [0.834, 0.05]),
  row(0.1, 50, 1, 'spread', [0.935, 0.05], [1.012, 0.05]),
  row(0.1, 50, 1, 'endless', [1.042, 0.05], null),
  row(0.2, 0.3, 0.2, 'block', [1.501, 0.06], [1.598, 0.066]),
  row(0.2, 0.3, 0.2, 'switch', [1.91, 0.085], [1.573, 0.064]),
  row(0.2, 0.3, 0.2, 'switches', [2.517, 4.196], [1.082, 0.05]),
  row(0.2, 0.3, 0.2, 'spread', [3.374, 0.172], [1.089, 0.05]),
  row(0.2, 1, 0.2, 'block', [1.131, 0.05], [1.184, 0.05]),
  row(0.2, 1, 0.2, 'switch', [1.255, 0.05], [1.184, 0.05]),
  row(0.2, 1, 0.2, 'switches', [1.681, 0.071], [1.08, 0.05]),
  row(0.2, 1, 0.2, 'spread', [1.801, 0.078], [1.089, 0.05]),
].flat()
