/** Cells of a study: what is to be reproduced, and what was found. */
import type { Mean } from '../paper/means.ts'
import type { Verdict } from './agreement.ts'
import type { CellPoint, Measured } from './cell.ts'

/** One mean flow time that is to be reproduced. */
export interface Cell {
  /** What tells it from the others, under the labels of the study. */
  readonly labels: readonly (string | number)[]
  readonly at: Pick<CellPoint, 'speeds' | 'load'> & Partial<Omit<CellPoint, 'seed' | 'runtime' | 'tasks'>>
  /** Fewer tasks than its load asks for, where each takes long. */
  readonly tasks?: number
  /** In long runs of the same model; null where we know none. */
  readonly converged: Mean | null
  /** As printed; null where it is only drawn. */
  readonly paper: Mean | null
  /** What else to show beside it, by formula. */
  readonly beside?: readonly (number | string | null)[]
  /** What is known to be wrong with the paper's value, in a line. */
  readonly known?: string | undefined
}

/** A cell that was run. */
export interface Found extends Cell {
  readonly point: CellPoint
  readonly ours: Measured
  /** Was the run long enough for its interval? */
  readonly isLong: boolean
  readonly asConverged: Verdict | null
  readonly asPaper: Verdict | null
}
