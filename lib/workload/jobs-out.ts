/** What became of each job, as CSV. */
import { csvText } from '../core/csv.ts'
import { printUnits } from '../core/format.ts'
import type { Time } from '../core/time.ts'

export interface JobRow {
  readonly id: string
  readonly arrival: Time
  /** When its last attempt began to run; absent, as the others, for a job that did not finish. */
  readonly start?: Time | undefined
  readonly finish?: Time | undefined
  /** From the announcement until the client holds the result. */
  readonly flow?: Time | undefined
  /** Where it finished. */
  readonly machine?: string | undefined
  /** How often it was announced. */
  readonly attempts: number
}

const timeCell = (time: Time | undefined): string => (time === undefined ? '' : printUnits(time))

/** A header and a line per job, times in units. */
export function jobsCsv(rows: Iterable<JobRow>): string {
  const lines = Array.from(rows, ({ id, arrival, start, finish, flow, machine = '', attempts }) => {
    const times = [arrival, start, finish, flow].map(timeCell)
    return [id, ...times, machine, attempts]
  })
  return csvText([['id', 'arrival', 'start', 'finish', 'flow', 'machine', 'attempts'], ...lines])
}
