/** What a broker has before it while it handles one event: its book, and what it only remembers. */
import { type Address, type Decision, type Effect, type Mail, persist } from '../../lib/actor.ts'
import { type Book, EMPTY_BOOK, type Entry, type Errand, enter, forgetful } from './broker-book.ts'
import type { Offer, Round } from './messages.ts'
import { drop, get, put, type Sorted } from './sorted.ts'
import type { BrokerTerms, Caution } from './terms.ts'

export type BrokerInput = BrokerTerms &
  Caution & {
    /** In the order in which equals are preferred. */
    readonly sites: readonly Address[]
    /** What earlier incarnations wrote down; absent in the first. */
    readonly records?: readonly Entry[]
  }

/** What has been heard in the round of a task. */
export interface Heard {
  /** Sites that have not answered. */
  readonly missing: readonly Address[]
  /** Those that may still be taken up. */
  readonly offers: readonly Mail<Offer>[]
  /** Did any offer, or none even refuse? Then it is worth asking again. */
  readonly isOpen: boolean
  /** How often its award was said. */
  readonly said: number
}

export interface Context extends Omit<BrokerInput, 'records'> {
  readonly book: Book
  /** By task. */
  readonly heard: Sorted<Heard>
  /** Sites that did not answer when they were last waited for: they are not waited for until they do. */
  readonly silent: readonly Address[]
}

export const contextOf = ({ records = [], ...terms }: BrokerInput): Context => ({
  ...terms,
  book: records.reduce(enter, EMPTY_BOOK),
  heard: null,
  silent: [],
})

/** For whoever folds a run: a site was awarded a task and never heard to take it. */
export type BrokerFact = { readonly type: 'passed'; readonly site: Address } & Round

/** One event at the broker. */
export class Turn {
  readonly context: Context
  book: Book
  heard: Context['heard']
  silent: Context['silent']
  readonly #effects: Effect[] = []

  constructor(context: Context) {
    this.context = context
    this.book = context.book
    this.heard = context.heard
    this.silent = context.silent
  }

  get decision(): Decision<Context> {
    const { book, heard, silent } = this
    return [{ book, heard, silent }, ...this.#effects]
  }

  do(...effects: readonly Effect[]): void {
    this.#effects.push(...effects)
  }

  enter(entry: Entry): void {
    this.book = enter(this.book, entry)
    if (this.context.patience !== null) this.do(persist(entry))
    else this.book = forgetful(this.book)
  }

  hear(task: number, heard: Heard | null): void {
    this.heard = heard ? put(this.heard, task, heard) : drop(this.heard, task)
  }

  /** The errand whose round this is about, while nobody is awarded it. */
  soliciting({ task, round }: Round): (Errand & { readonly heard: Heard }) | null {
    const [errand, heard] = [get(this.book.open, task), get(this.heard, task)]
    return errand && heard && errand.round === round && errand.award === null ? { ...errand, heard } : null
  }
}
