/** What lies on the grid of a run at each moment: its areas, and how many cells they cover. */
import { sum } from '../core/tally.ts'
import type { BarColumns, ShownGrid, ShownRun } from './types.ts'
import type { Viewport } from './viewport.ts'

/** A moment at which the grid changes, and the grid from then until the next one. */
export interface Cover {
  readonly at: number
  /** The number of cells under at least one area; 0 throughout a run with more work than `CELLS_MAX`. */
  readonly covered: number
  readonly areas: number
  /** The number of areas whose owner is still moving there. */
  readonly moving: number
}

/** The part of a run that its grid is made of. */
export type Gridded = Pick<ShownRun, 'bars' | 'texts' | 'grid'>

/**
 * The most cells that all changes of a run's areas change together. A trace may come from anywhere, and must not keep a page busy:
 * beyond this limit no cell is counted, and a page opens at the moment with the fewest moves and the most areas.
 */
const CELLS_MAX = 20_000_000

type Area = readonly [row: number, column: number, rows: number, columns: number]

export const areaOf = ({ area }: BarColumns, bar: number): Area => {
  const [row = 0, column = 0, rows = 0, columns = 0] = area.slice(4 * bar, 4 * bar + 4)
  return [row, column, rows, columns]
}

const cellsOf = ([, , rows, columns]: Area): number => rows * columns

/** The bars that lie on the grid at some time. */
const areasOf = (bars: BarColumns): number[] =>
  [...bars.row.keys()].filter((bar) => (bars.area[4 * bar + 2] ?? 0) > 0 && (bars.length[bar] ?? 0) > 0)

/** The bars that lie on the grid at an instant. */
export const areasAt = ({ bars }: Gridded, at: number): number[] =>
  areasOf(bars).filter((bar) => {
    const from = bars.from[bar] ?? 0
    return from <= at && at < from + (bars.length[bar] ?? 0)
  })

/** The tones of areas, in the order of first use. */
export const areaTones = ({ bars, texts }: Gridded): string[] =>
  [...new Set(areasOf(bars).map((bar) => bars.tone[bar] ?? 0))].map((tone) => texts[tone] ?? '')

/** The moments at which the grid changes, in order. */
export function coversOf({ bars, texts, grid }: Gridded): Cover[] {
  if (!grid) return []
  const all = areasOf(bars)
  const work = sum(all, (bar) => 2 * cellsOf(areaOf(bars, bar)))
  const changes = all.flatMap((bar) => {
    const from = bars.from[bar] ?? 0
    return [
      { bar, at: from, by: 1 },
      { bar, at: from + (bars.length[bar] ?? 0), by: -1 },
    ]
  })
  const cells = new Cells(grid)
  let [areas, moving] = [0, 0]
  const covers: Cover[] = []
  for (const { bar, at, by } of changes.sort((one, other) => one.at - other.at)) {
    if (work <= CELLS_MAX) cells.add(areaOf(bars, bar), by)
    areas += by
    if (grid.moving !== undefined && texts[bars.tone[bar] ?? 0] === grid.moving) moving += by
    if (covers.at(-1)?.at === at) covers.pop()
    covers.push({ at, covered: cells.covered, areas, moving })
  }
  return covers
}

/** The number of areas that lie on each cell. */
class Cells {
  readonly #columns: number
  readonly #counts = new Map<number, number>()

  constructor({ columns }: ShownGrid) {
    this.#columns = columns
  }

  get covered(): number {
    return this.#counts.size
  }

  add([row, column, rows, columns]: Area, by: number): void {
    for (let y = row; y < row + rows; y++) {
      for (let x = column; x < column + columns; x++) {
        const cell = y * this.#columns + x
        const count = (this.#counts.get(cell) ?? 0) + by
        if (count === 0) this.#counts.delete(cell)
        else this.#counts.set(cell, count)
      }
    }
  }
}

/**
 * The place of the moment that shows most of a run: the one with the most covered cells; among those one with the smallest
 * share of moving areas, and then with the most areas. The first of several; -1 if the grid never changes.
 */
export const fullestOf = (covers: readonly Cover[]): number =>
  covers.reduce((best, cover, i) => {
    const than = covers[best]
    return !than || isFuller(cover, than) ? i : best
  }, -1)

const isFuller = (one: Cover, other: Cover): boolean =>
  (one.covered - other.covered || other.moving * one.areas - one.moving * other.areas || one.areas - other.areas) > 0

/** The instant within a window that shows most of a run. */
export function fullestIn(covers: readonly Cover[], { from, to }: Viewport): number {
  const inSight = covers.filter(({ at }, i) => at <= to && (covers[i + 1]?.at ?? Number.POSITIVE_INFINITY) > from)
  return Math.max(from, inSight[fullestOf(inSight)]?.at ?? from)
}

/** The place of the last moment at or before an instant; the first moment for earlier ones. */
export const coverAt = (covers: readonly Cover[], at: number): number =>
  Math.max(
    0,
    covers.findLastIndex((cover) => cover.at <= at),
  )
