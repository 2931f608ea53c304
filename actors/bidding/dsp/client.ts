/**
 * DSP's client waits for bids and awards its task to the bidder that promises the earliest completion. Without bids,
 * the first one that comes later wins. A late bid that saves enough time moves the task.
 */
import { draw, now } from '../../../lib/actor.ts'
import { client } from '../client.ts'
import {
  award,
  dismiss,
  earliest,
  evaluateAfter,
  hear,
  type InPhase,
  type It,
  isIn,
  type Live,
  noBid,
  note,
  type Offer,
  place,
  retryLater,
  stamp,
  stopAsking,
} from '../conversation.ts'
import { improvement, isWorthMoving } from './rules.ts'

function onEvaluate(it: It, task: InPhase<'soliciting'>): void {
  const { offers } = task.phase
  const winner = choose(it, task, earliest(offers))
  if (!winner) return noBid(it, task)
  place(it, task, winner)
  if (it.context.terms.clash !== 'commit') return
  // losing bidders wait for an answer
  for (const offer of offers) if (offer !== winner) dismiss(it, offer.contractor, task)
}

/** Chooses one of the best offers. The draw depends on task and attempt alone, not on the order of the bids. */
function choose({ context: { terms } }: It, { job, attempt }: Live, best: readonly Offer[]): Offer | undefined {
  if (terms.ties === 'index' || best.length < 2) return best[0]
  return best[Math.floor(draw('ties', `${job.id}#${attempt}`) * best.length)]
}

function considerLateBid(it: It, task: InPhase<'awarded'>, offer: Offer): void {
  const { contractor, completion } = offer
  const { holder } = task.phase
  if (contractor === holder.contractor) return
  const gain = improvement(now(), holder.completion, completion)
  const fact = { ...stamp(task), contractor, completion, improvement: gain }
  if (task.job.restartable === false || !isWorthMoving(gain, it.context.terms.i0)) {
    dismiss(it, contractor, task)
    return note(it, { type: 'rejected', ...fact })
  }
  dismiss(it, holder.contractor, task)
  stopAsking(it, task.job)
  award(it, task, offer)
  note(it, { type: 'moved', ...fact, previous: holder.contractor })
}

export default client({
  onAnnounce: (it, task) => {
    evaluateAfter(it, it.context.terms.wait, task)
    retryLater(it, task)
  },
  onBid: (it, task, offer) => (isIn(task, 'awarded') ? considerLateBid(it, task, offer) : hear(it, task, offer)),
  onEvaluate,
})
