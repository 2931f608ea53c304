/** Reads and writes CSV (RFC 4180). A spreadsheet finds no formula in what is written. */
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { UsageError } from './usage-error.ts'

/** Text that a spreadsheet might take for a formula. Any apostrophes before it count, so that one can be removed again. */
const FORMULA = /^'*[=+\-@\t\r]/
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i

/** A cell that a spreadsheet might take for a formula gets an apostrophe and quotes. */
const guarded = (text: string) =>
  FORMULA.test(text) && !NUMBER.test(text) ? { value: `'${text}`, quoted: true } : text

/** The text of a table; null is an empty cell. */
export const csvText = (rows: Iterable<readonly (string | number | null)[]>, lineEnd = '\n'): string =>
  stringify([...rows], { record_delimiter: lineEnd, quoted_match: /[\r\n]/, cast: { string: guarded } })

const unguarded = (cell: string): string => (cell.startsWith("'") ? cell.replace(/^'(?='*[=+\-@\t\r])/, '') : cell)

/**
 * Calls `onRow` with the cells of each row and the number of its last line, from 1. Lines may end in any way.
 * Blank lines, a byte order mark and the spaces around cells are left out, and a cell that `csvText` guarded is as before.
 *
 * @param source how errors name the text, such as `--workload jobs.csv`
 * @throws UsageError for quotes that do not enclose a cell
 */
export function readCells(text: string, source: string, onRow: (cells: readonly string[], line: number) => void): void {
  let last = 0
  try {
    parse(text, {
      bom: true,
      trim: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      // null: the parser keeps no row
      on_record: (cells: readonly string[], { lines }) => {
        last = lines
        onRow(cells.map(unguarded), lines)
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? last + 1 : Number(error['lines'])
    throw UsageError.requires(`${source}, line ${line}`, 'a closing quote at the end of a cell that begins with one')
  }
}
