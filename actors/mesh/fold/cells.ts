/**
 * Cells: the machine or its healthy part, halved repeatedly, and the cycle that the cells of a level form (section
 * 5.1).
 */
import { isIn, type Place } from '../mapping.ts'
import { cutsOf, type Dimension, floorLog2, halvesOf, isPowerOfTwo, type Mesh } from '../mesh.ts'
import { joined, type Rectangle, textOf } from '../rectangle.ts'

/**
 * The exponents of the sides of an area.
 *
 * @throws RangeError if a side is not a power of two
 */
export function exponentsOf(area: Rectangle): Mesh {
  if (!isPowerOfTwo(area.rows) || !isPowerOfTwo(area.columns)) {
    throw new RangeError(`the sides must be powers of two, but are ${textOf(area)}`)
  }
  return { m: floorLog2(area.rows), n: floorLog2(area.columns) }
}

/** The deepest level, where every processor is a cell. */
export function deepestOf(area: Rectangle): number {
  const { m, n } = exponentsOf(area)
  return m + n
}

/**
 * The dimension that the next cut halves in the cells of a level.
 *
 * @throws RangeError if the cells are single processors
 */
export function cutAfter(area: Rectangle, level: number): Dimension {
  const cut = level < deepestOf(area) ? cutsOf(exponentsOf(area), level + 1)[level] : undefined
  if (!cut) throw new RangeError(`cells of level ${level} of ${textOf(area)} cannot be halved`)
  return cut
}

/**
 * The cells of a level, row by row.
 *
 * @throws RangeError if there is no such level
 */
export function cellsOf(area: Rectangle, level: number): readonly (readonly Rectangle[])[] {
  const deepest = deepestOf(area)
  if (!(level >= 0 && level <= deepest)) throw new RangeError(`the level must be from 0 to ${deepest}, but is ${level}`)
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

/**
 * The most jobs that can fold in an area: one per processor, but two in a single row or column, which has no longer ring.
 */
export function roomIn(area: Rectangle): number {
  const { m, n } = exponentsOf(area)
  return 1 << (m > 0 && n > 0 ? m + n : Math.min(m + n, 1))
}

/**
 * The part of a machine that remains in use when processors have died (section 8): the largest cell of any level
 * without a dead processor. Of equal ones it is the upper, then the left one. Null if every processor is dead.
 */
export function healthyOf(area: Rectangle, dead: readonly Place[]): Rectangle | null {
  for (let level = 0; level <= deepestOf(area); level++) {
    const healthy = cellsOf(area, level)
      .flat()
      .find((cell) => !dead.some((processor) => isIn(cell, processor)))
    if (healthy) return healthy
  }
  return null
}

// --- the cycle of the cells of a level --------------------------------------------------------------------------------

/**
 * The cells of a level in their order on the ring (section 5.1). Neighbours share a whole side, and cells 2q and 2q + 1
 * are the halves of one cell of the level before.
 */
export type Cycle = readonly Rectangle[]

/**
 * The cycle of the cells of a level.
 *
 * @throws RangeError if there is no such level, or no such cycle because the area has one row or column
 */
export function ringOf(area: Rectangle, level: number): Cycle {
  let ring: Cycle = [area]
  for (let above = 0; above < level; above++) ring = refined(area, above, ring).ring
  return ring
}

/**
 * The cells of a level in the order that gives the ring of the next level. That is the order of their own ring or, where
 * they cannot be halved in it, that of a comb. In the second case a change of level changes the neighbours of jobs.
 *
 * @throws RangeError if there is no such level, or no such cycle because the area has one row or column
 */
export const parentOf = (area: Rectangle, level: number): Cycle => refined(area, level, ringOf(area, level)).parent

/** The ring of the next level, and the order of cells that gives it. */
function refined(area: Rectangle, level: number, own: Cycle): { readonly parent: Cycle; readonly ring: Cycle } {
  const cut = cutAfter(area, level)
  const direct = halved(own, cut)
  if (direct) return { parent: own, ring: direct }
  const parent = comb(area, level, cut)
  const ring = halved(parent, cut)
  if (!ring)
    throw new RangeError(`no ring of ${own.length * 2} cells on ${textOf(area)}: it has no two rows and columns`)
  return { parent, ring }
}

/** The cycle with every cell replaced by its halves, in the only order that keeps it a cycle; null if there is none. */
function halved(cycle: Cycle, cut: Dimension): Cycle | null {
  const [start, ...others] = cycle.map((cell) => halvesOf(cell, cut))
  if (!start) return null
  for (const [first, second] of [start, [start[1], start[0]] as const]) {
    const ring = [first, second]
    let last = second
    for (const [one, another] of others) {
      const [near, far] = joined(last, one) ? [one, another] : [another, one]
      if (!joined(last, near)) break
      ring.push(near, far)
      last = far
    }
    if (ring.length === cycle.length * 2 && joined(last, first)) return ring
  }
  return null
}

/**
 * The cells in the order of a comb: through the rows to the right and to the left in turn, without column 0, and back
 * through column 0. If the next cut halves rows, rows and columns are exchanged.
 */
function comb(area: Rectangle, level: number, cut: Dimension): Cycle {
  const turned = cut === 'rows'
  const cells = cellsOf(area, level)
  const rows = turned ? (cells[0] ?? []).map((_, j) => cells.flatMap((row) => row[j] ?? [])) : cells
  const there = rows.flatMap(([, ...row], i) => (i % 2 === 0 ? row : row.reverse()))
  const back = rows.flatMap(([first]) => first ?? []).reverse()
  const half = rows.length / 2
  return [...back.slice(half), ...there, ...back.slice(0, half)]
}
