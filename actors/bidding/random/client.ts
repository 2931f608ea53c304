/**
 * The random client takes the first bid that it receives, and draws one if several come at the same instant. It repeats
 * its request at intervals while there is no bid.
 */
import { type Decision, draw } from '../../../lib/actor.ts'
import { client } from '../client.ts'
import {
  type Context,
  evaluateAfter,
  hear,
  isIn,
  type Live,
  noBid,
  type Offer,
  place,
  retryAfter,
} from '../conversation.ts'

function onBid(context: Context, task: Live, offer: Offer): Decision<Context> {
  const [heard, ...effects] = hear(context, task, offer)
  const isFirst = isIn(task, 'soliciting') && task.phase.offers.length === 0
  // timers come after the mail of an instant, so all bids of this instant are in by then
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
