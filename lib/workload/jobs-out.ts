/** The outcome of each job, as CSV. */
import { csvText } from '../core/csv.ts'
import { printUnits } from '../core/format.ts'
import type { Time } from '../core/time.ts'

/** A line of the file of `--jobs-out`. */
export interface JobRow {
  readonly id: string
  readonly arrival: Time
  /** The start of its last attempt. This and the other times are absent for a job that did not finish. */
  readonly start?: Time | undefined
  readonly finish?: Time | undefined
  /** The time from the announcement until the client has the result. */
  readonly flow?: Time | undefined
  /** The machine where it finished. */
  readonly machine?: string | undefined
  /** The number of times that it was announced. */
  readonly attempts: number
}

/** A time in a CSV file; empty if there is none. */
export const timeCell = (time: Time | null | undefined): string => (time == null ? '' : printUnits(time))

/** A header and a line per job, times in units. */
export function jobsCsv(rows: Iterable<JobRow>): string {
  const lines = Array.from(rows, ({ id, arrival, start, finish, flow, machine = '', attempts }) => {
    const times = [arrival, start, finish, flow].map(timeCell)
    return [id, ...times, machine, attempts]
  })
  return csvText([['id', 'arrival', 'start', 'finish', 'flow', 'machine', 'attempts'], ...lines])
}
