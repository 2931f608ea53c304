/** The report of a command on traces, its shortened lists, and the interface of a family's reader of tasks. */
import type { Outcome } from '../../../lib/cli/index.ts'
import { type ResultTable, textColumn, textOf } from '../../../lib/core/table.ts'
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

/** A list of a report as a table, with the number of its rows that are left out. */
export interface Listing {
  readonly table: ResultTable
  readonly more: readonly string[]
}

/** The first rows of a list. */
export const listed = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  most = rows.length,
  what = 'rows',
): Listing => ({
  table: { columns: head.map(textColumn), rows: rows.slice(0, most) },
  more: more(rows.length - most, what, most),
})

export const more = (left: number, what: string, most: number): string[] =>
  left > 0 ? [`... and ${left} more ${what} (--most ${most})`] : []

const textIn = (part: string | Listing): string =>
  typeof part === 'string' ? part : [textOf(part.table).trimEnd(), ...part.more].join('\n')

/** Joins parts, each with a title, to a text; on a page, lists are tables. Empty parts are left out. */
export function parts(
  ...all: readonly (readonly [title: string, part: string | Listing])[]
): Pick<Report, 'text' | 'exhibits'> {
  const joined = (some: typeof all): string =>
    some
      .map(([title, part]) => [title, textIn(part)] as const)
      .filter(([, text]) => text !== '')
      .map(([title, text]) => `${title}\n${text}`)
      .join('\n\n')
  const tables = all.flatMap(([title, part]) =>
    typeof part === 'string' ? [] : [{ ...part.table, title, notes: part.more }],
  )
  return { text: joined(all), exhibits: { tables, text: joined(all.filter(([, part]) => typeof part === 'string')) } }
}
