/**
 * Malone et al. 1986, figure 6: mean flow time under DSP on 4,1,1,1,1 by the improvement i0 that moves a task to a late
 * bid, as the same model converges in long runs; the paper prints no numbers. Cancelled machines are free at once
 * (`freed`) or stay busy until the task would have ended (`busy`).
 */
import { type Mean, meanOf, type Pair } from './means.ts'

interface LateBidPoint {
  readonly load: number
  readonly i0: number
  readonly freed: Mean
  readonly busy: Mean
}

export const FIGURE_6_SPEEDS = [4, 1, 1, 1, 1] as const

const point = (load: number, i0: number, freed: Pair, busy: Pair): LateBidPoint => ({
  load,
  i0,
  freed: meanOf(freed),
  busy: meanOf(busy),
})

export const FIGURE_6: readonly LateBidPoint[] = [
  point(0.1, 0, [17.462, 0.046], [17.465, 0.046]),
  point(0.1, 0.2, [17.456, 0.046], [17.459, 0.046]),
  point(0.1, 0.4, [17.463, 0.046], [17.466, 0.046]),
  point(0.1, 0.5, [17.502, 0.046], [17.504, 0.046]),
  point(0.1, 0.6, [17.663, 0.048], [17.665, 0.048]),
  point(0.1, 0.7, [18.678, 0.055], [18.678, 0.055]),
  point(0.1, 0.75, [22.492, 0.071], [22.492, 0.071]),
  point(0.5, 0, [34.336, 0.163], [39.014, 0.258]),
  point(0.5, 0.2, [33.702, 0.154], [38.407, 0.262]),
  point(0.5, 0.4, [32.748, 0.15], [37.295, 0.257]),
  point(0.5, 0.5, [32.096, 0.14], [36.377, 0.242]),
  point(0.5, 0.6, [31.476, 0.136], [35.251, 0.216]),
  point(0.5, 0.7, [32.237, 0.127], [34.221, 0.163]),
  point(0.5, 0.75, [37.516, 0.124], [37.516, 0.124]),
]
