/** What every command on traces yields, how its lists are cut, and how a family of protocols tells of its tasks. */
import type { Outcome } from '../../../lib/cli/index.ts'
import { table } from '../../../lib/core/table.ts'
import type { Run } from '../../../lib/trace/run.ts'

/** An outcome as far as a command has more to say than that it read. */
export type Report = Pick<Outcome, 'results' | 'text'> & Partial<Outcome>

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

/** Most rows of a list, unless --most says otherwise. */
export const ROWS = 200

/** The first rows, and how many there are beside them. */
export function listed(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  most: number,
  what: string,
): string {
  return [table(head, rows.slice(0, most), () => true), ...more(rows.length - most, what, most)].join('\n')
}

export const more = (left: number, what: string, most: number): string[] =>
  left > 0 ? [`... and ${left} more ${what} (--most ${most})`] : []

/** Parts with a title each; empty ones are left out. */
export const parts = (...all: readonly (readonly [title: string, text: string])[]): string =>
  all
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${title}\n${text}`)
    .join('\n\n')
