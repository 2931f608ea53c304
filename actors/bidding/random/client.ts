/**
 * The random client takes the first bid that it receives, and draws one if several come at the same instant. It repeats
 * its request at intervals while there is no bid.
 */
import { draw } from '../../../lib/actor.ts'
import { client } from '../client.ts'
import { evaluateAfter, hear, isIn, noBid, place, retryLater } from '../conversation.ts'

export default client({
  onAnnounce: retryLater,
  onBid: (it, task, offer) => {
    hear(it, task, offer)
    // timers come after the mail of an instant, so all bids of this instant are in by then
    if (isIn(task, 'soliciting') && task.phase.offers.length === 0) evaluateAfter(it, 0, task)
  },
  onEvaluate: (it, task) => {
    const { offers } = task.phase
    const winner = offers[Math.floor(draw('first bid', `${task.job.id}#${task.attempt}`) * offers.length)]
    return winner ? place(it, task, winner) : noBid(it, task)
  },
})
