/** Columns for people: the first to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = head.some(Boolean) ? [head, ...rows] : rows
  const widths = head.map((_, column) => all.reduce((width, row) => Math.max(width, (row[column] ?? '').length), 0))
  const line = (row: readonly string[]) =>
    widths.map((width, i) => (i === 0 ? (row[i] ?? '').padEnd(width) : (row[i] ?? '').padStart(width))).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}
