/** The converged gain of a heuristic over FirstPrice on the same tasks. */
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged } from './converged.ts'

export interface Gain {
  /**
   * The improvement in percent of the yield of FirstPrice, without its sign: the mean over traces. With sixteen processors and no
   * bound that yield is near 0 in some traces. These dominate the mean, and its tolerance is meaningless.
   */
  readonly improvement: Converged
  /** The improvement of the sums over all traces. */
  readonly pooled: number
  /** The gain in percent of the value of all tasks. */
  readonly ofOffered: Converged
}

/** Improvement and its tolerance, pooled, of the value offered and its tolerance. */
type Five = readonly [number, number, number, number, number]

export const gain = ([improvement, within, pooled, ofOffered, ofOfferedWithin]: Five, seeds = 12): Gain => ({
  improvement: converged([improvement, within], seeds),
  pooled,
  ofOffered: converged([ofOffered, ofOfferedWithin], seeds),
})
