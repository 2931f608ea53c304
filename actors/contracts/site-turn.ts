/** What a site has before it while it handles one event: its book, and what it only remembers. */
import {
  type Address,
  type Decision,
  type Effect,
  now,
  observe,
  persist,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { ToProcessor } from '../processor/messages.ts'
import type { Promised, Round } from './messages.ts'
import type { Occupant, Site } from './quote.ts'
import type { Candidate } from './ranks.ts'
import { type Book, type Entry, emptyBook, enter, forgetful, type Running } from './site-book.ts'
import type { Sorted } from './sorted.ts'
import type { Caution, SiteTerms } from './terms.ts'

export type SiteInput = SiteTerms &
  Caution & {
    readonly processors: readonly Address[]
    /** What earlier incarnations wrote down; absent in the first. */
    readonly records?: readonly Entry[]
  }

interface Offered extends Promised {
  readonly round: number
  readonly expires: Time | null
}

export interface Context {
  readonly terms: Omit<SiteInput, 'records'>
  readonly book: Book
  /** Offers that nobody has answered, by task. */
  readonly offers: Sorted<Offered>
  /** Taken on at this instant, under mode 1: these alone may take another's place. */
  readonly fresh: Sorted<number>
  /** How long clients have to answer bills until they are told again, longer each time. */
  readonly pause: Time
  /** Are they to be? */
  readonly isBilling: boolean
  /** Processors that have not answered the last probe. */
  readonly quiet: readonly number[]
  /** Are processors to be asked? And after how long: longer each time while nobody can be at work. */
  readonly isWatching: boolean
  readonly asking: Time
}

export const contextOf = ({ records = [], ...terms }: SiteInput): Context => ({
  terms,
  book: records.reduce(enter, emptyBook(terms.heuristic)),

  offers: null,
  fresh: null,
  pause: terms.patience ?? 0,
  isBilling: false,
  quiet: [],
  isWatching: false,
  asking: terms.patience ?? 0,
})

/** For whoever folds a run. */
export type SiteFact =
  | ({ readonly type: 'offered'; readonly task: number; readonly slack: number } & Promised)
  | { readonly type: 'refused'; readonly task: number; readonly slack: number }
  | { readonly type: 'reneged'; readonly task: number }
  | ({ readonly type: 'taken' } & Round & Promised)
  | { readonly type: 'began' | 'preempted'; readonly task: number; readonly processor: Address }
  /** Its processor has lost it. */
  | { readonly type: 'failed'; readonly task: number; readonly attempt: number; readonly processor: Address }
  | {
      readonly type: 'earned'
      readonly task: number
      readonly finish: Time
      readonly yield: number
      readonly paid: number
    }
  /** The client has paid; or nothing is due, whether it was done or not. */
  | { readonly type: 'received' | 'voided'; readonly task: number }

type Live = { -readonly [K in keyof Omit<Context, 'terms'>]: Context[K] }

/** One event at the site. */
export class Turn implements Live {
  readonly terms: Context['terms']
  readonly now = now()
  book: Book
  offers: Context['offers']
  fresh: Context['fresh']
  pause: Time
  isBilling: boolean
  quiet: Context['quiet']
  isWatching: boolean
  asking: Time
  readonly #effects: Effect[] = []

  constructor(context: Context) {
    this.terms = context.terms
    this.book = context.book
    this.offers = context.offers
    this.fresh = context.fresh
    this.pause = context.pause
    this.isBilling = context.isBilling
    this.quiet = context.quiet
    this.isWatching = context.isWatching
    this.asking = context.asking
  }

  get decision(): Decision<Context> {
    const { book, offers, fresh, pause, isBilling, quiet, isWatching, asking } = this
    return [{ book, offers, fresh, pause, isBilling, quiet, isWatching, asking }, ...this.#effects]
  }

  do(...effects: readonly Effect[]): void {
    this.#effects.push(...effects)
  }

  note(fact: SiteFact): void {
    this.do(observe(fact))
  }

  enter(entry: Entry): void {
    this.book = enter(this.book, entry)
    if (this.terms.patience !== null) this.do(persist(entry))
    else this.book = forgetful(this.book)
  }

  toProcessor(place: number, message: ToProcessor): void {
    this.do(tell(this.processor(place), message))
  }

  /** After all mail of this instant. */
  dispatchLater(): void {
    this.do(timer('dispatch', 0, { type: 'dispatch' }))
  }

  get idle(): number[] {
    const taken = new Set([...this.book.running.values()].map(({ on }) => on))
    return this.terms.processors.flatMap((_, place) =>
      taken.has(place) || this.book.down.includes(place) ? [] : [place],
    )
  }

  get occupants(): readonly Occupant[] {
    return [...this.book.running.values()].map((running) => ({
      ...this.#leftOf(running),
      end: running.since + running.of.remaining,
    }))
  }

  /** What is left of a running task now. */
  #leftOf({ of, since }: Running): Candidate {
    return { ...of, remaining: of.remaining - (this.now - since) }
  }

  get site(): Site {
    return {
      now: this.now,
      idle: this.idle.length,
      running: this.occupants,
      waiting: this.book.waiting,
      held: [...this.book.held.values()].map(({ of }) => of),
      preempts: this.terms.preempt > 0,
    }
  }

  processor(place: number): Address {
    return this.terms.processors[place] ?? 'processor@nowhere'
  }

  /** -1: it is none of this site's. */
  placeOf(address: Address): number {
    return this.terms.processors.indexOf(address)
  }
}
