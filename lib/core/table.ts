/** Prints a table in columns. By default the first is aligned to the left and the others to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  isLeft: (column: number) => boolean = (column) => column === 0,
): string {
  const all = head.some(Boolean) ? [head, ...rows] : rows
  const widths = head.map((_, column) => all.reduce((width, row) => Math.max(width, (row[column] ?? '').length), 0))
  const line = (row: readonly string[]) =>
    widths.map((width, i) => (isLeft(i) ? (row[i] ?? '').padEnd(width) : (row[i] ?? '').padStart(width))).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}

/** A share in percent; null is a dash. */
export const percent = (part: number | null): string => (part === null ? '-' : `${(100 * part).toFixed(1)} %`)

/** A number with the given number of decimals; null is a dash. */
export const figure = (value: number | null, digits = 2): string => (value === null ? '-' : value.toFixed(digits))
