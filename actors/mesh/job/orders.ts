/**
 * Orders of the allocator, and the attempts of a leader. Each order has a number, is carried out once, and is answered
 * as often as it comes. An old order never undoes a later one.
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

/** Answers an order, with the cells that the job has then. */
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

/**
 * Answers an order that is not carried out in this state. A repeated order gets its answer again once it is done. An
 * order that does not apply is answered with the cells that the job has.
 */
export function inAnyCase(book: JobBook, { type, change }: Order): Decision<JobBook> {
  const { allocator, answer } = book
  if (change > book.change) return answering(book, ANSWERS[type], change)
  return [{}, ...(change === book.change && answer ? [tell(allocator, answer)] : [])]
}

/** The changes when the job begins to carry out an order. */
export const obeying = ({ change }: Change, changes: Partial<JobBook> = {}): Partial<JobBook> => ({
  ...changes,
  change,
  answer: null,
})
export const begun = (_: JobBook, order: Order): Decision<JobBook> => [obeying(order)]

/** Answers that the order is carried out. */
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

/** Whether an order to vacate makes the leader idle; otherwise the job waits for another order. */
export const isOver = (args: Ordered<Vacate>): boolean =>
  isNew(args) && (args.event.isFailed || args.context.hasDeparted)

// --- attempts: from `begin` until the job is over or has failed -------------------------------------------------------

/** The request to the allocator: to arrive or to depart. */
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

/** Ends the computing of a job, and asks to depart. */
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

/** Reports the outcome to the user, and frees the leader for another job. */
export function free({ of, hasDeparted }: JobBook): Decision<JobBook> {
  const nothing = { of: null, partition: null, ring: null }
  if (!of) return [nothing]
  const last = { type: hasDeparted ? 'over' : 'failed', ...attemptOf(of) } as const
  const fact = hasDeparted ? [] : [observe({ type: 'failed', ...attemptOf(of) })]
  return [{ ...nothing, last }, ...fact, tell(of.user, last)]
}

/** Answers whether the leader leads a job. A job that it does not know has failed: an earlier incarnation may have led it. */
export function onAsk({ of, last }: JobBook, { from, ...asked }: Mail<Ask>): Decision<JobBook> {
  const attempt = attemptOf(asked)
  if (of && isSame(of, attempt)) return [{}, tell(from, { type: 'leads', ...attempt })]
  return [{}, tell(from, { type: last && isSame(last, attempt) ? last.type : 'failed', ...attempt })]
}

/** Whether an attempt is new. A leader does not begin an attempt again that it has ended. */
export const isUnknown = ({ context: { last }, event }: Asked & { readonly event: Attempt }): boolean =>
  last === null || !isSame(last, event)

export const hasDeparted = ({ context }: Asked): boolean => context.hasDeparted
export const isToLeave = ({ context }: Asked): boolean => context.isLeaving
/** Whether the job may leave now; during an exchange it stays until that is over. */
export const mayLeave = ({ context: { isLeaving, answer } }: Asked): boolean => isLeaving && answer !== null
