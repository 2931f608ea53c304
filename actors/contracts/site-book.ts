/**
 * What a site has under contract, as a fold of entries. The same entries are what it writes down, so a later incarnation knows what
 * an earlier one knew: contracts, remaining times, who waits, and what is not paid yet. Offers are forgotten.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Promised, Settled } from './messages.ts'
import { added, emptyQueue, type Queue, removed, waitingOf } from './queue.ts'
import type { Heuristic } from './ranks.ts'
import { get, put, type Sorted } from './sorted.ts'
import type { Task } from './values.ts'

/** A task that is to be run here, whatever comes of it. */
export type Contract = Task &
  Promised & {
    readonly client: Address
    readonly remaining: Time
    /** 1, and one more for each time that it was stopped. */
    readonly attempt: number
  }

export type Running = Held & { readonly since: Time }

/** A task, and its processor. */
export type Held = { readonly of: Contract; readonly on: number }

/** What its client has not answered. */
export type Bill = Omit<Settled, 'type'> & { readonly client: Address }

export interface Book {
  /** Who may begin. */
  readonly waiting: Queue<Contract>
  /** By task: who may not, for it was preempted and its processor has not given back yet what it had run. */
  readonly held: ReadonlyMap<number, Held>
  readonly running: ReadonlyMap<number, Running>
  /** By task. */
  readonly bills: ReadonlyMap<number, Bill>
  /** Tasks that are paid, or will not be. */
  readonly over: Sorted<true>
  /** Processors that are dead. */
  readonly down: readonly number[]
}

export const emptyBook = (heuristic: Heuristic): Book => ({
  waiting: emptyQueue(heuristic),
  held: new Map(),
  running: new Map(),
  bills: new Map(),
  over: null,
  down: [],
})

export type Entry =
  | { readonly type: 'accepted'; readonly of: Contract }
  | { readonly type: 'started'; readonly task: number; readonly on: number; readonly at: Time }
  /** It keeps what it has run, if its processor lives to give it back. */
  | { readonly type: 'preempted'; readonly task: number; readonly at: Time }
  | { readonly type: 'returned'; readonly task: number }
  /** Its processor died: nothing of it is left. */
  | { readonly type: 'failed'; readonly task: number }
  | ({ readonly type: 'settled' } & Bill)
  /** Its bill is paid; or it is not wanted any more. */
  | { readonly type: 'closed'; readonly task: number }
  | { readonly type: 'lost' | 'found'; readonly processor: number }

/** The book with one entry more. */
export function enter(book: Book, entry: Entry): Book {
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

/** Null: without it. */
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

/** Does anybody run, or want to? */
export const isBusy = ({ waiting, held, running }: Book): boolean =>
  running.size > 0 || held.size > 0 || waiting.byNumber !== null

/** Was it ever taken on? */
export const isKnown = (book: Book, task: number): boolean =>
  openContract(book, task) !== undefined || book.bills.has(task) || get(book.over, task) === true

/** Without what is over: where everybody hears everything once, nobody speaks of it again. */
export const forgetful = (book: Book): Book => (book.over ? { ...book, over: null } : book)
