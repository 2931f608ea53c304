/** The report of a command on traces, its shortened lists, and the interface of a family's reader of tasks. */
import type { Outcome } from '../../../lib/cli/index.ts'
import { textColumn, textOf } from '../../../lib/core/table.ts'
import type { Run } from '../../../lib/trace/run.ts'

/** The part of an outcome that differs between the commands on traces. */
export type Report = Pick<Outcome, 'results'> & Partial<Outcome> & { readonly text: string }

/** The tasks of a family of protocols, read from the trace of a run. */
export interface TaskReader {
  /** A line for each task, in their order; none if the run has no tasks. */
  lines(run: Run): readonly string[]
  /** The invariants of the family that the run violates. */
  violations(run: Run): readonly string[]
  /**
   * The story of one task.
   *
   * @throws UsageError for a task that the run does not have
   */
  report(run: Run, id: string): Report
}

/** The default limit of rows in a list (`--most`). */
export const ROWS = 200

/** A table of text: the first rows, with the number of rows that are left out. */
export const listed = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  most = rows.length,
  what = 'rows',
): string =>
  [
    textOf({ columns: head.map(textColumn), rows: rows.slice(0, most) }).trimEnd(),
    ...more(rows.length - most, what, most),
  ].join('\n')

export const more = (left: number, what: string, most: number): string[] =>
  left > 0 ? [`... and ${left} more ${what} (--most ${most})`] : []

/** Joins parts, each with a title; empty parts are left out. */
export const parts = (...all: readonly (readonly [title: string, text: string])[]): string =>
  all
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${title}\n${text}`)
    .join('\n\n')
