/**
 * The state of a broker. The book of searches, awards and answers is a fold of entries, which the broker persists; the other
 * fields are only kept in memory. A later incarnation repeats the awards and begins the other searches again, under new round
 * numbers.
 */
import { type Address, eventSourced, type Gathering, type Turn } from '../../lib/actor.ts'
import type { Caution } from '../processor/employer.ts'
import type { Offer, Promised, Round } from './messages.ts'
import { drop, firstBelow, get, put, type Sorted } from './sorted.ts'
import type { BrokerTerms } from './terms.ts'
import type { Task } from './values.ts'

/** A search for a site that has not begun yet. */
export type QueuedSearch = {
  readonly of: Task
  readonly client: Address
  readonly search: number
}

/** A search that has begun. */
export type OpenSearch = QueuedSearch & {
  /** The number of its first round. Earlier searches have lower numbers. */
  readonly began: number
  /** The number of its last round. */
  readonly round: number
  /** The number of its rounds. */
  readonly rounds: number
  /** The site that was awarded the task. While the search is open, the site has not accepted. */
  readonly award: Awarded | null
  /** Sites with contracts from earlier searches for the task. These contracts stand. */
  readonly held: readonly Address[]
}

export type Awarded = Promised & { readonly site: Address }

export interface Book {
  /** Searches that have not begun, in order of request. */
  readonly queue: Sorted<QueuedSearch>
  /** The places in the queue, by task. */
  readonly places: Sorted<number>
  /** Open searches by task. */
  readonly open: Sorted<OpenSearch>
  /** The last search that is over, by task. One without an award found no site. */
  readonly over: Sorted<OpenSearch>
  /** The number of requests. */
  readonly asked: number
  /** The highest round number. */
  readonly count: number
}

/** The search that begins next. */
export const nextOf = ({ queue }: Book): QueuedSearch | undefined => firstBelow(queue, Number.POSITIVE_INFINITY)

/** Whether a search for the task is queued or open. */
export const isSearched = ({ open, places }: Book, task: number): boolean =>
  get(open, task) !== undefined || get(places, task) !== undefined

export type Entry =
  | ({ readonly type: 'requested' } & QueuedSearch)
  | ({ readonly type: 'opened' } & Round)
  | ({ readonly type: 'awarded'; readonly task: number } & Awarded)
  /** The site that was awarded the task does not take it. */
  | { readonly type: 'passed'; readonly task: number }
  /** The client is told of the award, or that there is none. */
  | { readonly type: 'answered'; readonly task: number }

function apply(book: Book, entry: Entry): Book {
  switch (entry.type) {
    case 'requested': {
      const { type: _, ...one } = entry
      const asked = book.asked + 1
      const { task } = one.of
      return { ...book, asked, queue: put(book.queue, task, one, -asked), places: put(book.places, task, -asked) }
    }
    case 'opened': {
      const { task, round } = entry
      const begun = get(book.open, task) ? book : begin(book, task, round)
      return { ...changed(begun, task, (errand) => ({ ...errand, round, rounds: errand.rounds + 1 })), count: round }
    }
    case 'awarded': {
      const { type: _, task, ...award } = entry
      return changed(book, task, (errand) => ({ ...errand, award }))
    }
    case 'passed':
      return changed(book, entry.task, (errand) => ({ ...errand, award: null }))
    case 'answered': {
      const { task } = entry
      const errand = get(book.open, task)
      return errand ? { ...book, open: drop(book.open, task), over: put(book.over, task, errand) } : book
    }
  }
}

function begin(book: Book, task: number, began: number): Book {
  const place = get(book.places, task)
  const asked = place === undefined ? undefined : get(book.queue, task, place)
  if (!asked) return book
  const before = get(book.over, task)
  const held = before ? [...before.held, ...(before.award ? [before.award.site] : [])] : []
  const errand: OpenSearch = { ...asked, began, round: 0, rounds: 0, award: null, held }
  return {
    ...book,
    queue: drop(book.queue, task, place),
    places: drop(book.places, task),
    open: put(book.open, task, errand),
  }
}

function changed(book: Book, task: number, change: (errand: OpenSearch) => OpenSearch): Book {
  const errand = get(book.open, task)
  return errand ? { ...book, open: put(book.open, task, change(errand)) } : book
}

const searches = eventSourced<Book, Entry>({
  empty: { queue: null, places: null, open: null, over: null, asked: 0, count: 0 },
  apply,
  // without lost mail and deaths no client asks again for a search that is over
  compact: (book) => (book.over ? { ...book, over: null } : book),
})

export type BrokerInput = BrokerTerms &
  Caution & {
    /** All sites. Of equal offers the one of the earlier site is preferred. */
    readonly sites: readonly Address[]
    /** What earlier incarnations persisted; absent in the first. */
    readonly records?: readonly Entry[]
  }

/** The last round of a task. */
export interface Heard {
  /** The answers of the sites; null for a refusal. */
  readonly answers: Gathering<Offer | null>
  /** The sites that were awarded the task in this round. */
  readonly tried: readonly Address[]
}

export interface Context extends Omit<BrokerInput, 'records'> {
  readonly book: Book
  /** The last round of each open task. */
  readonly heard: Sorted<Heard>
  /** Sites that missed their last answer. The broker does not wait for them until they answer. */
  readonly silent: readonly Address[]
}

export const contextOf = ({ records, ...terms }: BrokerInput): Context => ({
  ...terms,
  book: searches.recover(records),
  heard: null,
  silent: [],
})

/** The fact that a broker reports: a site was awarded a task and never answered. */
export type BrokerFact = { readonly type: 'passed'; readonly site: Address } & Round

/** Adds an entry to the book. */
export function enter(it: Turn<Context>, entry: Entry): void {
  const { book, patience } = it.context
  const [next, ...effects] = searches.enter(book, entry, patience !== null)
  it.context.book = next
  it.do(...effects)
}
