/** A job goes (section 5.5): what it had is free, stays in the ring, and is taken by who comes to stand before it. */
import type { Address } from '../../../lib/actor.ts'
import { emptyFold, type Fold, hasFree, stretchesOf, whole } from './fold.ts'
import { lowered } from './levels.ts'
import { relinked, type Step } from './orders.ts'
import { ticked } from './rotation.ts'

/** What is done, in this order. RangeError: there is no such job, the ring is divided, or a departure is under way. */
export function departure(fold: Fold, job: Address): readonly Step[] {
  const first = vacated(fold, job)
  return [first, ...settled(first.fold)]
}

/** The job is gone, and its cells are free. */
function vacated(fold: Fold, job: Address): Step {
  const stretches = stretchesOf(fold)
  if (fold.rings.length > 1) throw new RangeError(`${job} departs while the ring is divided`)
  if (hasFree(fold)) throw new RangeError(`${job} departs while another departs`)
  if (!stretches.some(({ owner }) => owner === job)) throw new RangeError(`${job} departs, and is not there`)
  const vacate = { type: 'vacate', job, isFailed: false } as const
  if (stretches.length === 1) return { orders: [vacate], fold: emptyFold(fold.area) }
  const after = whole(
    fold,
    stretches.map(({ owner, cells }) => ({ owner: owner === job ? null : owner, cells })),
  )
  return { orders: [vacate, ...relinked(fold, after)], fold: after }
}

/**
 * What is left to do of a departure: at most a tick for each job until nothing is free, and the level of the jobs that stay.
 * RangeError: too few have one cell to take what is free.
 */
export function settled(fold: Fold): readonly Step[] {
  const steps: Step[] = []
  let now = fold
  while (hasFree(now)) {
    if (steps.length === stretchesOf(fold).length)
      throw new RangeError(`cells are still free after ${steps.length} ticks`)
    const step = ticked(now)
    steps.push(step)
    now = step.fold
  }
  const orders = relinked(fold, now)
  if (orders.length > 0) steps.push({ orders, fold: now })
  return [...steps, ...lowered(now)]
}
