/**
 * The mapping of EQUI+: threads are counted along a snake and dealt out evenly (section 3, equations 4.4 and 4.5). The printed
 * conditions leave half of the threads undefined; here the snake turns with each thread column, so that consecutive threads are
 * adjacent.
 */
import type { Mapping } from './mapping.ts'
import { columnsOf, isPowerOfTwo, rowsOf } from './mesh.ts'

/** The number of a thread among those of its processor row, which has `height` rows of threads. */
export function snakeOrder(height: number, row: number, column: number): number {
  const turns = (Math.floor(row / height) + column) % 2 === 0
  const along = row % height
  return column * height + (turns ? height - 1 - along : along)
}

/** @throws RangeError if neither side of the partition is a power of two */
export const snake: Mapping = (mesh, { rows, columns }, { row, column }) => {
  if (isPowerOfTwo(rows)) {
    const height = rowsOf(mesh) / rows
    const order = snakeOrder(height, row, column)
    return { row: Math.floor(row / height), column: Math.floor((order * columns) / (height * columnsOf(mesh))) }
  }
  if (!isPowerOfTwo(columns)) throw new RangeError(`expected a side that is a power of two, got ${rows}x${columns}`)
  const place = snake({ m: mesh.n, n: mesh.m }, { rows: columns, columns: rows }, { row: column, column: row })
  return { row: place.column, column: place.row }
}
