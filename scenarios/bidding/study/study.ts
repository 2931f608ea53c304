/** A study reproduces one table or figure of the paper: cells, and what to show of them. */
import type { Subject } from '../../../lib/cli/help.ts'
import type { Flags } from '../../../lib/cli.ts'
import type { Column } from '../../../lib/experiment/report.ts'
import type { Mean } from '../paper/means.ts'
import type { Verdict } from './agreement.ts'
import type { CellPoint, Measured } from './cell.ts'
import type { Named } from './charts.ts'
import type { StudyOptions } from './flags.ts'
import type { Statement } from './statements.ts'

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

export interface Study<O extends StudyOptions> extends Subject {
  /** Of its table. */
  readonly title: string
  readonly flags: Flags<O>
  /** What tells the cells apart. */
  readonly labels: readonly Column[]
  readonly beside?: readonly Column[]
  readonly notes?: readonly string[]
  readonly cells: (options: O) => readonly Cell[]
  /** How agreement is counted: by the names of groups (default: all together). */
  readonly groupOf?: (cell: Found) => string
  readonly charts: (found: readonly Found[]) => readonly Named[]
  /** In place of the usual numbers of tasks. */
  readonly sizes?: { readonly [Effort in keyof Efforts]?: Partial<Sizes> }
  /** Not asked for with `--only`. */
  readonly statements?: (found: readonly Found[]) => readonly Statement[]
}

/** Tasks of a cell by its load: below 30 %, below 70 %, and beyond. */
export type Sizes = Readonly<Record<'light' | 'moderate' | 'heavy', number>>
export type Efforts = Readonly<Record<'quick' | 'standard' | 'full', Sizes>>
