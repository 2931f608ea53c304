/** What a client has before it while it handles one event: its book, and what it only remembers. */
import { type Address, type Decision, type Effect, observe, persist, type Time } from '../../lib/actor.ts'
import { type Book, EMPTY_BOOK, type Entry, enter, forgetful } from './client-book.ts'
import type { Sorted } from './sorted.ts'
import type { Caution } from './terms.ts'
import type { Task } from './values.ts'

export type ClientInput = Caution & {
  /** In the order of their arrival. */
  readonly tasks: readonly Task[]
  readonly broker: Address
  /** Dollars: the most that a site that was given up owes beyond its price, where nothing bounds the penalty. */
  readonly claimCap: number
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

export interface Context extends Omit<ClientInput, 'records'> {
  readonly book: Book
  /** How many have arrived. */
  readonly arrived: number
  /** By task: how long the broker has to answer until it is asked again, longer each time. */
  readonly pauses: Sorted<Time>
  /** Sites that have not answered the last query. */
  readonly quiet: readonly Address[]
  /** Are sites with contracts to be asked? */
  readonly isWatching: boolean
}

export const contextOf = ({ records = [], ...terms }: ClientInput): Context => ({
  ...terms,
  book: records.reduce(enter, EMPTY_BOOK),
  arrived: 0,
  pauses: null,
  quiet: [],
  isWatching: false,
})

/** For whoever folds a run. */
export type ClientFact =
  | { readonly type: 'requested'; readonly task: number; readonly of: Task }
  | { readonly type: 'unplaced'; readonly task: number }
  | { readonly type: 'placed' | 'lost'; readonly task: number; readonly site: Address }
  | {
      readonly type: 'paid'
      readonly task: number
      readonly site: Address
      readonly finish: number
      readonly paid: number
    }
  /** So much, in dollars, and no more what it was before; 0: it has done it after all. */
  | { readonly type: 'claimed'; readonly task: number; readonly site: Address; readonly amount: number }

/** One event at the client. */
export class Turn {
  readonly context: Context
  book: Book
  arrived: number
  pauses: Context['pauses']
  quiet: Context['quiet']
  isWatching: boolean
  readonly #effects: Effect[] = []

  constructor(context: Context) {
    this.context = context
    this.book = context.book
    this.arrived = context.arrived
    this.pauses = context.pauses
    this.quiet = context.quiet
    this.isWatching = context.isWatching
  }

  get decision(): Decision<Context> {
    const { book, arrived, pauses, quiet, isWatching } = this
    return [{ book, arrived, pauses, quiet, isWatching }, ...this.#effects]
  }

  do(...effects: readonly Effect[]): void {
    this.#effects.push(...effects)
  }

  note(fact: ClientFact): void {
    this.do(observe(fact))
  }

  enter(entry: Entry): void {
    this.book = enter(this.book, entry)
    if (this.context.patience !== null) this.do(persist(entry))
    else this.book = forgetful(this.book)
  }
}
