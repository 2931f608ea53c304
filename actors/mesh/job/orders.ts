/**
 * What the allocator orders: each order has a number, is obeyed once, and is answered as often as it comes. What it has ordered
 * since is not undone by what it ordered before.
 */
import { cancel, type Decision, type Effect, type Mail, now, observe, tell, timer } from '../../../lib/actor.ts'
import {
  type Answer,
  type Ask,
  type Attempt,
  attemptOf,
  type Begin,
  type Change,
  isSame,
  type Order,
  type Resume,
  type Vacate,
} from '../messages.ts'
import { NO_CREW } from '../threads/crew.ts'
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

// --- attempts ---
/* A leader is handed a job, asks the allocator to let it in and out, and is idle again when it is over or has failed. */

/** What it asks the allocator for. */
function request({ of, allocator, hasDeparted }: JobBook): Effect[] {
  if (!of) return []
  const { job, attempt, minimum } = of
  return [tell(allocator, hasDeparted ? { type: 'depart', job, attempt } : { type: 'arrive', job, attempt, minimum })]
}

const repeat = ({ patience }: JobBook): Effect[] =>
  patience === null ? [] : [timer('again', patience, { type: 'again' })]

export const awaitAnswer = (book: JobBook): Decision<JobBook> => [{}, ...repeat(book)]
export const again = (book: JobBook): Decision<JobBook> => [{}, ...request(book), ...repeat(book)]

export const cease = (): Decision<JobBook> => [{}, cancel('again')]

export function begin(book: JobBook, { from, ...of }: Mail<Begin>): Decision<JobBook> {
  const begun: JobBook = {
    ...book,
    of: { ...of, user: from },
    isLeaving: false,
    hasDeparted: false,
    progress: { left: of.work ?? 0, pace: 0, since: now() },
    crew: NO_CREW,
  }
  return [begun, observe({ type: 'began', ...attemptOf(of) }), ...request(begun)]
}

/** It computes no more, and needs nothing. */
export function depart(book: JobBook): Decision<JobBook> {
  const { of, progress } = book
  if (!of) return [{}]
  const left = Math.round(progress.left)
  return [
    { hasDeparted: true },
    observe({ type: 'ended', ...attemptOf(of), left }),
    ...request({ ...book, hasDeparted: true }),
  ]
}

/** Free for another job. */
export function free({ of, hasDeparted }: JobBook): Decision<JobBook> {
  const nothing = { of: null, partition: null, ring: null }
  if (!of) return [nothing]
  const last = { type: hasDeparted ? 'over' : 'failed', ...attemptOf(of) } as const
  const fact = hasDeparted ? [] : [observe({ type: 'failed', ...attemptOf(of) })]
  return [{ ...nothing, last }, ...fact, tell(of.user, last)]
}

/** Of a job that it has never heard of it was perhaps the leader in an earlier incarnation. */
export function onAsk({ of, last }: JobBook, { from, ...asked }: Mail<Ask>): Decision<JobBook> {
  const attempt = attemptOf(asked)
  if (of && isSame(of, attempt)) return [{}, tell(from, { type: 'leads', ...attempt })]
  return [{}, tell(from, { type: last && isSame(last, attempt) ? last.type : 'failed', ...attempt })]
}

/** A leader that has been idle does not begin again what it ended, should it be told twice. */
export const isUnknown = ({ context: { last }, event }: Asked & { readonly event: Attempt }): boolean =>
  last === null || !isSame(last, event)

export const hasDeparted = ({ context }: Asked): boolean => context.hasDeparted
export const isToLeave = ({ context }: Asked): boolean => context.isLeaving
/** In the midst of an exchange it stays until that is over. */
export const mayLeave = ({ context: { isLeaving, answer } }: Asked): boolean => isLeaving && answer !== null
