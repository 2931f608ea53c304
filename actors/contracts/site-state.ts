/**
 * The state of a site. The book of contracts is a fold of entries, which the site persists; the other fields are only kept in
 * memory. A later incarnation knows all contracts, remaining times and unpaid bills, and has forgotten its offers.
 */
import {
  type Address,
  eventSourced,
  type FailureDetector,
  idleDetector,
  now,
  observe,
  type Time,
  type Turn,
  timer,
} from '../../lib/actor.ts'
import { type Caution, idleOf } from '../processor/employer.ts'
import type { Promised, Round, Settled } from './messages.ts'
import { added, allOf, emptyQueue, type Queue, removed, waitingOf } from './queue.ts'
import type { Occupant, Site } from './quote.ts'
import type { Heuristic } from './ranks.ts'
import { get, itemsOf, put, type Sorted } from './sorted.ts'
import type { SiteTerms } from './terms.ts'
import type { Task } from './values.ts'

/** A contract: a task that this site has to run. */
export type Contract = Task &
  Promised & {
    readonly client: Address
    readonly remaining: Time
    /** The number of the attempt, from 1: one more each time the task is stopped. */
    readonly attempt: number
  }

export type Running = Held & { readonly since: Time }

/** A task and its processor. */
export type Held = { readonly of: Contract; readonly on: number }

/** A bill that the client has not answered. */
export type Bill = Omit<Settled, 'type'> & { readonly client: Address }

export interface Book {
  /** Tasks that may begin. */
  readonly waiting: Queue<Contract>
  /** Preempted tasks, by task, whose processors have not confirmed that they stopped. They may not begin yet. */
  readonly held: ReadonlyMap<number, Held>
  /** Running tasks by task. */
  readonly running: ReadonlyMap<number, Running>
  /** Bills by task. */
  readonly bills: ReadonlyMap<number, Bill>
  /** Tasks that are paid, and tasks that will never be. */
  readonly over: Sorted<true>
  /** The processors that are lost. */
  readonly down: readonly number[]
}

export type Entry =
  | { readonly type: 'accepted'; readonly of: Contract }
  | { readonly type: 'started'; readonly task: number; readonly on: number; readonly at: Time }
  /** The task was preempted. It keeps what it has run if its processor confirms it. */
  | { readonly type: 'preempted'; readonly task: number; readonly at: Time }
  | { readonly type: 'returned'; readonly task: number }
  /** The processor died: all that the task had run is lost. */
  | { readonly type: 'failed'; readonly task: number }
  | ({ readonly type: 'settled' } & Bill)
  /** The bill is paid, or the task is no longer wanted. */
  | { readonly type: 'closed'; readonly task: number }
  | { readonly type: 'lost' | 'found'; readonly processor: number }

function apply(book: Book, entry: Entry): Book {
  switch (entry.type) {
    case 'accepted':
      return { ...book, waiting: added(book.waiting, entry.of) }
    case 'started': {
      const { task, on, at } = entry
      const of = waitingOf(book.waiting, task)
      if (!of) return book
      const running = changed(book.running, task, { of, on, since: at })
      return { ...book, waiting: removed(book.waiting, of), running }
    }
    case 'preempted': {
      const { task, at } = entry
      const running = book.running.get(task)
      if (!running) return book
      const { of, on, since } = running
      const held = { of: { ...of, remaining: of.remaining - (at - since), attempt: of.attempt + 1 }, on }
      return { ...book, running: changed(book.running, task, null), held: changed(book.held, task, held) }
    }
    case 'returned': {
      const held = book.held.get(entry.task)
      return held ? waits(book, held.of) : book
    }
    case 'failed': {
      const { task } = entry
      const [running, held] = [book.running.get(task)?.of, book.held.get(task)?.of]
      if (running) return waits(book, { ...running, remaining: running.runtime, attempt: running.attempt + 1 })
      return held ? waits(book, { ...held, remaining: held.runtime }) : book
    }
    case 'settled': {
      const { type: _, ...bill } = entry
      const { task } = bill
      return { ...book, running: changed(book.running, task, null), bills: changed(book.bills, task, bill) }
    }
    case 'closed':
      return closed(book, entry.task)
    case 'lost':
      return { ...book, down: [...book.down, entry.processor] }
    case 'found':
      return { ...book, down: book.down.filter((one) => one !== entry.processor) }
  }
}

/** Sets or deletes (null) the value of a task. */
function changed<T>(all: ReadonlyMap<number, T>, task: number, after: T | null): Map<number, T> {
  const next = new Map(all)
  if (after) next.set(task, after)
  else next.delete(task)
  return next
}

const waits = (book: Book, of: Contract): Book => ({
  ...book,
  waiting: added(book.waiting, of),
  running: changed(book.running, of.task, null),
  held: changed(book.held, of.task, null),
})

function closed(book: Book, task: number): Book {
  const of = waitingOf(book.waiting, task)
  return {
    ...book,
    waiting: of ? removed(book.waiting, of) : book.waiting,
    running: changed(book.running, task, null),
    held: changed(book.held, task, null),
    bills: changed(book.bills, task, null),
    over: put(book.over, task, true),
  }
}

/** The contract of a task that is not done yet. */
export const openContract = ({ waiting, held, running }: Book, task: number): Contract | undefined =>
  (running.get(task) ?? held.get(task))?.of ?? waitingOf(waiting, task)

/** Whether any task runs or waits. */
export const isBusy = ({ waiting, held, running }: Book): boolean =>
  running.size > 0 || held.size > 0 || waiting.byNumber !== null

/** Whether the site ever accepted the task. */
export const isKnown = (book: Book, task: number): boolean =>
  openContract(book, task) !== undefined || book.bills.has(task) || get(book.over, task) === true

/** The books of sites with this heuristic. */
export const booksOf = (heuristic: Heuristic) =>
  eventSourced<Book, Entry>({
    empty: {
      waiting: emptyQueue(heuristic),
      held: new Map(),
      running: new Map(),
      bills: new Map(),
      over: null,
      down: [],
    },
    apply,
    // without lost mail and deaths no message concerns tasks that are over
    compact: (book) => (book.over ? { ...book, over: null } : book),
  })

export type SiteInput = SiteTerms &
  Caution & {
    readonly processors: readonly Address[]
    /** What earlier incarnations persisted; absent in the first. */
    readonly records?: readonly Entry[]
  }

interface Offered extends Promised {
  readonly round: number
  readonly expires: Time | null
}

export interface Context {
  readonly terms: Omit<SiteInput, 'records'>
  readonly book: Book
  /** Offers without an answer, by task. */
  readonly offers: Sorted<Offered>
  /** Under mode 1, the tasks accepted since the last dispatch. Only these may preempt a running task. */
  readonly fresh: Sorted<number>
  /** The time until unanswered bills are repeated. It doubles each time. */
  readonly pause: Time | null
  /** Whether the timer for repeating bills is set. */
  readonly isBilling: boolean
  /** The detector of processors that do not answer probes. */
  readonly detector: FailureDetector<number>
  /** The time until the next inspection of processors. It doubles each time while no task can run. */
  readonly asking: Time | null
}

export const contextOf = ({ records, ...terms }: SiteInput): Context => ({
  terms,
  book: booksOf(terms.heuristic).recover(records),
  offers: null,
  fresh: null,
  pause: terms.patience,
  isBilling: false,
  detector: idleDetector(),
  asking: terms.patience,
})

/** The facts that a site reports. */
export type SiteFact =
  | ({ readonly type: 'offered'; readonly task: number; readonly slack: number } & Promised)
  | { readonly type: 'refused'; readonly task: number; readonly slack: number }
  | { readonly type: 'reneged'; readonly task: number }
  | ({ readonly type: 'taken' } & Round & Promised)
  | { readonly type: 'began' | 'preempted'; readonly task: number; readonly processor: Address }
  /** The processor has lost the task. */
  | { readonly type: 'failed'; readonly task: number; readonly attempt: number; readonly processor: Address }
  | {
      readonly type: 'earned'
      readonly task: number
      readonly finish: Time
      readonly yield: number
      readonly paid: number
    }
  /** The client has paid (`received`), or pays nothing because the contract is void (`voided`). */
  | { readonly type: 'received' | 'voided'; readonly task: number }

export const note = (it: Turn<Context>, fact: SiteFact): void => it.do(observe(fact))

/** Adds an entry to the book. */
export function enter(it: Turn<Context>, entry: Entry): void {
  const { terms, book } = it.context
  const [next, ...effects] = booksOf(terms.heuristic).enter(book, entry, terms.patience !== null)
  it.context.book = next
  it.do(...effects)
}

/** Sets the timer that dispatches tasks after all mail of this instant. */
export const dispatchLater = (it: Turn<Context>): void => it.do(timer('dispatch', 0, { type: 'dispatch' }))

export const addressOf = ({ terms }: Context, place: number): Address => terms.processors[place] ?? 'processor@nowhere'

export const idlePlaces = (context: Context): number[] =>
  idleOf(
    context,
    [...context.book.running.values()].map(({ on }) => on),
  )

/** The running tasks with the runtime that remains now. */
export const occupantsOf = ({ book }: Context): (Occupant & { readonly on: number })[] =>
  [...book.running.values()].map(({ of, on, since }) => ({
    ...of,
    remaining: of.remaining - (now() - since),
    end: since + of.remaining,
    on,
  }))

export const siteOf = (context: Context): Site => ({
  now: now(),
  idle: idlePlaces(context).length,
  running: occupantsOf(context),
  waiting: context.book.waiting,
  held: [...context.book.held.values()].map(({ of }) => of),
  challengers: challengersOf(context),
})

/** The waiting tasks that may preempt a running one; null without preemption. */
function challengersOf({ terms, book: { waiting }, fresh }: Context): Site['challengers'] {
  if (terms.preempt === 0) return null
  if (terms.preempt === 2) return () => allOf(waiting)
  return () => itemsOf(fresh).flatMap((task) => waitingOf(waiting, task) ?? [])
}
