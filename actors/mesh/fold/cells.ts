/** Cells: the machine, or a healthy part of it, halved again and again (section 5.1). */
import { cutsOf, type Dimension, floorLog2, halvesOf, isPowerOfTwo, type Mesh } from '../mesh.ts'
import { type Rectangle, textOf } from '../rectangle.ts'

/** The exponents of its sides. RangeError: a side is no power of two. */
export function exponentsOf(area: Rectangle): Mesh {
  if (!isPowerOfTwo(area.rows) || !isPowerOfTwo(area.columns)) {
    throw new RangeError(`expected sides that are powers of two, got ${textOf(area)}`)
  }
  return { m: floorLog2(area.rows), n: floorLog2(area.columns) }
}

/** The level at which every processor is a cell. */
export function deepestOf(area: Rectangle): number {
  const { m, n } = exponentsOf(area)
  return m + n
}

/** What makes the cells of a level into those of the next. RangeError: they are single processors. */
export function cutAfter(area: Rectangle, level: number): Dimension {
  const cut = level < deepestOf(area) ? cutsOf(exponentsOf(area), level + 1)[level] : undefined
  if (!cut) throw new RangeError(`cells of level ${level} of ${textOf(area)} cannot be halved`)
  return cut
}

/** The cells of a level, row by row. RangeError: no such level. */
export function cellsOf(area: Rectangle, level: number): readonly (readonly Rectangle[])[] {
  const deepest = deepestOf(area)
  if (!(level >= 0 && level <= deepest)) throw new RangeError(`expected a level from 0 to ${deepest}, got ${level}`)
  const { rows, columns } = cutsOf(exponentsOf(area), level).reduce((cell, cut) => halvesOf(cell, cut)[0], area)
  return Array.from({ length: area.rows / rows }, (_, i) =>
    Array.from({ length: area.columns / columns }, (_, j) => ({
      row: area.row + i * rows,
      column: area.column + j * columns,
      rows,
      columns,
    })),
  )
}

/** So many jobs can fold there: as many as there are processors, or two if these are in one row, which has no ring of more. */
export function roomIn(area: Rectangle): number {
  const { m, n } = exponentsOf(area)
  return 1 << (m > 0 && n > 0 ? m + n : Math.min(m + n, 1))
}
