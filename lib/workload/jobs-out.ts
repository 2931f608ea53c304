/** What became of each job, as CSV. */
import { writeFileSync } from 'node:fs'
import { printUnits } from '../text.ts'
import type { Time } from '../time.ts'
import { UsageError } from '../usage.ts'

export interface JobRow {
  readonly id: string
  readonly arrival: Time
  /** When its last incarnation began to run; absent, as the others, for a job that did not finish. */
  readonly start?: Time | undefined
  readonly finish?: Time | undefined
  /** From the announcement until the client holds the result. */
  readonly flow?: Time | undefined
  /** Where it finished. */
  readonly machine?: string | undefined
  /** How often it was announced. */
  readonly incarnations: number
}

const timeCell = (time: Time | undefined): string => (time === undefined ? '' : printUnits(time))

/** A header and a line per job, times in units. */
export function jobsCsv(rows: Iterable<JobRow>): string {
  const lines = Array.from(rows, ({ id, arrival, start, finish, flow, machine = '', incarnations }) =>
    [id, timeCell(arrival), timeCell(start), timeCell(finish), timeCell(flow), machine, incarnations].join(','),
  )
  return ['id,arrival,start,finish,flow,machine,incarnations', ...lines, ''].join('\n')
}

/**
 * Writes a file of results. Call it with an empty content before a long run, so that a bad path is known at once.
 *
 * @throws UsageError that names the flag and the path
 */
export function writeResult(path: string, content: string | Uint8Array, flag: string): void {
  try {
    writeFileSync(path, content)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UsageError(`${flag} ${path}`, 'a file that can be written', String(code))
  }
}
