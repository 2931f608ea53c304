/** The machine: 2^m rows by 2^n columns of processors. Every job has a grid of as many virtual threads (section 1). */
import type { Rectangle } from './rectangle.ts'

export type Mesh = {
  /** Exponent of the number of rows. */
  readonly m: number
  /** Exponent of the number of columns. */
  readonly n: number
}

export type Dimension = 'rows' | 'columns'

export const other = (dimension: Dimension): Dimension => (dimension === 'rows' ? 'columns' : 'rows')

/** The most processors on a side: 1024. */
const EXPONENT_MAX = 10
export const SIDE_MAX = 1 << EXPONENT_MAX

export const rowsOf = ({ m }: Mesh): number => 1 << m

export const columnsOf = ({ n }: Mesh): number => 1 << n

export const processorsOf = ({ m, n }: Mesh): number => 1 << (m + n)

/** The whole mesh as one partition. */
export const wholeOf = (mesh: Mesh): Rectangle => ({ row: 0, column: 0, rows: rowsOf(mesh), columns: columnsOf(mesh) })

/** The longer dimension; rows if both are equal. */
export const longOf = ({ m, n }: Mesh): Dimension => (m >= n ? 'rows' : 'columns')

/** Whether `count`, below 2^31, is a power of two. */
export const isPowerOfTwo = (count: number): boolean =>
  Number.isInteger(count) && count > 0 && (count & (count - 1)) === 0

/** The largest k with 2^k <= count; count >= 1. */
export const floorLog2 = (count: number): number => 31 - Math.clz32(count)

/** The mesh as text, such as `16x16`. */
export const meshText = (mesh: Mesh): string => `${rowsOf(mesh)}x${columnsOf(mesh)}`

/** The mesh of a text such as `16x16`, rows first; null unless both are powers of two up to `SIDE_MAX`. */
export function meshOf(text: string): Mesh | null {
  const [rows, columns] = (/^(\d{1,6})x(\d{1,6})$/.exec(text) ?? []).slice(1).map(Number)
  if (rows === undefined || columns === undefined) return null
  if (!isPowerOfTwo(rows) || !isPowerOfTwo(columns) || Math.max(rows, columns) > SIDE_MAX) return null
  return { m: floorLog2(rows), n: floorLog2(columns) }
}

/**
 * The dimension that each of the first `level` cuts halves (section 5.1): the long dimension and the other one in turn,
 * or the other one once a side has length 1. `level` <= m + n.
 */
export function cutsOf(mesh: Mesh, level: number): readonly Dimension[] {
  const left = { rows: mesh.m, columns: mesh.n }
  return Array.from({ length: level }, (_, cut) => {
    const turn = cut % 2 === 0 ? longOf(mesh) : other(longOf(mesh))
    const halved = left[turn] > 0 ? turn : other(turn)
    left[halved]--
    return halved
  })
}

/** The two halves of a rectangle with an even number of rows or columns, the upper or left one first. */
export function halvesOf(rectangle: Rectangle, dimension: Dimension): readonly [Rectangle, Rectangle] {
  const { row, column } = rectangle
  const half = { ...rectangle, [dimension]: rectangle[dimension] / 2 }
  return [half, dimension === 'rows' ? { ...half, row: row + half.rows } : { ...half, column: column + half.columns }]
}
