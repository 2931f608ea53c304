/** How jobs come to the scheduler, and how they leave it. */
import type { Job } from './book.ts'
import type { Turn } from './desk.ts'
import { has } from './ids.ts'
import type { Ended, Request } from './messages.ts'

/** A job is submitted, perhaps again: its user says so until he hears its end. */
export function admit(turn: Turn, user: string, request: Request): void {
  const { book, now, total } = turn
  const { job } = request
  if (has(book.over, job)) return answer(turn, user, job)
  if (book.running.has(job) || book.ready.some((one) => one.job === job)) return
  turn.note({ type: 'accepted', user, arrival: now, request })
  if (request.processors > total) return refuse(turn, user, job, tooLarge(request, total))
  turn.enter({ type: 'submitted', job: { ...request, user, arrival: now, attempt: 1 } })
  turn.call()
}

/** How a job ended that is over. */
function answer(turn: Turn, user: string, job: number): void {
  const { why = 'finished', ...rest } = turn.book.unfinished.get(job) ?? {}
  if (why === 'refused') turn.toUser(user, { type: 'refused', job, reason: 'reason' in rest ? rest.reason : '' })
  else turn.toUser(user, { type: 'ended', job, why })
}

/** No attempt of it could ever start. What it has is nobody's. */
function refuse(turn: Turn, user: string, job: number, reason: string): void {
  if (turn.book.reservation?.job === job) turn.enter({ type: 'reserved', reservation: null })
  turn.enter({ type: 'refused', job, reason })
  turn.instruct({ type: 'forfeit', job, user })
  turn.note({ type: 'refused', user, job, reason })
  turn.toUser(user, { type: 'refused', job, reason })
}

const tooLarge = ({ processors }: Request, total: number): string =>
  `it needs ${processors} processors, the machine has ${total}`

/** The bank knows nobody who could pay for these. */
export function refuseStrangers(turn: Turn, strangers: readonly number[]): void {
  for (const { job, user } of turn.book.ready) {
    if (strangers.includes(job)) refuse(turn, user, job, `the bank knows no user ${user}`)
  }
}

/** After processors were lost: refuses all that need more than there are now. */
export function refuseTooLarge(turn: Turn): void {
  const { total } = turn
  const isCharged = (one: Job) => turn.book.charging?.starts.some(({ job }) => job === one.job)
  for (const job of turn.book.ready) {
    if (job.processors > total && !isCharged(job)) refuse(turn, job.user, job.job, tooLarge(job, total))
  }
}

/** A running job is over; its processors are free. */
export function end(turn: Turn, job: number, why: Ended['why']): void {
  const running = turn.book.running.get(job)
  if (!running) return
  const { user, arrival, work, attempt } = running.of
  turn.enter({ type: 'ended', job, why })
  forget(turn, job)
  const slowdown = why === 'finished' ? (turn.now - arrival) / work : null
  turn.instruct({ type: 'close', job, user, slowdown })
  turn.note({ type: 'ended', job, attempt, user, why })
  turn.toUser(user, { type: 'ended', job, why })
}

/** It is stopped without its fault: what it paid it has again, and it waits where it stood. */
export function fail(turn: Turn, job: number): void {
  const running = turn.book.running.get(job)
  if (!running) return
  const { of, on } = running
  for (const place of on) turn.toProcessor(place, { type: 'abort', task: job, attempt: of.attempt })
  giveBack(turn, of)
  forget(turn, job)
}

/** It has paid, and does not run. */
export function giveBack(turn: Turn, { job, user, attempt }: Job): void {
  turn.enter({ type: 'failed', job })
  turn.instruct({ type: 'refund', job, user })
  turn.note({ type: 'failed', job, attempt, user })
}

function forget(turn: Turn, job: number): void {
  const left = new Map(turn.left)
  left.delete(job)
  turn.left = left
  turn.call()
  if (turn.terms.policy.reservation === 'rescans' && turn.book.reservation) {
    turn.enter({ type: 'reserved', reservation: null })
  }
}
