/**
 * Tables as CSV: a header has some columns in a fixed order and then any of others in any order. The first column is an id.
 * An empty cell of an optional column means that it is absent.
 */
import { readCells } from '../core/csv.ts'
import { decimal, MAX_UNITS, quoted, timeOf } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { MAX_ROWS } from './reading.ts'

export interface Columns<C extends string> {
  /** The required columns in their order; the first is the id. */
  readonly required: readonly [C, ...C[]]
  readonly optional: readonly C[]
}

const headerOf = ({ required, optional }: Columns<string>): string =>
  `a header ${required.join()}${optional.length > 0 ? ` and then any of ${optional.join()}` : ''}`

/** The columns of a file, in its order. */
function readHeader<C extends string>(names: readonly string[], known: Columns<C>, where: string): readonly C[] {
  const { required, optional } = known
  if (required.some((name, i) => name !== names[i]))
    throw UsageError.invalid(where, headerOf(known), quoted(names.join()))
  const columns: C[] = [...required]
  for (const name of names.slice(required.length)) {
    const column = optional.find((one) => one === name)
    if (column === undefined) throw UsageError.invalid(where, headerOf(known), quoted(name))
    if (columns.includes(column)) throw UsageError.repeated(where, quoted(name))
    columns.push(column)
  }
  return columns
}

const isName = (text: string): boolean => /^[^\s"]{1,100}$/.test(text)

export class Row<C extends string> {
  private readonly columns: readonly C[]
  private readonly cells: readonly string[]
  private readonly where: string

  constructor(columns: readonly C[], cells: readonly string[], where: string) {
    this.columns = columns
    this.cells = cells
    this.where = where
  }

  /** The text of a cell; empty if there is no such column. */
  text(column: C): string {
    return this.cells[this.columns.indexOf(column)] ?? ''
  }

  fail(column: C, mustBe: string): never {
    throw UsageError.invalid(`${this.where}, column ${column}`, mustBe, quoted(this.text(column)))
  }

  name(column: C): string {
    return isName(this.text(column)) ? this.text(column) : this.fail(column, 'a name without spaces and quotes')
  }

  /** The names in a cell, separated by spaces; undefined if there are none. */
  names(column: C): string[] | undefined {
    const names = this.text(column).split(/ +/).filter(Boolean)
    if (!names.every(isName)) this.fail(column, 'names separated by spaces, without quotes')
    if (new Set(names).size < names.length) this.fail(column, 'names that differ')
    return names.length > 0 ? names : undefined
  }

  /** The time in a cell, in units, >= 0. */
  time(column: C, stretch = 1): Time {
    const amount = decimal(this.text(column))
    const time = amount === undefined ? undefined : timeOf(amount * stretch)
    const limit = `a number from 0 to ${MAX_UNITS}`
    return time ?? this.fail(column, stretch === 1 ? limit : `${limit} when stretched by ${stretch}`)
  }

  /** The duration in a cell, which is above 0 also after rounding; errors call its unit `units`. */
  duration(column: C, units: string): Time {
    const amount = decimal(this.text(column))
    const time = amount === undefined ? undefined : timeOf(amount)
    return time || this.fail(column, `a number of ${units} from 0.000001 to ${MAX_UNITS}`)
  }

  /** The number in a cell, from 0 to `most`; `or` says what else may stand there. */
  amount(column: C, most: number, or = ''): number {
    const amount = decimal(this.text(column))
    // + 0 makes a zero of -0
    if (amount !== undefined && amount >= 0 && amount <= most) return amount + 0
    return this.fail(column, `a number from 0 to ${most}${or}`)
  }
}

/**
 * Reads the rows below the header, at least one, with `read`.
 *
 * @param source how errors name the text, such as `--workload jobs.csv`
 * @throws UsageError with line and column
 */
export function readTable<C extends string, T>(
  content: string,
  source: string,
  known: Columns<C>,
  read: (row: Row<C>) => T,
  maxRows = MAX_ROWS,
): T[] {
  const [id] = known.required
  const lineOfId = new Map<string, number>()
  const found: T[] = []
  let columns: readonly C[] | undefined
  readCells(content, source, (cells, line) => {
    const where = `${source}, line ${line}`
    if (columns === undefined) {
      columns = readHeader(cells, known, where)
      return
    }
    if (cells.length !== columns.length)
      throw new UsageError(`${where} must have ${columns.length} columns as the header has, not ${cells.length}`)
    const row = new Row(columns, cells, where)
    const own = row.name(id)
    const before = lineOfId.get(own)
    if (before !== undefined)
      throw new UsageError(`${where}, column ${id} repeats the id ${quoted(own)} of line ${before}`)
    lineOfId.set(own, line)
    if (lineOfId.size > maxRows) throw UsageError.tooMany(source, `${maxRows} rows`)
    found.push(read(row))
  })
  if (columns === undefined) throw UsageError.requires(source, `${headerOf(known)}, but is empty`)
  if (lineOfId.size === 0) throw UsageError.requires(source, 'at least one job, but has only a header')
  return found
}
