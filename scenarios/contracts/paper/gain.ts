/** What a heuristic earns beyond FirstPrice on the same tasks, as the model converges. */
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged } from './converged.ts'

export interface Gain {
  /**
   * In percent of what FirstPrice yields, without its sign; mean over traces. With sixteen processors and no bound that is
   * near 0 in some traces: a few of them make the mean, and its tolerance says nothing.
   */
  readonly improvement: Converged
  /** The same of the sums over all traces. */
  readonly pooled: number
  /** In percent of the value of all tasks. */
  readonly ofOffered: Converged
}

/** Improvement and its tolerance, pooled, of the value offered and its tolerance. */
export type Five = readonly [number, number, number, number, number]

export const gain = ([improvement, within, pooled, ofOffered, ofOfferedWithin]: Five, seeds = 12): Gain => ({
  improvement: converged([improvement, within], seeds),
  pooled,
  ofOffered: converged([ofOffered, ofOfferedWithin], seeds),
})
