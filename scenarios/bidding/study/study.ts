/** A study reproduces one table or figure of the paper. It declares the cells and their presentation. */
import type { Subject } from '../../../lib/cli/help.ts'
import type { Flags } from '../../../lib/cli/index.ts'
import type { Column } from '../../../lib/experiment/report.ts'
import type { Named } from './charts.ts'
import type { StudyOptions } from './flags.ts'
import type { Cell, Found } from './found.ts'
import type { Statement } from './statements.ts'

export interface Study<O extends StudyOptions> extends Subject {
  /** The title of its table. */
  readonly title: string
  readonly flags: Flags<O>
  /** The columns that identify a cell. */
  readonly labels: readonly Column[]
  readonly beside?: readonly Column[]
  readonly notes?: readonly string[]
  readonly cells: (options: O) => readonly Cell[]
  /** The name of a cell's group, by which agreement is counted (default: all cells together). */
  readonly groupOf?: (cell: Found) => string
  readonly charts: (found: readonly Found[]) => readonly Named[]
  /** The numbers of tasks that replace the usual ones. */
  readonly sizes?: { readonly [Effort in keyof Efforts]?: Partial<Sizes> }
  /** The paper's statements. With `--only` they are omitted, since they need all cells. */
  readonly statements?: (found: readonly Found[]) => readonly Statement[]
}

/** The tasks of a cell by its load: below 30 % (light), below 70 % (moderate), and beyond (heavy). */
export type Sizes = Readonly<Record<'light' | 'moderate' | 'heavy', number>>
export type Efforts = Readonly<Record<'quick' | 'standard' | 'full', Sizes>>
