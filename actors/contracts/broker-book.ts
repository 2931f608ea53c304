/**
 * What a broker has been asked, whom it awarded what, and what it answered, as a fold of entries. The same entries are what it
 * writes down: a later incarnation repeats its awards and begins the other searches anew, under rounds that nobody has heard of.
 */
import type { Address } from '../../lib/actor.ts'
import type { Promised, Round } from './messages.ts'
import { drop, firstBelow, get, put, type Sorted } from './sorted.ts'
import type { Task } from './values.ts'

/** A search for a site that is still to begin. */
export type Asked = {
  readonly of: Task
  readonly client: Address
  readonly search: number
}

/** One that has begun. */
export type Errand = Asked & {
  /** The first round: the lower, the earlier. */
  readonly began: number
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
  /** Searches that are still to begin, the first first. */
  readonly queue: Sorted<Asked>
  /** Their places in it, by task. */
  readonly places: Sorted<number>
  /** By task. */
  readonly open: Sorted<Errand>
  /** The last that is over, by task; one without an award found nobody. */
  readonly over: Sorted<Errand>
  /** How often anything was asked. */
  readonly asked: number
  /** The highest number of a round. */
  readonly count: number
}

export const EMPTY_BOOK: Book = { queue: null, places: null, open: null, over: null, asked: 0, count: 0 }

/** Whose search begins next. */
export const nextOf = ({ queue }: Book): Asked | undefined => firstBelow(queue, Number.POSITIVE_INFINITY)

/** Is it to begin, or has it begun? */
export const isSearched = ({ open, places }: Book, task: number): boolean =>
  get(open, task) !== undefined || get(places, task) !== undefined

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
  const errand: Errand = { ...asked, began, round: 0, rounds: 0, award: null, held }
  return {
    ...book,
    queue: drop(book.queue, task, place),
    places: drop(book.places, task),
    open: put(book.open, task, errand),
  }
}

function changed(book: Book, task: number, change: (errand: Errand) => Errand): Book {
  const errand = get(book.open, task)
  return errand ? { ...book, open: put(book.open, task, change(errand)) } : book
}

/** Without what is over: whoever is sure of being heard is not asked again. */
export const forgetful = (book: Book): Book => (book.over ? { ...book, over: null } : book)
