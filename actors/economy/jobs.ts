/** The life of a job at the scheduler: submission, refusal, failure, extra time and end. */
import { now, tell, toUnits } from '../../lib/actor.ts'
import { has } from '../ids.ts'
import { toProcessor } from '../processor/employer.ts'
import type { Ended, Request } from './messages.ts'
import { smoothed } from './pass.ts'
import type { Job, Running } from './scheduler-book.ts'
import {
  enter,
  instruct,
  observe,
  requestPass,
  type SchedulerState,
  type SchedulerTurn,
  timer,
  totalOf,
  userAt,
} from './scheduler-state.ts'

// --- submission and refusal -------------------------------------------------------------------------------------------

/** Accepts a submitted job. A repeated submission changes nothing, and gets the end of a job that is over. */
export function admit(it: SchedulerTurn, user: string, request: Request): void {
  const { book } = it.context
  const total = totalOf(it.context)
  const { job } = request
  if (has(book.over, job))
    return it.do(tell(userAt(user), book.unfinished.get(job) ?? { type: 'ended', job, why: 'finished' }))
  if (book.running.has(job) || book.ready.some((one) => one.job === job)) return
  it.do(observe({ type: 'accepted', user, arrival: now(), request }))
  if (request.processors > total) return refuse(it, user, job, tooLarge(request, total))
  enter(it, { type: 'submitted', job: { ...request, user, arrival: now(), attempt: 1 } })
  requestPass(it)
}

/** Refuses a job that can never start. The balance of its account is forfeited. */
function refuse(it: SchedulerTurn, user: string, job: number, reason: string): void {
  const refused = { type: 'refused', job, reason } as const
  if (it.context.book.reservation?.job === job) enter(it, { type: 'reserved', reservation: null })
  enter(it, refused)
  instruct(it, { type: 'forfeit', job, user })
  it.do(observe({ type: 'refused', user, job, reason }), tell(userAt(user), refused))
}

const tooLarge = ({ processors }: Request, total: number): string =>
  `it needs ${processors} processors, the machine has ${total}`

/** Refuses the waiting jobs whose users have no account at the bank. */
export function refuseStrangers(it: SchedulerTurn, strangers: readonly number[]): void {
  for (const { job, user } of it.context.book.ready) {
    if (strangers.includes(job)) refuse(it, user, job, `the bank knows no user ${user}`)
  }
}

/** Refuses the waiting jobs that need more processors than are left, after some were lost. */
export function refuseTooLarge(it: SchedulerTurn): void {
  const total = totalOf(it.context)
  const isCharged = (one: Job) => it.context.book.charging?.starts.some(({ job }) => job === one.job)
  for (const job of it.context.book.ready) {
    if (job.processors > total && !isCharged(job)) refuse(it, job.user, job.job, tooLarge(job, total))
  }
}

// --- end and failure --------------------------------------------------------------------------------------------------

/** Ends a running job and frees its processors. */
export function end(it: SchedulerTurn, job: number, why: Ended['why']): void {
  const running = it.context.book.running.get(job)
  if (!running) return
  const { user, arrival, work, attempt } = running.of
  const ended = { type: 'ended', job, why } as const
  enter(it, ended)
  release(it, job)
  const slowdown = why === 'finished' ? (now() - arrival) / work : null
  instruct(it, { type: 'close', job, user, slowdown })
  it.do(observe({ type: 'ended', job, attempt, user, why }), tell(userAt(user), ended))
}

/** Stops an attempt that lost a processor. Its payment is refunded, and the job waits again at its old place. */
export function fail(it: SchedulerTurn, job: number): void {
  const running = it.context.book.running.get(job)
  if (!running) return
  abort(it, running)
  returnToQueue(it, running.of)
  release(it, job)
}

function abort(it: SchedulerTurn, { of: { job, attempt }, on }: Running): void {
  for (const place of on) toProcessor(it, place, { type: 'abort', task: job, attempt })
}

/** Refunds a job that has paid and does not run, and lets it wait again. */
export function returnToQueue(it: SchedulerTurn, { job, user, attempt }: Job): void {
  enter(it, { type: 'failed', job })
  instruct(it, { type: 'refund', job, user })
  it.do(observe({ type: 'failed', job, attempt, user }))
}

/** Frees the processors of a job that ended or failed. Under `rescans` this also drops the reservation. */
function release(it: SchedulerTurn, job: number): void {
  const left = new Map(it.context.left)
  left.delete(job)
  it.context.left = left
  requestPass(it)
  if (it.context.terms.policy.reservation === 'rescans' && it.context.book.reservation) {
    enter(it, { type: 'reserved', reservation: null })
  }
}

// --- more time than declared ------------------------------------------------------------------------------------------
// A job that needs more time than declared buys it piece by piece while its user's savings last (section 2.2).

/** Sets the timer for the end of the time that a job has paid for. */
export function watchEnd(it: SchedulerTurn, job: number): void {
  const end = it.context.book.running.get(job)?.end
  const { overrun } = it.context.terms
  if (overrun && end !== undefined) {
    it.do(timer(`end ${job}`, Math.max(0, end + overrun.grace - now()), { type: 'overdue', job }))
  }
}

/** Sells the next piece of time to a job that still runs when its paid time is over. */
export function overdue(it: SchedulerTurn, job: number): void {
  const { terms, book } = it.context
  const running = book.running.get(job)
  if (!running || !terms.overrun || isAsked(it.context, job)) return
  const { lasts, alpha, grace } = terms.overrun
  if (now() < running.end + grace) return watchEnd(it, job)
  if (terms.bank === null) return extend(it, job)
  const best = book.ready.length > 0 ? it.context.best : 0 // without waiting jobs there is no offer
  const { money, work } = book.sold
  const minutes = toUnits(lasts)
  const price = smoothed(best, work > 0 ? money / work : 0, alpha, minutes)
  const { processors, user } = running.of
  const cost = price * processors * minutes
  it.do(observe({ type: 'priced', job, cost }))
  instruct(it, { type: 'extend', job, user, cost })
}

const isAsked = ({ book }: SchedulerState, job: number): boolean =>
  book.unanswered.some(({ act }) => act.type === 'extend' && act.job === job)

/** Extends a job whose extension was paid, and stops one whose extension was declined (`paid` is null). */
export function extensionAnswered(it: SchedulerTurn, job: number, paid: number | null): void {
  const running = it.context.book.running.get(job)
  if (!running) return
  if (paid !== null) return extend(it, job)
  abort(it, running)
  end(it, job, 'overrun')
}

function extend(it: SchedulerTurn, job: number): void {
  const running = it.context.book.running.get(job)
  if (!running || !it.context.terms.overrun) return
  const end = running.end + it.context.terms.overrun.lasts
  enter(it, { type: 'extended', job, end })
  it.do(observe({ type: 'extended', job, end }))
  requestPass(it) // a reservation that slips leaves more time before it
  watchEnd(it, job)
}
