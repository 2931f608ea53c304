/**
 * A site answers a bid with an offer of a completion and a price, or refuses it. It runs the awarded tasks, the best rank first.
 * A task that is done in time earns its price, and a late one earns what it is still worth (sections 3 to 6).
 */
import { type Address, actor, type Joined, type Mail, tell, timer } from '../../lib/actor.ts'
import type { Attempt } from '../processor/messages.ts'
import { dispatch, halt } from './dispatch.ts'
import { ask, back, distrust, heard, inspect, progress, runningAt, watch } from './inspection.ts'
import type { Award, Bid, ToSite } from './messages.ts'
import { isBelow, quote } from './quote.ts'
import {
  type Context,
  type Contract,
  contextOf,
  isBusy,
  isKnown,
  openContract,
  type Running,
  type SiteInput,
  Turn,
} from './site-state.ts'
import { drop, get, put } from './sorted.ts'
import { LONGEST_PAUSE } from './terms.ts'
import { yieldOf } from './values.ts'

type Event = Mail<ToSite> | Joined | { type: 'dispatch' | 'inspect' | 'bill' }

const { createMachine, rule, onEntry } = actor<{ input: SiteInput; context: Context; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

const turn = <T extends Type>(type: T, happens: (turn: Turn, event: Of<T>) => void) =>
  rule(type, (context, event) => {
    const it = new Turn(context)
    happens(it, event)
    watch(it)
    return it.decision
  })

/** Handles a message of a processor, which shows that the processor is alive. */
function fromProcessor(it: Turn, from: Address, happens: (place: number) => void): void {
  const place = it.placeOf(from)
  if (place < 0) return
  heard(it, place)
  happens(place)
}

// --- offers and contracts ---------------------------------------------------------------------------------------------

function onBid(it: Turn, { from, task, round, of }: Mail<Bid>): void {
  const { threshold, expiry, allowance } = it.terms
  const { slack, ...promised } = quote(it.site, of, { award: allowance, run: allowance })
  const isUnable = promised.completion === Number.POSITIVE_INFINITY || isKnown(it.book, task)
  if (isUnable || (threshold !== null && isBelow(slack, threshold))) {
    it.note({ type: 'refused', task, slack: slack.units })
    it.do(tell(from, { type: 'refuse', task, round }))
    return
  }
  const expires = expiry === null ? null : it.now + expiry
  it.offers = put(it.offers, task, { ...promised, round, expires })
  it.note({ type: 'offered', task, slack: slack.units, ...promised })
  it.do(tell(from, { type: 'offer', task, round, ...promised, expires }))
}

/**
 * Whether an award can be taken. Its offer must be known, of the same round, and not expired. Under `honour` that is enough;
 * under `renege` the promised completion must still hold as well.
 */
function holds(it: Turn, award: Award): boolean {
  const offer = get(it.offers, award.task)
  if (offer?.round !== award.round || (offer.expires !== null && offer.expires < it.now)) return false
  const { stale, allowance } = it.terms
  if (stale === 'honour') return true
  return quote(it.site, award.of, { award: 0, run: allowance }).completion <= offer.completion
}

/** Handles an award. A task is taken once; a repeated award gets the same answer. */
function onAward(it: Turn, award: Mail<Award>): void {
  const { from, task, round, of, client, completion, price } = award
  if (!isKnown(it.book, task)) {
    if (!holds(it, award)) {
      it.note({ type: 'reneged', task })
      it.do(tell(from, { type: 'renege', task, round }))
      return
    }
    // the spread comes last: in V8 a field added after a spread gives every object a hidden class of its own
    const contract: Contract = { remaining: of.runtime, attempt: 1, completion, price, client, ...of }
    it.enter({ type: 'accepted', of: contract })
    it.note({ type: 'taken', task, round, completion, price })
    if (it.terms.preempt === 1) it.fresh = put(it.fresh, task, task)
    it.dispatchLater()
  }
  forget(it, task)
  it.do(tell(from, { type: 'accepted', task, round }))
}

function forget(it: Turn, task: number): void {
  it.offers = drop(it.offers, task)
}

// --- settlement -------------------------------------------------------------------------------------------------------

function finish(it: Turn, place: number, attempt: Attempt): void {
  const running = runningAt(it, place, attempt)
  if (running) settle(it, running)
}

function settle(it: Turn, { of }: Running): void {
  const { task, completion, price, client } = of
  const worth = yieldOf(of, it.now)
  const paid = Math.min(price, worth)
  it.enter({ type: 'settled', task, completion, price, finish: it.now, paid, client })
  it.note({ type: 'earned', task, finish: it.now, yield: worth, paid })
  bill(it, task)
  billLater(it)
  it.dispatchLater()
}

function bill(it: Turn, task: number): void {
  const found = it.book.bills.get(task)
  if (!found) return
  const { client, ...settled } = found
  it.do(tell(client, { type: 'settled', ...settled }))
}

/** Sets the timer that repeats bills while any is unanswered. A client that has died gets its bills when it is back. */
function billLater(it: Turn): void {
  if (it.terms.patience === null || it.isBilling || it.book.bills.size === 0 || it.pause > LONGEST_PAUSE) return
  it.isBilling = true
  it.do(timer('bill', it.pause, { type: 'bill' }))
  it.pause = 2 * it.pause
}

/** Repeats the bills whose clients have had time to answer. */
function billAgain(it: Turn): void {
  it.isBilling = false
  const { patience } = it.terms
  for (const [task, { finish }] of it.book.bills) if (finish + (patience ?? 0) <= it.now) bill(it, task)
  billLater(it)
}

/** Returns to short pauses between repetitions of bills, because a client answers. */
function resetBilling(it: Turn): void {
  it.pause = it.terms.patience ?? 0
  billLater(it)
}

function onReceipt(it: Turn, { task }: Of<'receipt'>): void {
  if (!it.book.bills.has(task)) return
  it.enter({ type: 'closed', task })
  it.note({ type: 'received', task })
  resetBilling(it)
}

/** Stops a task that is no longer wanted. Once a task is done, only its client may void it. */
function onVoid(it: Turn, { from, task }: Of<'void'>): void {
  const client = it.book.bills.get(task)?.client
  if (openContract(it.book, task) === undefined && client !== from) return
  halt(it, task)
  it.enter({ type: 'closed', task })
  it.note({ type: 'voided', task })
  it.dispatchLater()
}

/** Answers a query while any processor is alive. A site without processors stays silent. */
function onQuery(it: Turn, { from }: Of<'query'>): void {
  if (it.book.down.length < it.terms.processors.length) it.do(tell(from, { type: 'standing' }))
}

function onJoined(it: Turn, { address }: Joined): void {
  const place = it.placeOf(address)
  if (place >= 0) {
    heard(it, place)
    back(it, place)
    return
  }
  for (const [task, { client }] of it.book.bills) if (client === address) bill(it, task)
  resetBilling(it)
}

/** Continues in a later incarnation: fails preempted tasks, probes processors, dispatches and repeats bills. */
const start = onEntry((context) => {
  const it = new Turn(context)
  if (isBusy(it.book)) {
    distrust(it)
    ask(it)
    watch(it)
    it.dispatchLater()
  }
  billAgain(it)
  return it.decision
})

export default createMachine({
  context: ({ input }) => contextOf(input),
  entry: start,
  on: {
    bid: { actions: turn('bid', onBid) },
    award: { actions: turn('award', onAward) },
    withdraw: { actions: turn('withdraw', (it, { task }) => forget(it, task)) },
    query: { actions: turn('query', onQuery) },
    receipt: { actions: turn('receipt', onReceipt) },
    void: { actions: turn('void', onVoid) },
    bill: { actions: turn('bill', billAgain) },
    joined: { actions: turn('joined', onJoined) },
    finished: {
      actions: turn('finished', (it, { from, ...attempt }) =>
        fromProcessor(it, from, (place) => finish(it, place, attempt)),
      ),
    },
    progress: {
      actions: turn('progress', (it, { from, ...answer }) =>
        fromProcessor(it, from, (place) => (answer.done ? finish(it, place, answer) : progress(it, place, answer))),
      ),
    },
    inspect: { actions: turn('inspect', inspect) },
    dispatch: { actions: turn('dispatch', dispatch) },
  },
})
