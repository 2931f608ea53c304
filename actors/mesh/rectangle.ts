/** Rectangles of processors: partitions, cells and blocks (section 1). Rows and columns count from 0. */

/** A rectangle: its top row and left column, and its numbers of rows and columns, >= 1. */
export type Rectangle = {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

export const areaOf = ({ rows, columns }: Rectangle): number => rows * columns

/** The rectangle as text: `r0,c0 RxC`. */
export const textOf = ({ row, column, rows, columns }: Rectangle): string => `${row},${column} ${rows}x${columns}`

const TEXT = /^(\d{1,6}),(\d{1,6}) ([1-9]\d{0,5})x([1-9]\d{0,5})$/

/** The rectangle of a text `r0,c0 RxC`; null if it is not one. */
export function rectangleOf(text: string): Rectangle | null {
  const [row, column, rows, columns] = (TEXT.exec(text) ?? []).slice(1).map(Number)
  if (row === undefined || column === undefined || rows === undefined || columns === undefined) return null
  return { row, column, rows, columns }
}

export const areEqual = (one: Rectangle, other: Rectangle): boolean =>
  one.row === other.row && one.column === other.column && one.rows === other.rows && one.columns === other.columns

/** The rectangle with rows and columns exchanged. */
export const transposed = ({ row, column, rows, columns }: Rectangle): Rectangle => ({
  row: column,
  column: row,
  rows: columns,
  columns: rows,
})

/** The length that two intervals have in common: 0 if they only meet, negative if there is a gap. */
const common = (start: number, length: number, otherStart: number, otherLength: number): number =>
  Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart)

const commonRows = (one: Rectangle, other: Rectangle) => common(one.row, one.rows, other.row, other.rows)
const commonColumns = (one: Rectangle, other: Rectangle) => common(one.column, one.columns, other.column, other.columns)

export const overlap = (one: Rectangle, other: Rectangle): boolean =>
  commonRows(one, other) > 0 && commonColumns(one, other) > 0

export const contains = (outer: Rectangle, inner: Rectangle): boolean =>
  commonRows(outer, inner) === inner.rows && commonColumns(outer, inner) === inner.columns

/** Whether two rectangles are disjoint and share part of a side. A corner does not count. */
export function touch(one: Rectangle, other: Rectangle): boolean {
  const [rows, columns] = [commonRows(one, other), commonColumns(one, other)]
  return (rows === 0 && columns > 0) || (columns === 0 && rows > 0)
}

/** The union of two rectangles; null if they share no whole side. */
export function joined(one: Rectangle, other: Rectangle): Rectangle | null {
  const [row, column] = [Math.min(one.row, other.row), Math.min(one.column, other.column)]
  const isAbove = one.column === other.column && one.columns === other.columns && commonRows(one, other) === 0
  if (isAbove) return { row, column, rows: one.rows + other.rows, columns: one.columns }
  const isBeside = one.row === other.row && one.rows === other.rows && commonColumns(one, other) === 0
  return isBeside ? { row, column, rows: one.rows, columns: one.columns + other.columns } : null
}

/**
 * Checks that every processor of `whole` belongs to exactly one of the rectangles, and no other processor to any.
 *
 * @returns null if so, else what is wrong and a processor that shows it
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
