/**
 * DSP's client waits for bids and awards its task to the bidder that promises the earliest completion. Without bids,
 * the first one that comes later wins. A late bid that saves enough time moves the task.
 */
import { type Decision, draw, now } from '../../../lib/actor.ts'
import { client } from '../client.ts'
import {
  award,
  type Context,
  dismiss,
  earliest,
  evaluateAfter,
  hear,
  type InPhase,
  isIn,
  type Live,
  noBid,
  note,
  type Offer,
  place,
  retryAfter,
  stamp,
  stopAsking,
} from '../conversation.ts'
import { improvement, isWorthMoving } from './rules.ts'

const onBid = (context: Context, task: Live, offer: Offer): Decision<Context> =>
  isIn(task, 'awarded') ? considerLateBid(context, task, offer) : hear(context, task, offer)

function onEvaluate(context: Context, task: InPhase<'soliciting'>): Decision<Context> {
  const { offers } = task.phase
  const winner = choose(context, task, earliest(offers))
  if (!winner) return noBid(context, task)
  const [changes, ...effects] = place(context, task, winner)
  // with `commit`, losing bidders wait for an answer
  const losers = context.terms.clash === 'commit' ? offers.filter((offer) => offer !== winner) : []
  return [changes, ...effects, ...losers.map(({ contractor }) => dismiss(contractor, task))]
}

/** Chooses one of the best offers. The draw depends on task and attempt alone, not on the order of the bids. */
function choose({ terms }: Context, { job, attempt }: Live, best: readonly Offer[]): Offer | undefined {
  if (terms.ties === 'index' || best.length < 2) return best[0]
  return best[Math.floor(draw('ties', `${job.id}#${attempt}`) * best.length)]
}

function considerLateBid(context: Context, task: InPhase<'awarded'>, offer: Offer): Decision<Context> {
  const { contractor, completion } = offer
  const { holder } = task.phase
  if (contractor === holder.contractor) return [{}]
  const gain = improvement(now(), holder.completion, completion)
  const fact = { ...stamp(task), contractor, completion, improvement: gain }
  if (task.job.restartable === false || !isWorthMoving(gain, context.terms.i0)) {
    return [{}, dismiss(contractor, task), note({ type: 'rejected', ...fact })]
  }
  const [changes, ...effects] = award(context, task, offer)
  return [
    changes,
    dismiss(holder.contractor, task),
    ...stopAsking(context, task.job),
    ...effects,
    note({ type: 'moved', ...fact, previous: holder.contractor }),
  ]
}

export default client({
  onAnnounce: (task, { wait, retry }) => [evaluateAfter(wait, task), ...retryAfter(retry, task)],
  onBid,
  onEvaluate,
})
