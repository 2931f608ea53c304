/** Jobs that wait take the places of jobs that are swapped out (section 6): their cells, and their neighbours. */
import type { Address } from '../../../lib/actor.ts'
import type { Fold } from './fold.ts'
import { type Step, started, toEach } from './orders.ts'

/** `by`: who comes for whom. Nobody's cells change; all are told what they have, for all stand still. */
export function replaced(fold: Fold, by: ReadonlyMap<Address, Address>): Step {
  const rings = fold.rings.map(({ cells, stretches }) => ({
    cells,
    stretches: stretches.map((stretch) => ({
      ...stretch,
      owner: stretch.owner === null ? null : (by.get(stretch.owner) ?? stretch.owner),
    })),
  }))
  const after = { ...fold, rings }
  const newcomers = new Set(by.values())
  const staying = toEach(after).filter(({ job }) => !newcomers.has(job))
  return { orders: [...started(after, newcomers), ...staying], fold: after }
}
