/**
 * Mappings: the processor of each thread in the partition of a job (section 3). A job has one thread for each processor
 * of the mesh.
 */
import { columnsOf, isPowerOfTwo, type Mesh, processorsOf, rowsOf } from './mesh.ts'
import type { Rectangle } from './rectangle.ts'

export type Shape = Pick<Rectangle, 'rows' | 'columns'>

/** The position of a processor. */
export type Place = Pick<Rectangle, 'row' | 'column'>

export const isIn = ({ row, column, rows, columns }: Rectangle, place: Place): boolean =>
  place.row >= row && place.row < row + rows && place.column >= column && place.column < column + columns

/** The processor of a thread, relative to the corner of its partition. */
export type Mapping = (mesh: Mesh, shape: Shape, thread: Place) => Place

/** Equation 4.1: the grid of threads is stretched over the processors. */
export const simple: Mapping = (mesh, { rows, columns }, { row, column }) => ({
  row: Math.floor((row * rows) / rowsOf(mesh)),
  column: Math.floor((column * columns) / columnsOf(mesh)),
})

/**
 * The number of threads on the fullest processor under the simple mapping. The thesis prints floors in places, which is
 * too few.
 */
export const simpleLoad = (mesh: Mesh, { rows, columns }: Shape): number =>
  Math.ceil(rowsOf(mesh) / rows) * Math.ceil(columnsOf(mesh) / columns)

/** The least number of threads that any mapping has on its fullest processor. */
export const leastLoad = (mesh: Mesh, { rows, columns }: Shape): number =>
  Math.ceil(processorsOf(mesh) / (rows * columns))

/** The processor of every thread, row by row of the grid of threads. */
export function placesOf(mapping: Mapping, mesh: Mesh, partition: Rectangle): readonly Place[] {
  return Array.from({ length: processorsOf(mesh) }, (_, thread) => {
    const place = mapping(mesh, partition, { row: thread >> mesh.n, column: thread & (columnsOf(mesh) - 1) })
    return { row: partition.row + place.row, column: partition.column + place.column }
  })
}

/** The number of threads of each processor, row by row. */
export function loadsOf(mapping: Mapping, mesh: Mesh, { rows, columns }: Shape): readonly (readonly number[])[] {
  const loads = Array.from({ length: rows }, () => new Array<number>(columns).fill(0))
  for (const { row, column } of placesOf(mapping, mesh, { row: 0, column: 0, rows, columns })) {
    const line = loads[row]
    if (line) line[column] = (line[column] ?? 0) + 1
  }
  return loads
}

/** The number of threads on the fullest processor, by counting. */
export const largestLoad = (mapping: Mapping, mesh: Mesh, shape: Shape): number =>
  Math.max(...loadsOf(mapping, mesh, shape).flat())

// --- the snake of EQUI+ -----------------------------------------------------------------------------------------------

/** The number of a thread among those of its processor row, which has `height` rows of threads. */
export function snakeOrder(height: number, row: number, column: number): number {
  const turns = (Math.floor(row / height) + column) % 2 === 0
  const along = row % height
  return column * height + (turns ? height - 1 - along : along)
}

/**
 * The mapping of EQUI+: threads are counted along a snake and divided evenly (section 3, equations 4.4 and 4.5). The
 * printed conditions leave half of the threads undefined. Here the snake turns with each thread column, so that
 * consecutive threads are adjacent.
 *
 * @throws RangeError if neither side of the partition is a power of two
 */
export const snake: Mapping = (mesh, { rows, columns }, { row, column }) => {
  if (isPowerOfTwo(rows)) {
    const height = rowsOf(mesh) / rows
    const order = snakeOrder(height, row, column)
    return { row: Math.floor(row / height), column: Math.floor((order * columns) / (height * columnsOf(mesh))) }
  }
  if (!isPowerOfTwo(columns))
    throw new RangeError(`a side must be a power of two, but the sides are ${rows}x${columns}`)
  const place = snake({ m: mesh.n, n: mesh.m }, { rows: columns, columns: rows }, { row: column, column: row })
  return { row: place.column, column: place.row }
}
