/**
 * The eager client awards a task right after its announcement, to the contractor that promises the earliest
 * completion. When that contractor cannot keep its promise, the client requests bids again: the task stays or moves.
 */
import type { Decision } from '../../../lib/actor.ts'
import { client } from '../client.ts'
import {
  award,
  become,
  type Context,
  dismiss,
  evaluateAfter,
  type Holder,
  hear,
  type InPhase,
  type Live,
  noBid,
  note,
  type Offer,
  place,
  retryAfter,
  stamp,
  stopAsking,
} from '../conversation.ts'
import { choose } from './rules.ts'

function onEvaluate(context: Context, task: InPhase<'soliciting'>): Decision<Context> {
  const { offers, holder } = task.phase
  // a task that may not be started twice stays: it may start while its client decides
  const mayMove = task.job.restartable !== false || holder === null
  const winner = choose(mayMove ? offers : offers.filter(isOf(holder)), holder?.contractor)
  if (holder) return replace(context, task, holder, winner)
  if (winner) return place(context, task, winner)
  const [changes] = noBid(context, task)
  return [changes, ...retryAfter(context.terms.retry, task)]
}

const isOf =
  (holder: Holder | null) =>
  ({ contractor }: Offer): boolean =>
    contractor === holder?.contractor

/** Answers a holder that cannot keep its promise: the task stays there or moves. Without any bid it stays. */
function replace(context: Context, task: Live, holder: Holder, winner: Offer | undefined): Decision<Context> {
  if (!winner) return [become(context, { ...task, phase: { name: 'awarded', holder } })]
  const { contractor, start, completion } = winner
  const stays = contractor === holder.contractor
  const [changes, ...effects] = award(context, task, winner, stays || undefined)
  return [
    changes,
    ...(stays ? [] : [dismiss(holder.contractor, task)]),
    ...stopAsking(context, task.job),
    ...effects,
    note({ type: 'replaced', ...stamp(task), contractor, previous: holder.contractor, start, completion }),
  ]
}

export default client({ onAnnounce: (task, { wait }) => [evaluateAfter(wait, task)], onBid: hear, onEvaluate })
