/** A study reproduces one table or figure of the paper: cells, and what to show of them. */
import type { Subject } from '../../../lib/cli/help.ts'
import type { Flags } from '../../../lib/cli/index.ts'
import type { Column } from '../../../lib/experiment/report.ts'
import type { Named } from './charts.ts'
import type { StudyOptions } from './flags.ts'
import type { Cell, Found } from './found.ts'
import type { Statement } from './statements.ts'

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
