/**
 * What the allocator orders: each order has a number, is obeyed once, and is answered as often as it comes. What it has ordered
 * since is not undone by what it ordered before.
 */
import { type Decision, type Mail, observe, tell } from '../../../lib/actor.ts'
import { attemptOf, isSame } from '../attempt.ts'
import type { Answer, Attempt, Change, Order, Resume, Vacate } from '../messages.ts'
import type { Asked, JobBook } from './book.ts'
import { holdingOf } from './membership.ts'

/** With what it has then. */
export function answering(book: JobBook, type: Answer['type'], change: number): Decision<JobBook> {
  const { of, ring, allocator } = book
  const answer: Answer = { type, change, of: of && attemptOf(of), holds: holdingOf(ring) }
  return [{ ...book, change, answer }, tell(allocator, answer)]
}

type Ordered<E> = Asked & { readonly event: E }

export const isNew = ({ context, event }: Ordered<Change>): boolean => event.change > context.change

export const isForIt = (args: Ordered<Attempt & Change>): boolean => isNew(args) && isMine(args)

const isMine = ({ context: { of }, event }: Ordered<Attempt>): boolean => of !== null && isSame(of, event)

const ANSWERS = {
  freeze: 'frozen',
  stop: 'swapped-out',
  vacate: 'done',
  remap: 'done',
  resume: 'done',
  start: 'done',
  link: 'done',
  split: 'done',
  tick: 'done',
  shift: 'done',
  report: 'done',
} as const satisfies Record<Order['type'], Answer['type']>

/** What comes again is answered again, once it is done; and what is not for such as it, by what it has. */
export function inAnyCase(book: JobBook, { type, change }: Order): Decision<JobBook> {
  const { allocator, answer } = book
  if (change > book.change) return answering(book, ANSWERS[type], change)
  return [{}, ...(change === book.change && answer ? [tell(allocator, answer)] : [])]
}

/** It begins to obey. */
export const obeying = ({ change }: Change, changes: Partial<JobBook> = {}): Partial<JobBook> => ({
  ...changes,
  change,
  answer: null,
})
export const begun = (_: JobBook, order: Order): Decision<JobBook> => [obeying(order)]

/** It has done what it was told, and says what it has now. */
export const done = (book: JobBook): Decision<JobBook> => answering(book, 'done', book.change)
export const frozen = (book: JobBook): Decision<JobBook> => answering(book, 'frozen', book.change)
export const resumed = (book: JobBook, { change }: Resume): Decision<JobBook> => answering(book, 'done', change)

export function swappedOut(book: JobBook): Decision<JobBook> {
  const [changes, ...effects] = answering({ ...book, partition: null, ring: null }, 'swapped-out', book.change)
  return [changes, observe({ type: 'stopped' }), ...effects]
}

export function vacated(book: JobBook, { change, isFailed }: Mail<Vacate>): Decision<JobBook> {
  const isOver = isFailed || book.hasDeparted
  const [changes, ...effects] = answering({ ...book, ring: null, ...(isOver && { of: null }) }, 'done', change)
  return [{ ...changes, of: book.of }, observe({ type: 'vacated' }), ...effects]
}

/** It is idle then; else it waits for another order. */
export const isOver = (args: Ordered<Vacate>): boolean =>
  isNew(args) && (args.event.isFailed || args.context.hasDeparted)
