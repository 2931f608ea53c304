/** Who waits at a site: by number, and in the order of rank where time alone does not change it. */
import { bestOf, type Candidate, type Field, type Heuristic, isStanding, type Rank, standing } from './ranks.ts'
import { drop, firstBelow, get, itemsOf, put, type Sorted, sumOf } from './sorted.ts'
import { expires } from './values.ts'

export interface Queue<C extends Candidate = Candidate> {
  readonly heuristic: Heuristic
  /** Weighed by decay. */
  readonly byNumber: Sorted<C>
  /** By standing; empty where there is none. */
  readonly byStanding: Sorted<C>
  /** How many can have nothing more to lose. */
  readonly expiring: number
}

export const emptyQueue = (heuristic: Heuristic): Queue<never> => ({
  heuristic,
  byNumber: null,
  byStanding: null,
  expiring: 0,
})

/** Nobody of this number may wait already. */
export function added<C extends Candidate>(queue: Queue<C>, one: C): Queue<C> {
  const place = standing(queue.heuristic, one)
  return {
    ...queue,
    byNumber: put(queue.byNumber, one.task, one, 0, one.worth.decay),
    byStanding: place === null ? null : put(queue.byStanding, one.task, one, place),
    expiring: queue.expiring + (expires(one) ? 1 : 0),
  }
}

/** Without one that waits. */
export function removed<C extends Candidate>(queue: Queue<C>, one: C): Queue<C> {
  const place = standing(queue.heuristic, one)
  return {
    ...queue,
    byNumber: drop(queue.byNumber, one.task),
    byStanding: place === null ? null : drop(queue.byStanding, one.task, place),
    expiring: queue.expiring - (expires(one) ? 1 : 0),
  }
}

export const waitingOf = <C extends Candidate>({ byNumber }: Queue<C>, task: number): C | undefined =>
  get(byNumber, task)

/** As they stand, else by number. */
export const allOf = <C extends Candidate>({ byNumber, byStanding }: Queue<C>): C[] => itemsOf(byStanding ?? byNumber)

/** With others who do not wait. */
export const fieldWith = (queue: Queue, others: readonly Candidate[]): Field => ({
  decay: others.reduce((sum, { worth }) => sum + worth.decay, sumOf(queue.byNumber)),
  expires: queue.expiring > 0 || others.some(expires),
  all: () => [...allOf(queue), ...others],
})

/** The best of those who wait, by their rank in this field: O(log n) where they stand in order, else each is looked at. */
export function firstOf<C extends Candidate>(queue: Queue<C>, field: Field, rank: Rank): C | undefined {
  const { heuristic, byStanding } = queue
  if (!byStanding || !isStanding(heuristic, field)) return bestOf(rank, allOf(queue))
  const after = (one: C) => firstBelow(byStanding, standing(heuristic, one) ?? Number.NEGATIVE_INFINITY)
  let best = firstBelow(byStanding, Number.POSITIVE_INFINITY)
  if (!best) return best
  const top = rank(best)
  for (let next = after(best); next && rank(next) === top; next = after(next)) if (next.task < best.task) best = next
  return best
}
