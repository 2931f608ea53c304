/**
 * A site: promises a completion and a price for a task that is bid, or refuses it; runs what is awarded to it, the best rank
 * first; and settles: what was agreed if it is in time, what the task is worth if it is late (sections 3 to 6).
 */
import {
  type Address,
  actor,
  type Decision,
  type Effect,
  type Mail,
  now,
  observe,
  persist,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import { type Award, attemptOf, type Bid, type Promised, type ToSite } from './messages.ts'
import { competitorsOf, lowestOf, quote, type Site } from './quote.ts'
import { bestOf, type Candidate, type Rank, ranks } from './ranks.ts'
import { type Book, type Contract, EMPTY_BOOK, type Entry, enter, openContract, type Running } from './site-book.ts'
import type { SiteTerms } from './terms.ts'
import { yieldOf } from './values.ts'

export type SiteInput = SiteTerms & {
  readonly processors: readonly Address[]
  readonly durable: boolean
  /** What earlier lives wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

interface Offered extends Promised {
  readonly round: number
  readonly expires: Time | null
}

interface Context extends Omit<SiteInput, 'records'> {
  readonly book: Book
  /** Offers that nobody has answered, by task. */
  readonly offers: ReadonlyMap<number, Offered>
  /** Taken on at this instant: under mode 1 these alone may take another's place. */
  readonly fresh: readonly number[]
}

/** For whoever folds a run. */
export type SiteFact =
  | ({ readonly type: 'offered'; readonly task: number; readonly slack: number } & Promised)
  | { readonly type: 'refused'; readonly task: number; readonly slack: number }
  | { readonly type: 'reneged'; readonly task: number }
  | ({ readonly type: 'taken'; readonly task: number } & Promised)
  | { readonly type: 'began' | 'preempted' | 'failed'; readonly task: number; readonly processor: number }
  | {
      readonly type: 'earned'
      readonly task: number
      readonly finish: Time
      readonly yield: number
      readonly paid: number
    }

type Event = Mail<ToSite> | { type: 'dispatch' }

const { createMachine, rule } = actor<{ input: SiteInput; context: Context; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

/** One event at the site. */
class Turn {
  readonly context: Context
  readonly now = now()
  book: Book
  offers: Context['offers']
  fresh: Context['fresh']
  readonly #effects: Effect[] = []

  constructor(context: Context) {
    this.context = context
    this.book = context.book
    this.offers = context.offers
    this.fresh = context.fresh
  }

  get decision(): Decision<Context> {
    const { book, offers, fresh } = this
    return [{ book, offers, fresh }, ...this.#effects]
  }

  do(...effects: readonly Effect[]): void {
    this.#effects.push(...effects)
  }

  note(fact: SiteFact): void {
    this.do(observe(fact))
  }

  enter(entry: Entry): void {
    this.book = enter(this.book, entry)
    if (this.context.durable) this.do(persist(entry))
  }

  /** After all mail of this instant. */
  dispatchLater(): void {
    this.do(timer('dispatch', 0, { type: 'dispatch' }))
  }

  get idle(): number[] {
    const taken = new Set([...this.book.running.values()].map(({ on }) => on))
    return this.context.processors.flatMap((_, place) =>
      taken.has(place) || this.book.down.includes(place) ? [] : [place],
    )
  }

  /** What is left of a running task now. */
  leftOf({ of, since }: Running): Candidate {
    return { ...of, remaining: of.remaining - (this.now - since) }
  }

  get occupants(): readonly (Candidate & { readonly end: Time })[] {
    return [...this.book.running.values()].map((running) => ({
      ...this.leftOf(running),
      end: running.since + running.of.remaining,
    }))
  }

  get site(): Site {
    return {
      now: this.now,
      idle: this.idle.length,
      running: this.occupants,
      waiting: this.book.waiting,
      preempts: this.context.preempt > 0,
    }
  }

  processor(place: number): Address {
    return this.context.processors[place] ?? 'processor@nowhere'
  }
}

const turn = <T extends Type>(type: T, happens: (turn: Turn, event: Of<T>) => void) =>
  rule(type, (context, event) => {
    const it = new Turn(context)
    happens(it, event)
    return it.decision
  })

function onBid(it: Turn, { from, task, round, of }: Mail<Bid>): void {
  const { heuristic, threshold, offerLasts } = it.context
  const { slack, ...promised } = quote(heuristic, it.site, of)
  if (!(slack >= threshold) || promised.completion === Number.POSITIVE_INFINITY) {
    it.note({ type: 'refused', task, slack })
    it.do(tell(from, { type: 'refuse', task, round }))
    return
  }
  const expires = offerLasts === null ? null : it.now + offerLasts
  it.offers = new Map(it.offers).set(task, { ...promised, round, expires })
  it.note({ type: 'offered', task, slack, ...promised })
  it.do(tell(from, { type: 'offer', task, round, ...promised, expires }))
}

/** Does what was promised still hold? */
function holds(it: Turn, award: Award): boolean {
  const offer = it.offers.get(award.task)
  if (offer?.round !== award.round || (offer.expires !== null && offer.expires < it.now)) return false
  const { heuristic, stale } = it.context
  return stale === 'honour' || quote(heuristic, it.site, award.of).completion <= offer.completion
}

/** A task is taken once: who awards it again hears the same again. */
function onAward(it: Turn, award: Mail<Award>): void {
  const { from, task, round, of, client, completion, price } = award
  const isKnown = openContract(it.book, task) !== undefined || it.book.settled.has(task)
  if (!isKnown) {
    if (!holds(it, award)) {
      it.note({ type: 'reneged', task })
      return it.do(tell(from, { type: 'renege', task, round }))
    }
    const contract: Contract = { ...of, completion, price, client, broker: from, remaining: of.runtime, attempt: 1 }
    it.enter({ type: 'accepted', of: contract })
    it.note({ type: 'taken', task, completion, price })
    it.fresh = [...it.fresh, task]
    it.dispatchLater()
  }
  forget(it, task)
  it.do(tell(from, { type: 'accepted', task, round }))
}

function forget(it: Turn, task: number): void {
  const offers = new Map(it.offers)
  offers.delete(task)
  it.offers = offers
}

/** Of everybody in question at this instant. */
const rankOf = (it: Turn): Rank => ranks(it.context.heuristic, competitorsOf(it.site), it.now)

/** The idle processors take the best, ranked anew each time; then some of those that run may have to give way. */
function dispatch(it: Turn): void {
  for (const place of it.idle) {
    const best = bestOf(rankOf(it), it.book.waiting)
    if (best) start(it, best.task, place)
  }
  for (let next = challenge(it); next; next = challenge(it)) start(it, next.challenger, preempt(it, next.lowest))
  it.fresh = []
}

/** Who may take whose place, if anybody. */
function challenge(it: Turn): { readonly challenger: number; readonly lowest: number } | null {
  const { preempt: mode } = it.context
  if (mode === 0) return null
  const rank = rankOf(it)
  const challengers = mode === 2 ? it.book.waiting : it.book.waiting.filter(({ task }) => it.fresh.includes(task))
  const challenger = bestOf(rank, challengers)
  const lowest = lowestOf(it.occupants, rank)
  return challenger && lowest && rank(challenger) > rank(lowest)
    ? { challenger: challenger.task, lowest: lowest.task }
    : null
}

function start(it: Turn, task: number, place: number): void {
  it.enter({ type: 'started', task, on: place, at: it.now })
  const of = it.book.running.get(task)?.of
  if (!of) return
  it.note({ type: 'began', task, processor: place })
  it.do(tell(it.processor(place), { type: 'run', ...attemptOf(of), work: of.remaining, setup: 0 }))
}

/** Returns its processor. */
function preempt(it: Turn, task: number): number {
  const running = it.book.running.get(task)
  const place = running?.on ?? 0
  if (running) it.do(tell(it.processor(place), { type: 'abort', ...attemptOf(running.of) }))
  it.enter({ type: 'preempted', task, at: it.now })
  it.note({ type: 'preempted', task, processor: place })
  return place
}

function onFinished(it: Turn, { task, incarnation }: Of<'finished'>): void {
  const running = it.book.running.get(task)
  if (running?.of.attempt !== incarnation) return
  const { of } = running
  const { completion, price, client, broker } = of
  const worth = yieldOf(of, it.now)
  const settlement = { completion, price, finish: it.now, paid: Math.min(price, worth) }
  it.enter({ type: 'settled', task, ...settlement })
  it.note({ type: 'earned', task, finish: it.now, yield: worth, paid: settlement.paid })
  it.do(tell(client, { type: 'settled', task, ...settlement }), tell(broker, { type: 'settled', task, ...settlement }))
  it.dispatchLater()
}

export default createMachine({
  context: ({ input: { records = [], ...input } }) => ({
    ...input,
    book: records.reduce(enter, EMPTY_BOOK),
    offers: new Map(),
    fresh: [],
  }),
  on: {
    bid: { actions: turn('bid', onBid) },
    award: { actions: turn('award', onAward) },
    withdraw: { actions: turn('withdraw', (it, { task }) => forget(it, task)) },
    finished: { actions: turn('finished', onFinished) },
    dispatch: { actions: turn('dispatch', dispatch) },
  },
})
