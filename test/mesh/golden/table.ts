/** Tables of golden vectors, from text. */

/** A row by the names of its columns. */
type Row<V> = { readonly [name: string]: V }

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
