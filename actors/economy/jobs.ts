/** The life of a job at the scheduler: submission, refusal, failure, extra time and end. */
import { timer, toUnits } from '../../lib/actor.ts'
import { has } from './ids.ts'
import type { Ended, Request } from './messages.ts'
import { smoothed } from './pass.ts'
import type { Job } from './scheduler-book.ts'
import type { Turn } from './scheduler-state.ts'

// --- submission and refusal -------------------------------------------------------------------------------------------

/** Accepts a submitted job. A repeated submission changes nothing, and gets the end of a job that is over. */
export function admit(turn: Turn, user: string, request: Request): void {
  const { book, now, total } = turn
  const { job } = request
  if (has(book.over, job)) return answer(turn, user, job)
  if (book.running.has(job) || book.ready.some((one) => one.job === job)) return
  turn.note({ type: 'accepted', user, arrival: now, request })
  if (request.processors > total) return refuse(turn, user, job, tooLarge(request, total))
  turn.enter({ type: 'submitted', job: { ...request, user, arrival: now, attempt: 1 } })
  turn.requestPass()
}

/** Tells the user again how a job ended. */
function answer(turn: Turn, user: string, job: number): void {
  const { why = 'finished', ...rest } = turn.book.unfinished.get(job) ?? {}
  if (why === 'refused') turn.toUser(user, { type: 'refused', job, reason: 'reason' in rest ? rest.reason : '' })
  else turn.toUser(user, { type: 'ended', job, why })
}

/** Refuses a job that can never start. The balance of its account is forfeited. */
function refuse(turn: Turn, user: string, job: number, reason: string): void {
  if (turn.book.reservation?.job === job) turn.enter({ type: 'reserved', reservation: null })
  turn.enter({ type: 'refused', job, reason })
  turn.instruct({ type: 'forfeit', job, user })
  turn.note({ type: 'refused', user, job, reason })
  turn.toUser(user, { type: 'refused', job, reason })
}

const tooLarge = ({ processors }: Request, total: number): string =>
  `it needs ${processors} processors, the machine has ${total}`

/** Refuses the waiting jobs whose users have no account at the bank. */
export function refuseStrangers(turn: Turn, strangers: readonly number[]): void {
  for (const { job, user } of turn.book.ready) {
    if (strangers.includes(job)) refuse(turn, user, job, `the bank knows no user ${user}`)
  }
}

/** Refuses the waiting jobs that need more processors than are left, after some were lost. */
export function refuseTooLarge(turn: Turn): void {
  const { total } = turn
  const isCharged = (one: Job) => turn.book.charging?.starts.some(({ job }) => job === one.job)
  for (const job of turn.book.ready) {
    if (job.processors > total && !isCharged(job)) refuse(turn, job.user, job.job, tooLarge(job, total))
  }
}

// --- end and failure --------------------------------------------------------------------------------------------------

/** Ends a running job and frees its processors. */
export function end(turn: Turn, job: number, why: Ended['why']): void {
  const running = turn.book.running.get(job)
  if (!running) return
  const { user, arrival, work, attempt } = running.of
  turn.enter({ type: 'ended', job, why })
  release(turn, job)
  const slowdown = why === 'finished' ? (turn.now - arrival) / work : null
  turn.instruct({ type: 'close', job, user, slowdown })
  turn.note({ type: 'ended', job, attempt, user, why })
  turn.toUser(user, { type: 'ended', job, why })
}

/** Stops an attempt that lost a processor. Its payment is refunded, and the job waits again at its old place. */
export function fail(turn: Turn, job: number): void {
  const running = turn.book.running.get(job)
  if (!running) return
  const { of, on } = running
  for (const place of on) turn.toProcessor(place, { type: 'abort', task: job, attempt: of.attempt })
  returnToQueue(turn, of)
  release(turn, job)
}

/** Refunds a job that has paid and does not run, and lets it wait again. */
export function returnToQueue(turn: Turn, { job, user, attempt }: Job): void {
  turn.enter({ type: 'failed', job })
  turn.instruct({ type: 'refund', job, user })
  turn.note({ type: 'failed', job, attempt, user })
}

/** Frees the processors of a job that ended or failed. Under `rescans` this also drops the reservation. */
function release(turn: Turn, job: number): void {
  const left = new Map(turn.left)
  left.delete(job)
  turn.left = left
  turn.requestPass()
  if (turn.terms.policy.reservation === 'rescans' && turn.book.reservation) {
    turn.enter({ type: 'reserved', reservation: null })
  }
}

// --- more time than declared ------------------------------------------------------------------------------------------
// A job that needs more time than declared buys it piece by piece while its user's savings last (section 2.2).

/** Sets the timer for the end of the time that a job has paid for. */
export function watchEnd(turn: Turn, job: number): void {
  const end = turn.book.running.get(job)?.end
  const { overrun } = turn.terms
  if (overrun && end !== undefined) {
    turn.do(timer(`end ${job}`, Math.max(0, end + overrun.grace - turn.now), { type: 'overdue', job }))
  }
}

/** Sells the next piece of time to a job that still runs when its paid time is over. */
export function overdue(turn: Turn, job: number): void {
  const { terms, book } = turn
  const running = book.running.get(job)
  if (!running || !terms.overrun || isAsked(turn, job)) return
  const { lasts, alpha, grace } = terms.overrun
  if (turn.now < running.end + grace) return watchEnd(turn, job)
  if (terms.bank === null) return extend(turn, job)
  const best = book.ready.length > 0 ? turn.best : 0 // without waiting jobs there is no offer
  const { money, work } = book.sold
  const minutes = toUnits(lasts)
  const price = smoothed(best, work > 0 ? money / work : 0, alpha, minutes)
  const { processors, user } = running.of
  turn.instruct({ type: 'extend', job, user, cost: price * processors * minutes })
}

const isAsked = ({ book }: Turn, job: number): boolean =>
  book.unanswered.some(({ act }) => act.type === 'extend' && act.job === job)

/** Extends a job whose extension was paid, and stops one whose extension was declined (`paid` is null). */
export function extensionAnswered(turn: Turn, job: number, paid: number | null): void {
  const running = turn.book.running.get(job)
  if (!running) return
  if (paid !== null) return extend(turn, job)
  const { of, on } = running
  for (const place of on) turn.toProcessor(place, { type: 'abort', task: job, attempt: of.attempt })
  end(turn, job, 'overrun')
}

function extend(turn: Turn, job: number): void {
  const running = turn.book.running.get(job)
  if (!running || !turn.terms.overrun) return
  const end = running.end + turn.terms.overrun.lasts
  turn.enter({ type: 'extended', job, end })
  turn.note({ type: 'extended', job, end })
  turn.requestPass() // a reservation that slips leaves more time before it
  watchEnd(turn, job)
}
