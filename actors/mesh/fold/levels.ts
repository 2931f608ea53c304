/** Changes of level (sections 5.1, 5.2, 5.5): the same partitions in smaller or larger cells, realigned if need be. */
import { areEqual } from '../rectangle.ts'
import { shifted } from './exchange.ts'
import { cellsAt, type Fold, stretchesOf, whole } from './fold.ts'
import { type Step, toAll, toEach } from './orders.ts'
import { type Cycle, parentOf, ringOf } from './ring.ts'

/** Every job has one cell, and from now on its two halves. */
export function raised(fold: Fold): Step {
  const { area, level } = fold
  const [own, parent] = [ringOf(area, level), parentOf(area, level)]
  const stretches = stretchesOf(fold).map(({ owner, cells: [cell = 0] }) => {
    const first = 2 * placeOf(own, cell, parent)
    return { owner, cells: [first, first + 1] }
  })
  return adopted(whole({ area, level: level + 1 }, stretches))
}

/** If there are half as many jobs as cells: every job has two cells, and from now on the one that they were halves of. */
export function lowered(fold: Fold): readonly Step[] {
  const stretches = stretchesOf(fold)
  if (fold.level === 0 || stretches.length !== cellsAt(fold.level - 1)) return []
  if (stretches.length === 1 || stretches.every(({ cells: [first = 0] }) => first % 2 === 0)) return [merged(fold)]
  const realigned = realign(fold)
  return [realigned, merged(realigned.fold)]
}

/** All have halves of different cells: each moves one cell back, so that the next departure needs no L-shaped partition. */
function realign(fold: Fold): Step {
  const count = cellsAt(fold.level)
  const stretches = stretchesOf(fold).map(({ owner, cells }) => ({
    owner,
    cells: shifted(((cells[0] ?? 0) + count - 1) % count, cells),
  }))
  return { orders: toAll('shift', fold.rings), fold: whole(fold, stretches) }
}

function merged({ area, rings, level }: Fold): Step {
  const [own, parent] = [ringOf(area, level - 1), parentOf(area, level - 1)]
  const stretches = rings.flatMap((ring) =>
    ring.stretches.map(({ owner, cells }) => ({
      owner,
      cells: [placeOf(parent, Math.floor(Math.min(...cells) / 2), own)],
    })),
  )
  return adopted(whole({ area, level: level - 1 }, stretches))
}

const adopted = (fold: Fold): Step => ({ orders: toEach(fold), fold })

/** The number in another cycle of a cell of this one. */
const placeOf = (cycle: Cycle, number: number, other: Cycle): number =>
  other.findIndex((cell) => cycle[number] !== undefined && areEqual(cell, cycle[number]))
