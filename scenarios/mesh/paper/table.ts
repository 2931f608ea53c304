/** Tables of published and converged values: from text, for short ones, and from JSON files. */

/** A row by the names of its columns. */
export type Row<V> = { readonly [name: string]: V }

type Cell = number | string | null

/** The rows of a text: column names in the first line, one row in each of the others, cells separated by spaces. */
export function rowsOf(text: string): readonly Row<string>[] {
  const [names = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])))
}

/** The rows of a text whose cells are all numbers. */
export const tableOf = (text: string): readonly Row<number>[] =>
  rowsOf(text).map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])))

/**
 * The rows of a table in a JSON file.
 *
 * @throws TypeError if a row does not have one cell for each column
 */
export function rowsIn(table: { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }) {
  const { columns, rows } = table
  return rows.map((row, i): Row<Cell> => {
    if (row.length !== columns.length)
      throw new TypeError(`row ${i + 1} has ${row.length} cells for ${columns.length} columns`)
    return Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))
  })
}

/**
 * The rows of a table of numbers in a JSON file. The text "Infinity" stands for that number, which JSON does not have.
 *
 * @throws TypeError if a row does not have one number for each column
 */
export const numbersIn = (table: Parameters<typeof rowsIn>[0]): readonly Row<number>[] =>
  rowsIn(table).map((row, i) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => {
        const value = cell === 'Infinity' ? Number.POSITIVE_INFINITY : cell
        if (typeof value !== 'number') throw new TypeError(`row ${i + 1} has no number in column ${name}`)
        return [name, value]
      }),
    ),
  )
