/** What a live page is told, as JSON, one after the other. */

import type { Delta } from './delta.ts'
import type { Report, ShownRun } from './types.ts'

export type LiveMessage =
  | { readonly type: 'whole'; readonly run: ShownRun; readonly status: Status }
  /** What became of the run since; null: nothing that is shown. */
  | { readonly type: 'more'; readonly delta: Delta | null; readonly status: Status }
  /** The run is over: what came of it, without the run itself. */
  | { readonly type: 'end'; readonly report: Report }
  /** It was interrupted. */
  | { readonly type: 'gone' }

export interface Status {
  /** In millionths. */
  readonly now: number
  /** All addresses in spawn order, and who of them is dead. */
  readonly actors: readonly string[]
  readonly dead: readonly string[]
  /** What has happened so far, as `printFault` prints it. */
  readonly faults: readonly string[]
}
