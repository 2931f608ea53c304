/** Cells: the machine, or a healthy part of it, halved again and again (section 5.1). */
import { isIn, type Place } from '../mapping.ts'
import { cutsOf, type Dimension, floorLog2, halvesOf, isPowerOfTwo, type Mesh } from '../mesh.ts'
import { joined, type Rectangle, textOf } from '../rectangle.ts'

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

// --- healthy ---
/* What is left of a machine that lost processors (section 8). */

/**
 * The largest cell, of any level, without a dead processor: from then on it is the machine. Of equal ones the upper, then the
 * left. null: every processor is dead.
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

// --- ring ---
/*
 * The cycle in which the cells of a level follow each other (section 5.1): neighbours share a whole side, and cells 2q and
 * 2q + 1 are the halves of one cell of the level before.
 */

export type Cycle = readonly Rectangle[]

/** The cells of a level as they follow each other. RangeError: no such level, or one row or column has no such cycle. */
export function ringOf(area: Rectangle, level: number): Cycle {
  let ring: Cycle = [area]
  for (let above = 0; above < level; above++) ring = refined(area, above, ring).ring
  return ring
}

/**
 * The same cells in the order from which the ring of the next level is made: that of their own ring or, where they cannot be
 * halved in it, that of a comb; then a change of level changes who is beside whom. RangeError: as above.
 */
export const parentOf = (area: Rectangle, level: number): Cycle => refined(area, level, ringOf(area, level)).parent

/** The ring of the next level and what it is made from. */
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

/** Every cell replaced by its halves, in the only order that keeps the cycle; null: there is none. */
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
 * Rows in turn to the right and to the left without column 0, and back through that; if the next cut halves rows, the
 * same with rows for columns.
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
