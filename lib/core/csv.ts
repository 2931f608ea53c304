/** Lines of CSV (RFC 4180) in which a spreadsheet finds no formula: such a cell gets an apostrophe, and quotes. */

/** What a spreadsheet might take for a formula; also with apostrophes before it, so that one can be taken away again. */
const FORMULA = /^'*[=+\-@\t\r]/
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i

function cellOf(value: string | number | null): string {
  const text = String(value ?? '')
  const isFormula = typeof value === 'string' && FORMULA.test(text) && !NUMBER.test(text)
  const safe = isFormula ? `'${text}` : text
  return isFormula || /[",\r\n]/.test(text) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line without its end. */
export const csvLine = (cells: readonly (string | number | null)[]): string => cells.map(cellOf).join(',')

/** The cells of such a line as they were before they were written; cells without quotes lose spaces around them. */
export const cellsOf = (line: string): string[] =>
  Array.from(`,${line}`.matchAll(/,(?:[ \t]*"((?:[^"]|"")*)"[ \t]*(?=,|$)|([^,]*))/g), ([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"').replace(/^'(?='*[=+\-@\t\r])/, ''),
  )
