/**
 * The random client takes the first bid that it hears, one of them if several come at once, and repeats its request
 * from time to time while there is none.
 */
import { type Decision, draw } from '../../../lib/actor.ts'
import { client } from '../client.ts'
import { type Context, evaluateAfter, hear, isIn, type Live, noBid, place, retryAfter } from '../conversation.ts'
import type { Offer } from '../offers.ts'

function onBid(context: Context, task: Live, offer: Offer): Decision<Context> {
  const [heard, ...effects] = hear(context, task, offer)
  const isFirst = isIn(task, 'soliciting') && task.phase.offers.length === 0
  // timers come after the mail of an instant: by then all bids of this one are in
  return isFirst ? [heard, ...effects, evaluateAfter(0, task)] : [heard, ...effects]
}

export default client({
  onAnnounce: (task, { retry }) => retryAfter(retry, task),
  onBid,
  onEvaluate: (context, task) => {
    const { offers } = task.phase
    const winner = offers[Math.floor(draw('first bid', `${task.job.id}#${task.attempt}`) * offers.length)]
    return winner ? place(context, task, winner) : noBid(context, task)
  },
})
