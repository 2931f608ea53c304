/** Jobs as CSV: a header `id,arrival,work`, then any of the optional columns in any order; times in units. */
import { isAddress } from '../core/address.ts'
import { decimal } from '../core/format.ts'
import { firstOf, type Job, type Workload } from './job.ts'
import type { Reading } from './reading.ts'
import { type Columns, type Row, readTable } from './rows.ts'

type Column = 'id' | 'arrival' | 'work' | 'estimate' | 'client' | 'value' | 'files' | 'restartable'

const COLUMNS: Columns<Column> = {
  required: ['id', 'arrival', 'work'],
  optional: ['estimate', 'client', 'value', 'files', 'restartable'],
}

function clientOf(row: Row<Column>): string | undefined {
  const client = row.text('client')
  if (client && !isAddress(`client@${client}`)) row.fail('client', 'the name of a machine')
  return client || undefined
}

const worthOf = (row: Row<Column>): number | undefined =>
  row.text('value') ? (decimal(row.text('value')) ?? row.fail('value', 'a number')) : undefined

function isRestartable(row: Row<Column>): boolean {
  const said = row.text('restartable')
  if (said !== '' && said !== 'yes' && said !== 'no') row.fail('restartable', 'yes or no')
  return said !== 'no'
}

function jobOf(row: Row<Column>, stretch: number): Job {
  const client = clientOf(row)
  const value = worthOf(row)
  const files = row.names('files')
  const work = row.time('work')
  return {
    id: row.text('id'),
    arrival: row.time('arrival', stretch),
    work,
    estimate: row.text('estimate') ? row.time('estimate') : work,
    ...(client !== undefined && { client }),
    ...(value !== undefined && { value }),
    ...(files && { files }),
    ...(!isRestartable(row) && { restartable: false }),
  }
}

/**
 * Reads a CSV text. An empty estimate is the work; rows out of order are sorted.
 *
 * @param source how errors name it, such as `--workload jobs.csv`
 * @throws UsageError with line and column
 */
export function readCsv(content: string, source: string, { first, maxRows, stretch = 1 }: Reading = {}): Workload {
  const jobs = readTable(content, source, COLUMNS, (row) => jobOf(row, stretch), maxRows)
  return { ...firstOf(jobs, first), odd: new Map() }
}
