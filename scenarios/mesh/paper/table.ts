/** Tables as text: names in the first line, a row in each of the others. */

/** A row by its names. */
export type Row<V> = { readonly [name: string]: V }

export function rowsOf(text: string): readonly Row<string>[] {
  const [names = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])))
}

/** Of numbers. */
export const tableOf = (text: string): readonly Row<number>[] =>
  rowsOf(text).map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])))
