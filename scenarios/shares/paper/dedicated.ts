/** One parallel job alone, spinning without end: barriers per second, as the model converges and by formula. */
import { DEFAULTS, type Parameters } from './parameters.ts'

export interface Dedicated {
  readonly parameters: Parameters
  /** To within a hundredth. */
  readonly rate: number
}

const row = (nodes: number, granularity: number, imbalance: number, latency: number, rate: number): Dedicated => ({
  parameters: { ...DEFAULTS, nodes, granularity, imbalance, latency, spin: 'endless', credit: 'none' },
  rate,
})

/** Nodes, granularity, imbalance, latency; rate. */
export const DEDICATED: readonly Dedicated[] = [
  row(2, 10, 0.2, 0.01, 96.4),
  row(3, 10, 0.2, 0.01, 94.9),
  row(4, 10, 0.2, 0.01, 94.1),
  row(5, 10, 0.2, 0.01, 93.45),
  row(8, 10, 0.2, 0.01, 92.55),
  row(16, 1, 0.2, 0.01, 902.45),
  row(16, 5, 0.2, 0.01, 183.1),
  row(16, 10, 0.2, 0.01, 91.75),
  row(16, 50, 0.2, 0.01, 18.35),
  row(32, 0.3, 0.2, 0.01, 2872.15),
  row(32, 0.3, 1, 0.01, 2169.8),
  row(32, 1, 0.2, 0.01, 897.75),
  row(32, 1, 1, 0.01, 671.25),
  row(32, 5, 0.2, 0.01, 182.2),
  row(32, 5, 1, 0.01, 135.75),
  row(32, 10, 0, 0.01, 99.8),
  row(32, 10, 0.1, 0.01, 95.35),
  row(32, 10, 0.2, 0.005, 91.35),
  row(32, 10, 0.2, 0.01, 91.25),
  row(32, 10, 0.2, 0.1, 89.75),
  row(32, 10, 0.2, 1, 77.3),
  row(32, 10, 0.5, 0.01, 80.85),
  row(32, 10, 1, 0.01, 68),
  row(32, 50, 0.2, 0.01, 18.3),
  row(32, 50, 1, 0.01, 13.6),
  row(64, 10, 0.2, 0.01, 91),
]

/** A round lasts as long as the longest of `nodes` uniform computations, and the way to the barrier and back. */
export const dedicatedRate = ({ nodes, granularity, imbalance, latency }: Parameters): number =>
  1000 / (granularity * (1 - imbalance / 2 + (imbalance * nodes) / (nodes + 1)) + 2 * latency)
