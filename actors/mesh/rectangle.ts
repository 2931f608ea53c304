/** Rectangles of processors: partitions, cells and blocks (section 1). Rows and columns count from 0. */

/** Its top row and left column, and how many of each, >= 1. */
export type Rectangle = {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

export const areaOf = ({ rows, columns }: Rectangle): number => rows * columns

/** `r0,c0 RxC` */
export const textOf = ({ row, column, rows, columns }: Rectangle): string => `${row},${column} ${rows}x${columns}`

const TEXT = /^(\d{1,6}),(\d{1,6}) ([1-9]\d{0,5})x([1-9]\d{0,5})$/

/** Of `r0,c0 RxC`; null: that is none. */
export function rectangleOf(text: string): Rectangle | null {
  const [row, column, rows, columns] = (TEXT.exec(text) ?? []).slice(1).map(Number)
  if (row === undefined || column === undefined || rows === undefined || columns === undefined) return null
  return { row, column, rows, columns }
}

export const areEqual = (one: Rectangle, other: Rectangle): boolean =>
  one.row === other.row && one.column === other.column && one.rows === other.rows && one.columns === other.columns

/** Rows for columns. */
export const transposed = ({ row, column, rows, columns }: Rectangle): Rectangle => ({
  row: column,
  column: row,
  rows: columns,
  columns: rows,
})

/** How long the piece is that two stretches have in common; 0 if they only meet, less if there is a gap. */
const common = (start: number, length: number, otherStart: number, otherLength: number): number =>
  Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart)

const commonRows = (one: Rectangle, other: Rectangle) => common(one.row, one.rows, other.row, other.rows)
const commonColumns = (one: Rectangle, other: Rectangle) => common(one.column, one.columns, other.column, other.columns)

export const overlap = (one: Rectangle, other: Rectangle): boolean =>
  commonRows(one, other) > 0 && commonColumns(one, other) > 0

export const contains = (outer: Rectangle, inner: Rectangle): boolean =>
  commonRows(outer, inner) === inner.rows && commonColumns(outer, inner) === inner.columns

/** Disjoint, and some processor of one is beside a processor of the other. A corner does not count. */
export function touch(one: Rectangle, other: Rectangle): boolean {
  const [rows, columns] = [commonRows(one, other), commonColumns(one, other)]
  return (rows === 0 && columns > 0) || (columns === 0 && rows > 0)
}

/** The rectangle that the two make up; null if they share no whole side. */
export function joined(one: Rectangle, other: Rectangle): Rectangle | null {
  const [row, column] = [Math.min(one.row, other.row), Math.min(one.column, other.column)]
  const isAbove = one.column === other.column && one.columns === other.columns && commonRows(one, other) === 0
  if (isAbove) return { row, column, rows: one.rows + other.rows, columns: one.columns }
  const isBeside = one.row === other.row && one.rows === other.rows && commonColumns(one, other) === 0
  return isBeside ? { row, column, rows: one.rows, columns: one.columns + other.columns } : null
}

/**
 * Does every processor of `whole` belong to exactly one of them, and no other to any?
 *
 * @returns null if so, else what is wrong, with a processor that shows it
 */
export function coverFault(whole: Rectangle, rectangles: readonly Rectangle[]): string | null {
  const owners = new Int32Array(areaOf(whole)).fill(-1)
  for (const [number, rectangle] of rectangles.entries()) {
    if (!contains(whole, rectangle)) return `${textOf(rectangle)} is not within ${textOf(whole)}`
    for (let row = rectangle.row; row < rectangle.row + rectangle.rows; row++) {
      for (let column = rectangle.column; column < rectangle.column + rectangle.columns; column++) {
        const at = (row - whole.row) * whole.columns + column - whole.column
        const owner = rectangles[owners[at] ?? -1]
        if (owner) return `${row},${column} is in ${textOf(owner)} and in ${textOf(rectangle)}`
        owners[at] = number
      }
    }
  }
  const missing = owners.indexOf(-1)
  if (missing === -1) return null
  const [row, column] = [Math.floor(missing / whole.columns), missing % whole.columns]
  return `${whole.row + row},${whole.column + column} is in none`
}
