/** The waiting tasks of a site, by number, and also in order of rank where time alone does not change that order. */
import { bestOf, type Candidate, type Field, type Heuristic, isStanding, type Rank, standing } from './ranks.ts'
import { drop, firstBelow, get, itemsOf, put, type Sorted, sumOf } from './sorted.ts'
import { expires } from './values.ts'

export interface Queue<C extends Candidate = Candidate> {
  readonly heuristic: Heuristic
  /** The tasks by number, weighted by decay. */
  readonly byNumber: Sorted<C>
  /** The tasks by standing; empty for a heuristic without one. */
  readonly byStanding: Sorted<C>
  /** The number of tasks that can expire. */
  readonly expiring: number
}

export const emptyQueue = (heuristic: Heuristic): Queue<never> => ({
  heuristic,
  byNumber: null,
  byStanding: null,
  expiring: 0,
})

/** Adds a task. No task of the same number may be there. */
export function added<C extends Candidate>(queue: Queue<C>, one: C): Queue<C> {
  const place = standing(queue.heuristic, one)
  return {
    ...queue,
    byNumber: put(queue.byNumber, one.task, one, 0, one.worth.decay),
    byStanding: place === null ? null : put(queue.byStanding, one.task, one, place),
    expiring: queue.expiring + (expires(one) ? 1 : 0),
  }
}

/** Removes a task that is there. */
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

/** All tasks, by standing or else by number. */
export const allOf = <C extends Candidate>({ byNumber, byStanding }: Queue<C>): C[] => itemsOf(byStanding ?? byNumber)

/** The field of the waiting tasks and some others. */
export const fieldWith = (queue: Queue, others: readonly Candidate[]): Field => ({
  decay: others.reduce((sum, { worth }) => sum + worth.decay, sumOf(queue.byNumber)),
  expires: queue.expiring > 0 || others.some(expires),
  all: () => [...allOf(queue), ...others],
})

/** The waiting task with the best rank in this field: O(log n) where tasks have a standing, else O(n). */
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
