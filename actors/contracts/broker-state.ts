/**
 * The state of a broker. The book of searches, awards and answers is a fold of entries, which the broker persists; the other
 * fields are only kept in memory. A later incarnation repeats the awards and begins the other searches again, under new round
 * numbers.
 */
import {
  actor,
  type Child,
  childChart,
  type Decision,
  type Effect,
  eventSourced,
  type Gathering,
  type Ref,
  type Turn,
} from '../../lib/actor.ts'
import type { Caution } from '../processor/employer.ts'
import type { Offer, Promised, Round, ToClient, ToSite } from './messages.ts'
import { drop, firstBelow, get, put, type Sorted, withoutOver } from './sorted.ts'
import type { BrokerTerms } from './terms.ts'
import type { Task } from './values.ts'

/** One search of a client for a site: the data of its chart. */
export type Search = Requested & {
  /** Its place in the order of requests. */
  readonly asked: number
  /** Sites with contracts from earlier searches for the task. These contracts stand. */
  readonly held: readonly Ref<ToSite>[]
  /** The number of its last round; 0 before the first. */
  readonly round: number
  /** The number of its rounds. */
  readonly rounds: number
  /** The site that was awarded the task; null for none. It has not accepted while the search is `awarded`. */
  readonly award: Awarded | null
}

export type Requested = {
  readonly of: Task
  readonly client: Ref<ToClient>
  readonly search: number
}

export type Awarded = Promised & { readonly site: Ref<ToSite> }

export type Entry =
  | ({ readonly type: 'requested' } & Requested)
  | ({ readonly type: 'opened' } & Round)
  | ({ readonly type: 'awarded'; readonly task: number } & Awarded)
  /** The site that was awarded the task does not take it. */
  | { readonly type: 'passed'; readonly task: number }
  /** The client is told of the award, or that there is none. */
  | { readonly type: 'answered'; readonly task: number }

const { createMachine, handlers } = actor<{
  input: Omit<Search, 'round' | 'rounds' | 'award'>
  context: Search
  event: Entry
}>()

/** The chart of a search. The entries of the book are its events, so that a later incarnation finds it in the same state. */
export const searchChart = childChart(
  createMachine({
    id: 'search',
    context: ({ input }) => ({ ...input, round: 0, rounds: 0, award: null }),
    initial: 'queued',
    states: {
      queued: { on: handlers({ opened: { target: 'soliciting', handle: open } }) },
      soliciting: {
        on: handlers({
          opened: open,
          awarded: {
            target: 'awarded',
            handle: (_, { site, completion, price }) => [{ award: { site, completion, price } }],
          },
          answered: 'unplaced',
        }),
      },
      awarded: {
        on: handlers({ passed: { target: 'soliciting', handle: () => [{ award: null }] }, answered: 'placed' }),
      },
      placed: { type: 'final' },
      unplaced: { type: 'final' },
    },
  }),
)

function open({ rounds }: Search, { round }: Round): Decision<Search> {
  return [{ round, rounds: rounds + 1 }]
}

export type SearchState = Child<Search>

export interface Book {
  /** The searches that go on, by task. */
  readonly open: Sorted<SearchState>
  /** The searches that are queued, in the order of requests. */
  readonly queue: Sorted<SearchState>
  /** The number of searches that are soliciting offers. */
  readonly soliciting: number
  /** The last search that is over, by task. */
  readonly over: Sorted<SearchState>
  /** The number of requests. */
  readonly asked: number
  /** The highest round number. */
  readonly count: number
}

/** The search that begins next. */
export const nextOf = ({ queue }: Book): SearchState | undefined => firstBelow(queue, Number.POSITIVE_INFINITY)

const searches = eventSourced<Book, Entry>({
  empty: { open: null, queue: null, soliciting: 0, over: null, asked: 0, count: 0 },
  apply: (book, entry) => (entry.type === 'requested' ? queued(book, entry) : after(book, entry)),
  compact: withoutOver,
})

function queued(book: Book, { of, client, search }: Requested): readonly [Book, ...Effect[]] {
  const asked = book.asked + 1
  const before = get(book.over, of.task)?.context
  const held = before ? [...before.held, ...(before.award ? [before.award.site] : [])] : []
  const [next, ...effects] = searchChart.start(of.task, { of, client, search, asked, held })
  return [{ ...book, asked, open: put(book.open, of.task, next), queue: put(book.queue, asked, next) }, ...effects]
}

function after(book: Book, entry: Exclude<Entry, { type: 'requested' }>): readonly [Book, ...Effect[]] {
  const { task } = entry
  const before = get(book.open, task)
  if (!before) return [book]
  const [next, ...effects] = searchChart.send(before, entry)
  const { asked, round } = next.context
  const isOver = next.state === 'placed' || next.state === 'unplaced'
  const isSoliciting = ({ state }: SearchState) => Number(state === 'soliciting')
  return [
    {
      ...book,
      open: isOver ? drop(book.open, task) : put(book.open, task, next),
      queue: drop(book.queue, asked),
      soliciting: book.soliciting - isSoliciting(before) + isSoliciting(next),
      over: isOver ? put(book.over, task, next) : book.over,
      count: Math.max(book.count, round),
    },
    ...effects,
  ]
}

/** What a broker is spawned with. */
export type BrokerInput = BrokerTerms &
  Caution & {
    /** All sites. Of equal offers the one of the earlier site is preferred. */
    readonly sites: readonly Ref<ToSite>[]
    /** What earlier incarnations persisted; absent in the first. */
    readonly records?: readonly Entry[]
  }

/** The last round of a task. */
export interface Heard {
  /** The answers of the sites; null for a refusal. */
  readonly answers: Gathering<Offer | null, Ref<ToSite>>
  /** The sites that were awarded the task in this round. */
  readonly tried: readonly Ref<ToSite>[]
}

export interface Context extends Omit<BrokerInput, 'records'> {
  readonly book: Book
  /** The last round of each open task. */
  readonly heard: Sorted<Heard>
  /** Sites that missed their last answer. The broker does not wait for them until they answer. */
  readonly silent: readonly Ref<ToSite>[]
}

export const contextOf = ({ records, ...terms }: BrokerInput): Context => ({
  ...terms,
  book: searches.recover(records),
  heard: null,
  silent: [],
})

/** The facts of a broker. */
export type BrokerFact =
  /**
   * A site was awarded a task in a round and never answered (`passed`), or it declined the award. In both cases the broker awards the
   * task to another site.
   */
  ({ readonly type: 'passed' | 'declined'; readonly site: Ref<ToSite> } & Round) | DecisionFact

/** The facts about how a broker decides. It tells them only if it may decide before all sites have answered. */
export type DecisionFact =
  /** The broker asks all sites about a task. */
  | ({ readonly type: 'opened' } & Round)
  /** A site has answered, in time or not; null for a refusal. */
  | ({ readonly type: 'answered'; readonly site: Ref<ToSite>; readonly offer: Answer | null } & Round)
  /** The broker need not wait for these sites until they answer: the round has lasted too long, or they were given up. */
  | {
      readonly type: 'doubted'
      readonly task: number
      readonly sites: readonly Ref<ToSite>[]
      readonly why: 'too late' | 'passed over' | 'given up'
    }
  /** The broker awards the task to a site. Without an offer (null) it asks all sites again, or finds no site. */
  | ({ readonly type: 'decided'; readonly site: Ref<ToSite> | null; readonly again: boolean } & Round)
  /** A search is over: the site that took the task, or null. */
  | { readonly type: 'closed'; readonly task: number; readonly site: Ref<ToSite> | null }

type Answer = Promised & Pick<Offer, 'expires'>

/** Adds an entry to the book. */
export const enter = (it: Turn<Context>, entry: Entry): void =>
  searches.enterIn(it, entry, it.context.patience !== null)
