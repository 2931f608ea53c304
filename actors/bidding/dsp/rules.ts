/**
 * The decisions of DSP, the lazy task market: tasks are placed as late as possible, in the order of their priority,
 * and a placed task moves only for a late bid that is good enough.
 */
import type { Time } from '../../../lib/actor.ts'
import { enqueue, omit, type Request } from '../agenda.ts'

/**
 * The share of the time still to go that a late bid saves, of what the contractor at work has promised.
 * Null if that promise is overdue: then the time it takes is unknown, and the task stays where it is.
 */
export const improvement = (now: Time, promised: Time, offered: Time): number | null =>
  promised <= now ? null : 1 - (offered - now) / (promised - now)

/** Is a late bid good enough to start the task from scratch elsewhere? A criterion of null admits none. */
export const isWorthMoving = (gain: number | null, criterion: number | null): boolean =>
  gain !== null && criterion !== null && gain > criterion

/** After a bid went unanswered: the first time its request goes to the back, the second time it is dropped. */
export function afterLapse(queue: readonly Request[], task: number): readonly Request[] {
  const request = queue.find((entry) => entry.task === task)
  if (!request) return queue
  const others = omit(queue, task)
  return request.lapsed ? others : enqueue(others, { ...request, lapsed: true })
}
