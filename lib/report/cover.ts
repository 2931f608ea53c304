/** What lies on the grid of a run at each moment: its areas, and how many cells they cover. */
import { sum } from '../core/tally.ts'
import type { BarColumns, ShownGrid, ShownRun } from './types.ts'
import type { Viewport } from './viewport.ts'

/** A moment at which the grid changes, and the grid from then until the next one. */
export interface Cover {
  readonly at: number
  /** The number of cells under at least one area; 0 throughout a run with more work than `CELLS_MAX`. */
  readonly covered: number
  /** Those under an area whose owner is not moving. */
  readonly settled: number
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

/** Whether a bar goes on at the end of the run. Its area lies on the grid at that instant too. */
const isOpen = ({ bars, grid }: Gridded, bar: number): boolean => bar >= bars.row.length - (grid?.open ?? 0)

/** The bars that lie on the grid at some time. */
const areasOf = (run: Gridded): number[] =>
  [...run.bars.row.keys()].filter(
    (bar) => (run.bars.area[4 * bar + 2] ?? 0) > 0 && ((run.bars.length[bar] ?? 0) > 0 || isOpen(run, bar)),
  )

/** The bars that lie on the grid at an instant. */
export const areasAt = (run: Gridded, at: number): number[] =>
  areasOf(run).filter((bar) => {
    const from = run.bars.from[bar] ?? 0
    return from <= at && (at < from + (run.bars.length[bar] ?? 0) || isOpen(run, bar))
  })

/** The tones of areas, in the order of first use. */
export const areaTones = (run: Gridded): string[] =>
  [...new Set(areasOf(run).map((bar) => run.bars.tone[bar] ?? 0))].map((tone) => run.texts[tone] ?? '')

/** The moments at which the grid changes, in order. */
export function coversOf(run: Gridded): Cover[] {
  const { bars, texts, grid } = run
  if (!grid) return []
  const all = areasOf(run)
  const work = sum(all, (bar) => 4 * cellsOf(areaOf(bars, bar)))
  const changes = all.flatMap((bar) => {
    const from = bars.from[bar] ?? 0
    const begins = { bar, at: from, by: 1 }
    return isOpen(run, bar) ? [begins] : [begins, { bar, at: from + (bars.length[bar] ?? 0), by: -1 }]
  })
  const [cells, settled] = [new Cells(grid), new Cells(grid)]
  let [areas, moving] = [0, 0]
  const covers: Cover[] = []
  for (const { bar, at, by } of changes.sort((one, other) => one.at - other.at)) {
    const isMoving = grid.moving !== undefined && texts[bars.tone[bar] ?? 0] === grid.moving
    for (const some of isMoving ? [cells] : [cells, settled]) if (work <= CELLS_MAX) some.add(areaOf(bars, bar), by)
    areas += by
    if (isMoving) moving += by
    if (covers.at(-1)?.at === at) covers.pop()
    covers.push({ at, covered: cells.covered, settled: settled.covered, areas, moving })
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
 * The place of the moment that shows most of a run: the one with the most cells under areas that do not move; among those one with
 * the most covered cells, then with the smallest share of moving areas, and then with the most areas. The first of several; -1 if
 * the grid never changes.
 */
export const fullestOf = (covers: readonly Cover[]): number =>
  covers.reduce((best, cover, i) => {
    const than = covers[best]
    return !than || isFuller(cover, than) ? i : best
  }, -1)

const isFuller = (one: Cover, other: Cover): boolean =>
  (one.settled - other.settled ||
    one.covered - other.covered ||
    other.moving * one.areas - one.moving * other.areas ||
    one.areas - other.areas) > 0

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
