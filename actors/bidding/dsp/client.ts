/**
 * DSP's client waits for bids and awards its task to the bidder that promises the earliest completion. Without bids,
 * the first one that comes later wins. A late bid that saves enough time moves the task.
 */
import { draw, now, turn } from '../../../lib/actor.ts'
import { client } from '../client.ts'
import {
  type Conversation,
  dismiss,
  earliest,
  evaluateAfter,
  holderOf,
  type It,
  moveTo,
  type Offer,
  observe,
  retryLater,
} from '../conversation.ts'
import type { Bid } from '../task.ts'
import { improvement, isWorthMoving } from './rules.ts'

/** Chooses one of the best offers. The draw depends on task and attempt alone, not on the order of the bids. */
function choose({ offers, job, attempt, terms }: Conversation): Offer | undefined {
  const best = earliest(offers)
  if (terms.ties === 'index' || best.length < 2) return best[0]
  return best[Math.floor(draw('ties', `${job.id}#${attempt}`) * best.length)]
}

/** With `commit`, losing bidders wait for an answer. */
function dismissLosers(it: It, winner: Offer): void {
  if (it.context.terms.clash !== 'commit') return
  for (const offer of it.context.offers) if (offer !== winner) dismiss(it, offer.contractor)
}

const gainOf = ({ holder }: Conversation, { completion }: Offer): number | null =>
  holder && improvement(now(), holder.completion, completion)

const isBetter = ({ context, event }: { context: Conversation; event: Bid }): boolean =>
  context.job.restartable !== false && isWorthMoving(gainOf(context, event.offer), context.terms.i0)

function move(it: It, { offer }: Bid): void {
  const { job, attempt } = it.context
  const { contractor, completion } = offer
  const [improvement, previous] = [gainOf(it.context, offer), holderOf(it).contractor]
  it.do(observe({ type: 'moved', task: job.id, attempt, contractor, completion, improvement, previous }))
  moveTo(it, offer)
}

function reject(it: It, { offer }: Bid): void {
  const { job, attempt } = it.context
  const { contractor, completion } = offer
  dismiss(it, contractor)
  const improvement = gainOf(it.context, offer)
  it.do(observe({ type: 'rejected', task: job.id, attempt, contractor, completion, improvement }))
}

export default client({
  onAnnounce: (it) => {
    evaluateAfter(it, it.context.terms.wait)
    retryLater(it)
  },
  choose,
  onAward: dismissLosers,
  onLateBid: [{ guard: isBetter, target: '.quiet', handle: turn(move) }, { handle: turn(reject) }],
})
