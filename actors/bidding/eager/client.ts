/**
 * The eager client awards a task right after its announcement, to the contractor that promises the earliest
 * completion. When that contractor cannot keep its promise, the client requests bids again: the task stays or moves.
 */
import { client } from '../client.ts'
import { evaluateAfter, retryLater } from '../conversation.ts'
import { choose } from './rules.ts'

export default client({
  onAnnounce: (it) => evaluateAfter(it, it.context.terms.wait),
  choose: ({ job, offers, holder }) => {
    // a task that may not be started twice stays: it may start while its client decides
    const mayMove = job.restartable !== false || holder === null
    const possible = mayMove ? offers : offers.filter(({ contractor }) => contractor === holder.contractor)
    return choose(possible, holder?.contractor)
  },
  onNoBid: retryLater,
})
