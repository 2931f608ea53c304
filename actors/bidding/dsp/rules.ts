/**
 * The decisions of DSP, which assigns tasks lazily: it places them as late as possible, in the order of priority. A
 * placed task moves only for a late bid that is good enough.
 */
import type { Time } from '../../../lib/actor.ts'
import { enqueue, omit, type Request } from '../agenda.ts'

/**
 * The share of the remaining time that a late bid saves, relative to the completion that the holder promised. It is
 * null if that promise is overdue: the remaining time is then unknown, and the task does not move.
 */
export const improvement = (now: Time, promised: Time, offered: Time): number | null =>
  promised <= now ? null : 1 - (offered - now) / (promised - now)

/** Whether a late bid is good enough to start the task from scratch elsewhere. If the criterion is null, none is. */
export const isWorthMoving = (gain: number | null, criterion: number | null): boolean =>
  gain !== null && criterion !== null && gain > criterion

/**
 * The queue after a bid went unanswered: the first time its request goes to the back, the second time it is dropped.
 */
export function afterLapse(queue: readonly Request[], task: number): readonly Request[] {
  const request = queue.find((entry) => entry.task === task)
  if (!request) return queue
  const others = omit(queue, task)
  return request.lapsed ? others : enqueue(others, { ...request, lapsed: true })
}
