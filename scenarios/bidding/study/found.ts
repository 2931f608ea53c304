/** The cells of a study: the values to reproduce, and the results. */
import type { Mean } from '../paper/means.ts'
import type { Verdict } from './agreement.ts'
import type { CellPoint, Measured } from './cell.ts'

/** One mean flow time to reproduce. */
export interface Cell {
  /** The values of the study's labels for this cell, which identify it. */
  readonly labels: readonly (string | number)[]
  readonly at: Pick<CellPoint, 'speeds' | 'load'> & Partial<Omit<CellPoint, 'seed' | 'runtime' | 'tasks'>>
  /** The number of tasks, if it differs from the usual one for the load. */
  readonly tasks?: number
  /** The mean in long runs of the same model; null if unknown. */
  readonly converged: Mean | null
  /** The printed mean; null if the paper only draws it. */
  readonly paper: Mean | null
  /** The values of the study's additional columns, by formula. */
  readonly beside?: readonly (number | string | null)[]
  /** A known mistake in the paper's value, in one line. */
  readonly known?: string | undefined
}

/** A cell that was run. */
export interface Found extends Cell {
  readonly point: CellPoint
  readonly ours: Measured
  /** Whether the run was long enough for its interval. */
  readonly isLong: boolean
  readonly asConverged: Verdict | null
  readonly asPaper: Verdict | null
}
