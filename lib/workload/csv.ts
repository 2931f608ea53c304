/** Jobs as CSV: a header `id,arrival,work[,estimate[,client]]`, times in units, plain cells without quotes. */
import { isAddress } from '../address.ts'
import { MAX_UNITS, parseUnits, quoted } from '../text.ts'
import type { Time } from '../time.ts'
import { UsageError } from '../usage.ts'
import { byArrival, type Job, type Workload } from './job.ts'
import { linesOf } from './lines.ts'

const COLUMNS = ['id', 'arrival', 'work', 'estimate', 'client'] as const
type Column = (typeof COLUMNS)[number]

const HEADER = 'the header id,arrival,work[,estimate[,client]]'
const REQUIRED = 3

const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.trim())

/** How many of the columns the file has. */
function readHeader(line: string, where: string): number {
  const names = cellsOf(line)
  if (names.length < REQUIRED || names.length > COLUMNS.length || names.some((name, i) => name !== COLUMNS[i]))
    throw new UsageError(where, HEADER, quoted(line))
  return names.length
}

const isId = (text: string): boolean => /^[^\s"]{1,100}$/.test(text)

class Row {
  private readonly cells: readonly string[]
  private readonly where: string

  constructor(cells: readonly string[], where: string) {
    this.cells = cells
    this.where = where
  }

  /** Empty if the column is. */
  text(column: Column): string {
    return this.cells[COLUMNS.indexOf(column)] ?? ''
  }

  fail(column: Column, expected: string): never {
    throw new UsageError(`${this.where}, column ${column}`, expected, quoted(this.text(column)))
  }

  time(column: Column): Time {
    return parseUnits(this.text(column)) ?? this.fail(column, `a number from 0 to ${MAX_UNITS}`)
  }

  job(): Job {
    const id = this.text('id')
    if (!isId(id)) this.fail('id', 'a name without spaces and quotes')
    const client = this.text('client')
    if (client && !isAddress(`client@${client}`)) this.fail('client', 'the name of a machine')
    const work = this.time('work')
    const estimate = this.text('estimate') ? this.time('estimate') : work
    return { id, arrival: this.time('arrival'), work, estimate, ...(client && { client }) }
  }
}

export interface Limits {
  /** Reads no more than so many jobs and leaves the others out; default all. */
  readonly first?: number | undefined
  /** A file with more rows is refused; default a million. */
  readonly maxRows?: number
}

export const MAX_ROWS = 1_000_000

/**
 * Reads a CSV text. An empty estimate is the work; rows out of order are sorted.
 *
 * @param source how errors name it, such as `--workload jobs.csv`
 * @throws UsageError with line and column
 */
export function readCsv(
  content: string,
  source: string,
  { first = Infinity, maxRows = MAX_ROWS }: Limits = {},
): Workload {
  const jobs: Job[] = []
  const lineOfId = new Map<string, number>()
  let columns = 0
  for (const { line, number } of linesOf(content)) {
    const where = `${source}, line ${number}`
    if (columns === 0) {
      columns = readHeader(line, where)
      continue
    }
    const cells = cellsOf(line)
    if (cells.length !== columns)
      throw new UsageError(where, `${columns} columns as in the header`, String(cells.length))
    const job = new Row(cells, where).job()
    const before = lineOfId.get(job.id)
    if (before !== undefined)
      throw new UsageError(`${where}, column id`, `an id of its own`, `${quoted(job.id)} as in line ${before}`)
    lineOfId.set(job.id, number)
    jobs.push(job)
    if (jobs.length > maxRows) throw new UsageError(source, `at most ${maxRows} rows`, 'more')
  }
  if (columns === 0) throw new UsageError(source, HEADER, 'an empty file')
  if (jobs.length === 0) throw new UsageError(source, 'at least one job', 'only a header')
  const sorted = byArrival(jobs)
  const left = sorted.length - first
  return { jobs: sorted.slice(0, first), dropped: new Map(left > 0 ? [[`beyond the first ${first}`, left]] : []) }
}
