/** A leader is handed a job, asks the allocator to let it in and out, and is idle again when it is over or has failed. */
import { cancel, type Decision, type Effect, type Mail, now, observe, tell, timer } from '../../../lib/actor.ts'
import { attemptOf, isSame } from '../attempt.ts'
import type { Ask, Attempt, Begin } from '../messages.ts'
import { NO_CREW } from '../threads/crew.ts'
import type { Asked, JobBook } from './book.ts'

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
