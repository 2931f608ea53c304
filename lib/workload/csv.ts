/**
 * Jobs as CSV: a header `id,arrival,work`, then any of the optional columns in any order; times in units, plain cells
 * without quotes. An empty cell of an optional column says nothing, as if the column were not there.
 */
import { isAddress } from '../address.ts'
import { decimal, MAX_UNITS, quoted, timeOf } from '../text.ts'
import type { Time } from '../time.ts'
import { UsageError } from '../usage.ts'
import { byArrival, type Job, type Workload } from './job.ts'
import { linesOf } from './lines.ts'
import { MAX_ROWS, type Reading } from './reading.ts'

const REQUIRED = ['id', 'arrival', 'work'] as const
const OPTIONAL = ['estimate', 'client', 'value', 'files', 'restartable'] as const
type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]
/** The columns of a file, in its order. */
type Columns = readonly Column[]

const HEADER = `a header ${REQUIRED.join()} and then any of ${OPTIONAL.join()}`

const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.trim())

function readHeader(line: string, where: string): Columns {
  const names = cellsOf(line)
  if (REQUIRED.some((name, i) => name !== names[i])) throw new UsageError(where, HEADER, quoted(line))
  const columns: Column[] = [...REQUIRED]
  for (const name of names.slice(REQUIRED.length)) {
    const column = OPTIONAL.find((one) => one === name)
    if (column === undefined) throw new UsageError(where, HEADER, quoted(name))
    if (columns.includes(column)) throw new UsageError(where, 'each column once', `${quoted(name)} twice`)
    columns.push(column)
  }
  return columns
}

const isName = (text: string): boolean => /^[^\s"]{1,100}$/.test(text)

class Row {
  private readonly columns: Columns
  private readonly cells: readonly string[]
  private readonly where: string

  constructor(columns: Columns, cells: readonly string[], where: string) {
    this.columns = columns
    this.cells = cells
    this.where = where
  }

  /** Empty if there is no such column. */
  text(column: Column): string {
    return this.cells[this.columns.indexOf(column)] ?? ''
  }

  fail(column: Column, expected: string): never {
    throw new UsageError(`${this.where}, column ${column}`, expected, quoted(this.text(column)))
  }

  time(column: Column, stretch = 1): Time {
    const amount = decimal(this.text(column))
    const time = amount === undefined ? undefined : timeOf(amount * stretch)
    const limit = `a number from 0 to ${MAX_UNITS}`
    return time ?? this.fail(column, stretch === 1 ? limit : `${limit} when stretched by ${stretch}`)
  }

  client(): string | undefined {
    const client = this.text('client')
    if (client && !isAddress(`client@${client}`)) this.fail('client', 'the name of a machine')
    return client || undefined
  }

  value(): number | undefined {
    return this.text('value') ? (decimal(this.text('value')) ?? this.fail('value', 'a number')) : undefined
  }

  files(): string[] | undefined {
    const files = this.text('files').split(/ +/).filter(Boolean)
    if (!files.every(isName)) this.fail('files', 'names separated by spaces, without quotes')
    if (new Set(files).size < files.length) this.fail('files', 'names that differ')
    return files.length > 0 ? files : undefined
  }

  isRestartable(): boolean {
    const said = this.text('restartable')
    if (said !== '' && said !== 'yes' && said !== 'no') this.fail('restartable', 'yes or no')
    return said !== 'no'
  }

  job(stretch: number): Job {
    const id = this.text('id')
    if (!isName(id)) this.fail('id', 'a name without spaces and quotes')
    const client = this.client()
    const value = this.value()
    const files = this.files()
    const work = this.time('work')
    return {
      id,
      arrival: this.time('arrival', stretch),
      work,
      estimate: this.text('estimate') ? this.time('estimate') : work,
      ...(client !== undefined && { client }),
      ...(value !== undefined && { value }),
      ...(files && { files }),
      ...(!this.isRestartable() && { restartable: false }),
    }
  }
}

/**
 * Reads a CSV text. An empty estimate is the work; rows out of order are sorted.
 *
 * @param source how errors name it, such as `--workload jobs.csv`
 * @throws UsageError with line and column
 */
export function readCsv(
  content: string,
  source: string,
  { first = Infinity, maxRows = MAX_ROWS, stretch = 1 }: Reading = {},
): Workload {
  const jobs: Job[] = []
  const lineOfId = new Map<string, number>()
  let columns: Columns | undefined
  for (const { line, number } of linesOf(content)) {
    const where = `${source}, line ${number}`
    if (columns === undefined) {
      columns = readHeader(line, where)
      continue
    }
    const cells = cellsOf(line)
    if (cells.length !== columns.length)
      throw new UsageError(where, `${columns.length} columns as in the header`, String(cells.length))
    const job = new Row(columns, cells, where).job(stretch)
    const before = lineOfId.get(job.id)
    if (before !== undefined)
      throw new UsageError(`${where}, column id`, `an id of its own`, `${quoted(job.id)} as in line ${before}`)
    lineOfId.set(job.id, number)
    jobs.push(job)
    if (jobs.length > maxRows) throw new UsageError(source, `at most ${maxRows} rows`, 'more')
  }
  if (columns === undefined) throw new UsageError(source, HEADER, 'an empty file')
  if (jobs.length === 0) throw new UsageError(source, 'at least one job', 'only a header')
  const sorted = byArrival(jobs)
  const left = sorted.length - first
  const dropped = new Map(left > 0 ? [[`beyond the first ${first}`, left]] : [])
  return { jobs: sorted.slice(0, first), dropped, odd: new Map() }
}
