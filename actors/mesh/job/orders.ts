/**
 * Orders of the allocator, and the attempts of a leader. Each order has a number, is carried out once, and is answered
 * as often as it comes. An old order never undoes a later one.
 */
import { cancel, type Decision, type Delivery, now, type Ref, type Turn, tell, turn } from '../../../lib/actor.ts'
import {
  type Answer,
  type Ask,
  type Attempt,
  attemptOf,
  type Begin,
  type Change,
  isSame,
  NO_JOB,
  type Order,
  type Resume,
  type ToUser,
  type Vacate,
} from '../messages.ts'
import { NO_CREW } from '../threads/crew.ts'
import { type Asked, type JobBook, observe, retry } from './book.ts'
import { holdingOf } from './membership.ts'

type It = Turn<JobBook>

/** Answers an order, with the cells that the job has then. A job that has departed and has no cells is not there any more. */
export function answer(it: It, type: Answer['type'], change = it.context.change): void {
  const { of, ring, allocator, hasDeparted, partition } = it.context
  const isThere = of !== null && (ring !== null || !hasDeparted)
  const answer: Answer = {
    type,
    change,
    of: isThere ? attemptOf(of) : null,
    holds: holdingOf(ring, type === 'frozen' ? partition : null),
  }
  it.context.change = change
  it.context.answer = answer
  it.do(tell(allocator, answer))
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
export const inAnyCase = turn((it: It, { type, change }: Order) => {
  const { allocator, answer: last, change: known } = it.context
  if (change > known) answer(it, ANSWERS[type], change)
  else if (change === known && last) it.do(tell(allocator, last))
})

/** Begins to carry out an order. */
export function obey(it: It, { change }: Change): void {
  it.context.change = change
  it.context.obeyed = change
  it.context.answer = null
}
export const begun = turn((it: It, order: Order) => obey(it, order))

/** Answers that the order is carried out. */
export const done = turn((it: It) => answer(it, 'done'))
export const frozen = turn((it: It) => answer(it, 'frozen'))
export const resumed = turn((it: It, { change }: Resume) => answer(it, 'done', change))

export const swappedOut = turn((it: It) => {
  it.context.partition = null
  it.context.ring = null
  it.do(observe({ type: 'stopped' }))
  answer(it, 'swapped-out')
})

export const vacated = turn((it: It, { change, isFailed, departed }: Vacate) => {
  const { of } = it.context
  it.context.hasDeparted ||= departed !== undefined
  it.do(observe({ type: 'vacated' }))
  it.context.ring = null
  if (isFailed) it.context.of = null
  answer(it, 'done', change)
  // the user is told about it when the leader is idle
  it.context.of = of
})

/** Whether an order to vacate makes the leader idle. */
export function isOver(args: Ordered<Vacate>): boolean {
  const { context, event } = args
  if (!isNew(args)) return false
  if (event.departed) return context.of !== null && isSame(context.of, event.departed)
  return event.isFailed || context.hasDeparted
}

/** Whether the job waits for another order after an order to vacate. */
export const isToWait = (args: Ordered<Vacate>): boolean => isNew(args) && !args.event.departed

// --- attempts: from `begin` until the job is over or has failed -------------------------------------------------------

/** Asks the allocator to arrive or to depart. */
function request({ context: { of, allocator, hasDeparted }, do: perform }: It): void {
  if (!of) return
  const { job, attempt, minimum } = of
  perform(tell(allocator, hasDeparted ? { type: 'depart', job, attempt } : { type: 'arrive', job, attempt, minimum }))
}

/** Waits for the answer to a request, and repeats the request after a time. Each pause is twice as long as the last one. */
function wait(pause: JobBook['pause']): Decision<JobBook> {
  const [next, ...effects] = retry('again', pause, { type: 'again' })
  return [{ pause: next }, ...effects]
}
export const awaitAnswer = ({ patience }: JobBook): Decision<JobBook> => wait(patience)
export const awaitLonger = ({ pause }: JobBook): Decision<JobBook> => wait(pause)
export const again = turn((it: It) => request(it))
export const cease = (): Decision<JobBook> => [{}, cancel('again')]

/** Waits for the next order or for a neighbour. Without patience no leader is taken for dead. */
export const doubt = (book: JobBook): Decision<JobBook> => (book.patience === null ? [{}] : awaitAnswer(book))
export const doubtNoMore = ({ patience }: JobBook): Decision<JobBook> => (patience === null ? [{}] : cease())

/** The change of an answer to no order. */
const NO_CHANGE = 0

/**
 * Tells the allocator what the leader has. If the allocator has taken the leader for dead, and its order to vacate was lost, it
 * answers with another one.
 */
export function tellHoldings({ of, ring, allocator }: JobBook): Decision<JobBook> {
  if (!of) return [{}]
  return [{}, tell(allocator, { type: 'done', change: NO_CHANGE, of: attemptOf(of), holds: holdingOf(ring) })]
}

export const begin = turn((it: It, of: Begin, { from }: Delivery<Ref<ToUser>>) => {
  it.context.of = { ...of, user: from }
  it.context.isLeaving = false
  it.context.hasDeparted = false
  it.context.progress = { left: of.work ?? 0, pace: 0, since: now() }
  it.context.crew = NO_CREW
  it.do(observe({ type: 'began', job: of.job, attempt: of.attempt }))
  request(it)
})

/** Ends the computing of a job, and asks to depart. */
export const depart = turn((it: It) => {
  const { of, progress } = it.context
  if (!of) return
  it.context.hasDeparted = true
  const { job, attempt } = of
  it.do(observe({ type: 'ended', job, attempt, left: Math.round(progress.left) }))
  request(it)
})

/** Reports the outcome to the user, and frees the leader for another job. */
export const free = turn((it: It) => {
  const { of, hasDeparted } = it.context
  it.context.of = null
  it.context.partition = null
  if (!of) return
  const { job, attempt, user } = of
  const last = { type: hasDeparted ? 'over' : 'failed', job, attempt } as const
  it.context.last = last
  if (!hasDeparted) it.do(observe({ type: 'failed', job, attempt }))
  it.do(tell(user, last))
})

/**
 * Answers whether the leader leads a job. A job that it does not know has failed: an earlier incarnation may have led it. A user that
 * asks about no job has given the leader up. Perhaps the allocator has too, so the leader tells it what it has.
 */
export function onAsk(book: JobBook, asked: Ask, { from }: Delivery<Ref<ToUser>>): Decision<JobBook> {
  const { of, last } = book
  const { job, attempt } = asked
  const isComputing = book.progress.pace > 0 && !book.isLeaving
  if (of && isSame(of, asked)) return [{}, tell(from, { type: 'leads', job, attempt, isComputing })]
  if (of && isSame(NO_JOB, asked)) {
    const [, ...told] = tellHoldings(book)
    return [{}, tell(from, { type: 'leads', job: of.job, attempt: of.attempt, isComputing }), ...told]
  }
  return [{}, tell(from, { type: last && isSame(last, asked) ? last.type : 'failed', job, attempt })]
}

/** Whether an attempt is new. A leader does not begin an attempt again that it has ended. */
export const isUnknown = ({ context: { last }, event }: Asked & { readonly event: Attempt }): boolean =>
  last === null || !isSame(last, event)

export const hasDeparted = ({ context }: Asked): boolean => context.hasDeparted
export const isToLeave = ({ context }: Asked): boolean => context.isLeaving
/** Whether the job may leave now; during an exchange it stays until that is over. */
export const mayLeave = ({ context: { isLeaving, answer } }: Asked): boolean => isLeaving && answer !== null
