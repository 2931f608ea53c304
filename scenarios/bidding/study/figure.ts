/** The tables and figures of Malone et al. 1986: each cell is a market whose mean flow time is to be reproduced. */
import type { Subject } from '../../../lib/cli/help.ts'
import type { Flags } from '../../../lib/cli/index.ts'
import type { Column } from '../../../lib/core/table.ts'
import type * as study from '../../study/figure.ts'
import * as command from '../../study/main.ts'
import type { Runner } from '../../study/points.ts'
import type { Mean } from '../paper/means.ts'
import { agreement, isLongEnough, linesOf, storyOf, tolerance, type Verdict, valuesIn, verdictOf } from './agreement.ts'
import { type CellPoint, type Measured, measuredOf } from './cell.ts'
import type { StudyOptions } from './flags.ts'
import { tablesOf } from './tables.ts'

/** A point without its seed. */
export type Row = Omit<CellPoint, 'seed'>

/** One mean flow time to reproduce. */
export interface Cell {
  /** The values of the figure's labels for this cell, which identify it. */
  readonly labels: study.Labels
  readonly at: Pick<Row, 'speeds' | 'load'> & Partial<Omit<Row, 'runtime' | 'tasks'>>
  /** The number of tasks, if it differs from the usual one for the load. */
  readonly tasks?: number
  /** The mean in long runs of the same model; null if unknown. */
  readonly converged: Mean | null
  /** The printed mean; null if the paper only draws it. */
  readonly paper: Mean | null
  /** The values of the figure's additional columns, by formula. */
  readonly beside?: readonly (number | string | null)[]
  /** A known mistake in the paper's value, in one line. */
  readonly known?: string | undefined
}

/** A cell that was run. */
export interface Found extends Cell {
  readonly point: Row
  readonly ours: Measured
  /** Whether the run was long enough for its interval. */
  readonly isLong: boolean
  readonly asConverged: Verdict | null
  readonly asPaper: Verdict | null
}

/** The tasks of a cell by its load: below 30 % (light), below 70 % (moderate), and beyond (heavy). */
type Sizes = Readonly<Record<'light' | 'moderate' | 'heavy', number>>
type Efforts = Readonly<Record<'quick' | 'standard' | 'full', Sizes>>

/** A table or figure of the paper: its cells and their presentation. */
export interface Figure<O extends StudyOptions> extends Subject {
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
  readonly charts: (found: readonly Found[]) => readonly study.Drawing[]
  /** The numbers of tasks that replace the usual ones. */
  readonly sizes?: { readonly [Effort in keyof Efforts]?: Partial<Sizes> }
  /** The paper's statements. With `--only` they are omitted, since they need all cells. */
  readonly statements?: (found: readonly Found[]) => readonly study.Verdict[]
}

/**
 * The tasks per cell: `quick` takes seconds inline, `standard` minutes with threads, `full` gives correct intervals.
 */
const SIZES: Efforts = {
  quick: { light: 350, moderate: 1000, heavy: 500 },
  standard: { light: 500, moderate: 1500, heavy: 2500 },
  full: { light: 4000, moderate: 10_000, heavy: 100_000 },
}

function tasksOf(load: number, sizes: Figure<StudyOptions>['sizes'], { quick, full }: StudyOptions): number {
  const effort = full ? 'full' : quick ? 'quick' : 'standard'
  const { light, moderate, heavy } = { ...SIZES[effort], ...sizes?.[effort] }
  if (load < 0.3) return light
  return load < 0.7 ? moderate : heavy
}

const runner: Runner<Row, Measured> = {
  module: new URL('./cell.ts', import.meta.url),
  // grows with the messages; eager with wrong estimates moves tasks often
  costOf: ({ tasks, speeds, protocol, errors }) =>
    tasks * (2 + speeds.length) * (protocol === 'eager' && errors !== 'perfect' ? 4 : 1),
  ranOf: measuredOf,
}

interface Case extends study.Case<Row, Measured> {
  readonly found: (ours: Measured) => Found
}

function caseOf(cell: Cell, sizes: Figure<StudyOptions>['sizes'], options: StudyOptions): Case {
  const { at, labels, converged, paper } = cell
  const point: Row = {
    protocol: 'dsp',
    errors: 'perfect',
    delay: 0,
    i0: null,
    abort: 'yes',
    ...at,
    runtime: options.runtime ?? (options.quick ? 'inline' : 'threads'),
    tasks: options.tasks ?? cell.tasks ?? tasksOf(at.load, sizes, options),
  }
  const isLong = isLongEnough(point.tasks, point.load)
  return {
    labels,
    rows: [point],
    isComparable: isLong,
    quantities: ([ours] = []) => [
      {
        of: 'mean flow time',
        ours: ours ?? null,
        converged: ours && converged ? { value: converged.mean, tolerance: tolerance(ours, converged) } : null,
        paper,
      },
    ],
    found: (ours) => ({
      ...cell,
      point,
      ours,
      isLong,
      asConverged: converged && verdictOf(ours, converged),
      asPaper: paper && verdictOf(ours, paper),
    }),
  }
}

export const figureOf = <O extends StudyOptions>(figure: Figure<O>): study.Figure<O, Row, Measured, Case> => ({
  usage: 'Every cell is a separate run; exit 1 if one contradicts the converged value of the model.',
  ...figure,
  runner,
  plan: (options) => ({
    cases: figure.cells(options).map((cell) => caseOf(cell, figure.sizes, options)),
    show: (measured) => {
      const found = measured.flatMap(({ case: one, ran }) => (ran[0] ?? []).map(one.found))
      const { all, shown } = tablesOf(figure, found)
      const counts = agreement(found, figure.groupOf ?? (() => ''))
      return {
        tables: shown,
        values: all,
        charts: figure.charts(found),
        verdicts: options.only === undefined ? (figure.statements?.(found) ?? []) : [],
        agreement: valuesIn(counts),
        story: storyOf(counts, found.filter(({ isLong }) => !isLong).length),
        notes: linesOf(counts),
        results: { agreement: counts.map((count) => ({ ...count })) },
      }
    },
  }),
})

/** The entry point of a figure's command. */
export const figureMain = <O extends StudyOptions>(figure: Figure<O>): Promise<void> =>
  command.figureMain(figureOf(figure))
