/**
 * The eager client awards a task right after its announcement, to the contractor that promises the earliest
 * completion. When that contractor cannot keep its promise, the client requests bids again: the task stays or moves.
 */
import { client } from '../client.ts'
import {
  award,
  become,
  dismiss,
  evaluateAfter,
  type Holder,
  hear,
  type InPhase,
  type It,
  type Live,
  noBid,
  note,
  type Offer,
  place,
  retryLater,
  stamp,
  stopAsking,
} from '../conversation.ts'
import { choose } from './rules.ts'

function onEvaluate(it: It, task: InPhase<'soliciting'>): void {
  const { offers, holder } = task.phase
  // a task that may not be started twice stays: it may start while its client decides
  const mayMove = task.job.restartable !== false || holder === null
  const winner = choose(mayMove ? offers : offers.filter(isOf(holder)), holder?.contractor)
  if (holder) return replace(it, task, holder, winner)
  if (winner) return place(it, task, winner)
  noBid(it, task)
  retryLater(it, task)
}

const isOf =
  (holder: Holder | null) =>
  ({ contractor }: Offer): boolean =>
    contractor === holder?.contractor

/** Answers a holder that cannot keep its promise: the task stays there or moves. Without any bid it stays. */
function replace(it: It, task: Live, holder: Holder, winner: Offer | undefined): void {
  if (!winner) return become(it, { ...task, phase: { name: 'awarded', holder } })
  const { contractor, start, completion } = winner
  const stays = contractor === holder.contractor
  if (!stays) dismiss(it, holder.contractor, task)
  stopAsking(it, task.job)
  award(it, task, winner, stays || undefined)
  note(it, { type: 'replaced', ...stamp(task), contractor, previous: holder.contractor, start, completion })
}

export default client({
  onAnnounce: (it, task) => evaluateAfter(it, it.context.terms.wait, task),
  onBid: hear,
  onEvaluate,
})
