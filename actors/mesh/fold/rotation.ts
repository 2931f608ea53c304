/** What a tick makes of a ring, once everybody has done what it decides (section 5.3). */
import { exchange, gained, given } from './exchange.ts'
import { type Fold, type Ring, ringWith, type Stretch, sizeIn } from './fold.ts'
import { type Step, toAll } from './orders.ts'

/** Who is free and has given its last cell is gone. */
export function rotated({ cells, stretches }: Ring): Ring {
  const after = stretches.map((stretch, i): Stretch => {
    const [prev, next] = [stretches.at(i - 1) ?? stretch, stretches[(i + 1) % stretches.length] ?? stretch]
    const [cell] = next.cells
    const decision = exchange(sizeIn(stretch), sizeIn(prev), sizeIn(next))
    if (decision === 'give') return { ...stretch, cells: given(stretch.cells) }
    return decision === 'gain' && cell !== undefined ? { ...stretch, cells: gained(stretch.cells, cell) } : stretch
  })
  return ringWith(
    cells,
    after.filter((stretch) => stretch.cells.length > 0),
  )
}

/** All jobs exchange once, or those of some of the rings. */
export const ticked = (fold: Fold, some: readonly Ring[] = fold.rings): Step => ({
  orders: toAll('tick', some),
  fold: { ...fold, rings: fold.rings.map((ring) => (some.includes(ring) ? rotated(ring) : ring)) },
})
