/**
 * The random client takes the first bid that it receives, and draws one if several come at the same instant. It repeats
 * its request at intervals while there is no bid. Its contractors keep no requests. So after the result of a first attempt
 * no contractor has anything to forget; an earlier attempt may still be held by a contractor that was taken for dead.
 */
import { draw } from '../../../lib/actor.ts'
import { client } from '../client.ts'
import { evaluateAfter, retryLater } from '../conversation.ts'

export default client({
  onAnnounce: retryLater,
  // timers come after the mail of an instant, so all bids of this instant are in by then
  onFirstBid: (it) => evaluateAfter(it, 0),
  choose: ({ offers, job, attempt }) => offers[Math.floor(draw('first bid', `${job.id}#${attempt}`) * offers.length)],
  isKeptAfterResult: ({ attempt }) => attempt > 1,
})
