/**
 * A site answers a bid with an offer of a completion and a price, or refuses it. It runs the awarded tasks, the best rank first.
 * A task that is done in time earns its price, and a late one earns what it is still worth (sections 3 to 6).
 */
import { type Delivery, type Joined, now, type Ref, type Turn, tell, turn } from '../../lib/actor.ts'
import type { Attempt, Finished, Progress } from '../processor/messages.ts'
import { dispatch, halt } from './dispatch.ts'
import { ask, distrust, failAt, heard, inspect, progress, runningAt, watch } from './inspection.ts'
import type { Award, Bid, Query, Receipt, ToBroker, ToClient, Void, Withdraw } from './messages.ts'
import { isBelow, quote } from './quote.ts'
import {
  type Context,
  type ContractState,
  contextOf,
  createMachine,
  dispatchLater,
  enter,
  handlers,
  isBusy,
  isKnown,
  observe,
  onEntry,
  retry,
  siteOf,
} from './site-state.ts'
import { drop, get, put } from './sorted.ts'
import { yieldOf } from './values.ts'

type It = Turn<Context>

/** The delivery of a message to which the site may answer. */
type Sender = Delivery<Ref<ToBroker | ToClient>>

/** Makes a handler that watches the processors after its event. */
const handling = <Args extends readonly unknown[]>(happens: (it: It, ...args: Args) => void) =>
  turn((it: It, ...args: Args) => {
    happens(it, ...args)
    watch(it)
  })

// --- offers and contracts ---------------------------------------------------------------------------------------------

function onBid(it: It, { task, round, of }: Bid, { from }: Sender): void {
  const { threshold, expiry, allowance } = it.context.terms
  const delays = { award: allowance, run: allowance }
  const quoted = isKnown(it.context.book, task) ? null : quote(siteOf(it.context), of, delays)
  const isUnable = !quoted || quoted.completion === Number.POSITIVE_INFINITY
  if (isUnable || (threshold !== null && isBelow(quoted.slack, threshold))) {
    it.do(observe({ type: 'refused', task, slack: quoted?.slack.units ?? null }))
    it.do(tell(from, { type: 'refuse', task, round }))
    return
  }
  const { completion, price, slack } = quoted
  const expires = expiry === null ? null : now() + expiry
  it.context.offers = put(it.context.offers, task, { completion, price, round, expires })
  it.do(observe({ type: 'offered', task, slack: slack.units, completion, price }))
  it.do(tell(from, { type: 'offer', task, round, completion, price, expires }))
}

/**
 * Whether an award can be taken. Its offer must be known, of the same round, and not expired. Under `honour` that is enough;
 * under `renege` the promised completion must still hold as well.
 */
function holds(it: It, award: Award): boolean {
  const offer = get(it.context.offers, award.task)
  if (offer?.round !== award.round || (offer.expires !== null && offer.expires < now())) return false
  const { stale, allowance } = it.context.terms
  if (stale === 'honour') return true
  return quote(siteOf(it.context), award.of, { award: 0, run: allowance }).completion <= offer.completion
}

/** Handles an award. A task is taken once; a repeated award gets the same answer. */
function onAward(it: It, award: Award, { from }: Sender): void {
  const { task, round, of, client, completion, price } = award
  if (!isKnown(it.context.book, task)) {
    if (!holds(it, award)) {
      it.do(observe({ type: 'reneged', task, round }), tell(from, { type: 'renege', task, round }))
      return
    }
    enter(it, { type: 'accepted', of: { completion, price, client, ...of } })
    it.do(observe({ type: 'taken', task, round, completion, price }))
    if (it.context.terms.preempt === 1) it.context.fresh = put(it.context.fresh, task, task)
    dispatchLater(it)
  }
  forget(it, task)
  it.do(tell(from, { type: 'accepted', task, round }))
}

/** Forgets the offer of a round. A late copy of the message does not concern the offer of a later one. */
function onWithdraw(it: It, { task, round }: Withdraw): void {
  if (get(it.context.offers, task)?.round === round) forget(it, task)
}

function forget(it: It, task: number): void {
  it.context.offers = drop(it.context.offers, task)
}

// --- settlement -------------------------------------------------------------------------------------------------------

function finish(it: It, place: number, attempt: Attempt): void {
  const of = runningAt(it.context, place, attempt)
  if (!of) return
  const { task, price } = of
  const worth = yieldOf(of, now())
  const paid = Math.min(price, worth)
  enter(it, { type: 'settled', task, finish: now(), paid })
  it.do(observe({ type: 'earned', task, finish: now(), yield: worth, paid }))
  const billed = it.context.book.billed.get(task)
  if (billed) bill(it, billed)
  billLater(it)
  dispatchLater(it)
}

function bill(it: It, { context: { client, task, completion, price, bill } }: ContractState): void {
  if (!bill) return
  const { finish, paid } = bill
  it.do(tell(client, { type: 'settled', task, completion, price, finish, paid }))
}

/** Sets the timer that repeats bills while any is unanswered. A client that has died gets its bills when it is back. */
function billLater(it: It): void {
  if (it.context.isBilling || it.context.book.billed.size === 0) return
  const [next, ...again] = retry('bill', it.context.pause, { type: 'bill' })
  it.context.pause = next
  it.context.isBilling = again.length > 0
  it.do(...again)
}

/** Repeats the bills whose clients have had time to answer. */
function billAgain(it: It): void {
  it.context.isBilling = false
  const { terms, book } = it.context
  for (const one of book.billed.values()) {
    if ((one.context.bill?.finish ?? 0) + (terms.patience ?? 0) <= now()) bill(it, one)
  }
  billLater(it)
}

/** Returns to short pauses between repetitions of bills, because a client answers. */
function resetBilling(it: It): void {
  it.context.pause = it.context.terms.patience
  billLater(it)
}

function onReceipt(it: It, { task }: Receipt): void {
  if (!it.context.book.billed.has(task)) return
  enter(it, { type: 'paid', task })
  it.do(observe({ type: 'received', task }))
  resetBilling(it)
}

/** Stops a task that is no longer wanted. Once a task is done, only its client may void it. */
function onVoid(it: It, { task }: Void, { from }: Delivery): void {
  const contract = get(it.context.book.open, task)
  if (!contract || (contract.state === 'billed' && contract.context.client !== from)) return
  halt(it, task)
  enter(it, { type: 'voided', task })
  it.do(observe({ type: 'voided', task }))
  dispatchLater(it)
}

/** Answers a query while any processor is alive. A site without processors stays silent. */
function onQuery(it: It, _: Query, { from }: Sender): void {
  if (it.context.book.down.length < it.context.terms.processors.length) it.do(tell(from, { type: 'standing' }))
}

function onJoined(it: It, { address }: Joined): void {
  const { terms, book } = it.context
  if (terms.processors.some((one) => one === address)) return heard(it, address, (place) => failAt(it, place))
  for (const one of book.billed.values()) if (one.context.client === address) bill(it, one)
  resetBilling(it)
}

function onFinished(it: It, attempt: Finished, { from }: Delivery): void {
  heard(it, from, (place) => finish(it, place, attempt))
}

function onProgress(it: It, answer: Progress, { from }: Delivery): void {
  heard(it, from, (place) => (answer.done ? finish(it, place, answer) : progress(it, place, answer)))
}

/** Continues in a later incarnation: fails preempted tasks, probes processors, dispatches and repeats bills. */
function start(it: It): void {
  if (isBusy(it.context.book)) {
    distrust(it)
    ask(it)
    watch(it)
    dispatchLater(it)
  }
  billAgain(it)
}

export default createMachine({
  context: ({ input }) => contextOf(input),
  entry: onEntry(turn(start)),
  on: handlers({
    bid: handling(onBid),
    award: handling(onAward),
    withdraw: handling(onWithdraw),
    query: handling(onQuery),
    receipt: handling(onReceipt),
    void: handling(onVoid),
    bill: handling(billAgain),
    joined: handling(onJoined),
    finished: handling(onFinished),
    progress: handling(onProgress),
    inspect: handling(inspect),
    dispatch: handling(dispatch),
  }),
})
