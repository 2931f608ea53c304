/**
 * What a site has under contract, as a fold of entries. The same entries are what it writes down, so a later life knows what
 * an earlier one knew: contracts, remaining times, who waits, and what is not paid yet. Offers are forgotten.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Promised, Settled } from './messages.ts'
import type { Task } from './values.ts'

/** A task that is to be run here, whatever comes of it. */
export type Contract = Task &
  Promised & {
    readonly client: Address
    readonly remaining: Time
    /** 1, and one more for each time that it was stopped. */
    readonly attempt: number
    /** Which processor has what it had run when it was preempted, and has not given it back yet; null: none. */
    readonly held: number | null
  }

export type Running = { readonly of: Contract; readonly on: number; readonly since: Time }

/** What its client has not answered. */
export type Bill = Omit<Settled, 'type'> & { readonly client: Address }

export interface Book {
  /** In the order of their contracts. */
  readonly waiting: readonly Contract[]
  readonly running: ReadonlyMap<number, Running>
  /** By task. */
  readonly bills: ReadonlyMap<number, Bill>
  /** Tasks that are paid, or will not be. */
  readonly over: ReadonlySet<number>
  /** Processors that are dead. */
  readonly down: readonly number[]
}

export const EMPTY_BOOK: Book = { waiting: [], running: new Map(), bills: new Map(), over: new Set(), down: [] }

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
      return { ...book, waiting: [...book.waiting, entry.of] }
    case 'started': {
      const of = book.waiting.find(({ task }) => task === entry.task)
      if (!of) return book
      const waiting = book.waiting.filter((one) => one !== of)
      return { ...book, waiting, running: withRunning(book, of.task, { of, on: entry.on, since: entry.at }) }
    }
    case 'preempted':
      return stopped(book, entry.task, ({ of, on, since }) => ({
        remaining: of.remaining - (entry.at - since),
        held: on,
      }))
    case 'returned':
      return waits(book, entry.task, { held: null })
    case 'failed': {
      const afresh = ({ of }: Pick<Running, 'of'>) => ({ remaining: of.runtime, held: null })
      const of = book.waiting.find(({ task }) => task === entry.task)
      return of ? waits(book, of.task, afresh({ of })) : stopped(book, entry.task, afresh)
    }
    case 'settled': {
      const { type: _, ...bill } = entry
      const { task } = bill
      return { ...book, running: withRunning(book, task, null), bills: new Map(book.bills).set(task, bill) }
    }
    case 'closed': {
      const { task } = entry
      const bills = new Map(book.bills)
      bills.delete(task)
      const waiting = book.waiting.filter((one) => one.task !== task)
      return { ...book, waiting, bills, running: withRunning(book, task, null), over: new Set(book.over).add(task) }
    }
    case 'lost':
      return { ...book, down: [...book.down, entry.processor] }
    case 'found':
      return { ...book, down: book.down.filter((one) => one !== entry.processor) }
  }
}

function withRunning({ running }: Book, task: number, after: Running | null): Map<number, Running> {
  const all = new Map(running)
  if (after) all.set(task, after)
  else all.delete(task)
  return all
}

type Left = Pick<Contract, 'remaining' | 'held'>

function stopped(book: Book, task: number, leftOf: (running: Running) => Left): Book {
  const running = book.running.get(task)
  if (!running) return book
  const { of } = running
  const again: Contract = { ...of, ...leftOf(running), attempt: of.attempt + 1 }
  return { ...book, running: withRunning(book, task, null), waiting: [...book.waiting, again] }
}

function waits(book: Book, task: number, left: Partial<Left>): Book {
  return { ...book, waiting: book.waiting.map((one) => (one.task === task ? { ...one, ...left } : one)) }
}

/** The contract of a task that is not done yet. */
export const openContract = ({ waiting, running }: Book, task: number): Contract | undefined =>
  running.get(task)?.of ?? waiting.find((one) => one.task === task)

/** Was it ever taken on? */
export const isKnown = (book: Book, task: number): boolean =>
  openContract(book, task) !== undefined || book.bills.has(task) || book.over.has(task)

/** Without what is over: where everybody hears everything once, nobody speaks of it again. */
export const forgetful = (book: Book): Book => (book.over.size > 0 ? { ...book, over: new Set() } : book)
