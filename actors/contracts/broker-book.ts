/**
 * What a broker has been asked, whom it awarded what, and what it answered, as a fold of entries. The same entries are what it
 * writes down: a later life repeats its awards and begins the other searches anew, under rounds that nobody has heard of.
 */
import type { Address } from '../../lib/actor.ts'
import type { Promised, Round } from './messages.ts'
import { get, put, type Sorted } from './sorted.ts'
import type { Task } from './values.ts'

/** A search for a site that is still to begin. */
export type Asked = {
  readonly of: Task
  readonly client: Address
  readonly search: number
}

/** One that has begun. */
export type Errand = Asked & {
  /** The last round. */
  readonly round: number
  /** How many there were. */
  readonly rounds: number
  /** To whom it was awarded; while the search is open, that is not taken up yet. */
  readonly award: Awarded | null
  /** Who has contracts for it from earlier searches: they stand. */
  readonly held: readonly Address[]
}

export type Awarded = Promised & { readonly site: Address }

export interface Book {
  readonly queue: readonly Asked[]
  /** By task. */
  readonly open: ReadonlyMap<number, Errand>
  /** The last that is over, by task; one without an award found nobody. */
  readonly over: Sorted<Errand>
  /** The highest number of a round. */
  readonly count: number
}

export const EMPTY_BOOK: Book = { queue: [], open: new Map(), over: null, count: 0 }

export type Entry =
  | ({ readonly type: 'requested' } & Asked)
  | ({ readonly type: 'opened' } & Round)
  | ({ readonly type: 'awarded'; readonly task: number } & Awarded)
  /** Whoever was awarded it does not take it. */
  | { readonly type: 'passed'; readonly task: number }
  /** Its client is told of the award, or that there is none. */
  | { readonly type: 'answered'; readonly task: number }

/** The book with one entry more. */
export function enter(book: Book, entry: Entry): Book {
  switch (entry.type) {
    case 'requested': {
      const { type: _, ...asked } = entry
      return { ...book, queue: [...book.queue, asked] }
    }
    case 'opened': {
      const { task, round } = entry
      const begun = book.open.has(task) ? book : begin(book, task)
      return { ...changed(begun, task, (errand) => ({ ...errand, round, rounds: errand.rounds + 1 })), count: round }
    }
    case 'awarded': {
      const { type: _, task, ...award } = entry
      return changed(book, task, (errand) => ({ ...errand, award }))
    }
    case 'passed':
      return changed(book, entry.task, (errand) => ({ ...errand, award: null }))
    case 'answered': {
      const errand = book.open.get(entry.task)
      if (!errand) return book
      const open = new Map(book.open)
      open.delete(entry.task)
      return { ...book, open, over: put(book.over, entry.task, errand) }
    }
  }
}

function begin(book: Book, task: number): Book {
  const asked = book.queue.find(({ of }) => of.task === task)
  if (!asked) return book
  const before = get(book.over, task)
  const held = before ? [...before.held, ...(before.award ? [before.award.site] : [])] : []
  const errand: Errand = { ...asked, round: 0, rounds: 0, award: null, held }
  return { ...book, queue: book.queue.filter((one) => one !== asked), open: new Map(book.open).set(task, errand) }
}

function changed(book: Book, task: number, change: (errand: Errand) => Errand): Book {
  const errand = book.open.get(task)
  return errand ? { ...book, open: new Map(book.open).set(task, change(errand)) } : book
}

/** Without what is over: whoever is sure of being heard is not asked again. */
export const forgetful = (book: Book): Book => (book.over ? { ...book, over: null } : book)
