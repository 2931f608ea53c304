/** The messages to a live page, as JSON. */

import type { Delta } from './delta.ts'
import type { Front, ShownRun, ShownTable } from './types.ts'

export type LiveMessage =
  | { readonly type: 'whole'; readonly run: ShownRun; readonly status: LiveStatus }
  /** The change of the run since the last message; null if nothing shown has changed. */
  | { readonly type: 'more'; readonly delta: Delta | null; readonly status: LiveStatus }
  /** The end of the run, with its answer and results. */
  | { readonly type: 'end'; readonly front: Front }
  /** The run was interrupted. */
  | { readonly type: 'gone' }

export interface LiveStatus {
  /** The instant of the status, in millionths of a unit. */
  readonly now: number
  /** All addresses in spawn order; `dead` has those of dead actors. */
  readonly actors: readonly string[]
  readonly dead: readonly string[]
  /** The faults so far, as `printFault` prints them. */
  readonly faults: readonly string[]
  /** The numbers of the actors, with option `metrics`. */
  readonly metrics: readonly ShownTable[]
}
