/** The steps of a pass: ask the bank for balances, choose jobs, have them charged, and start them. */
import { newId, now } from '../../lib/actor.ts'
import { toProcessor } from '../processor/employer.ts'
import { refuseStrangers, refuseTooLarge, returnToQueue, watchEnd } from './jobs.ts'
import type { Carried, Quoted } from './messages.ts'
import { attemptOf } from './messages.ts'
import { type Candidate, pass, type Start } from './pass.ts'
import type { Job } from './scheduler-book.ts'
import {
  bankAnswered,
  enter,
  idle,
  instruct,
  note,
  requestPass,
  type SchedulerTurn,
  toBank,
} from './scheduler-state.ts'

/**
 * Begins a pass. Without idle processors no job can start or get a reservation; the pass is then needed only to find the
 * best offer, which prices extra time.
 */
export function begin(it: SchedulerTurn): void {
  it.context.isDue = false
  const { book, terms } = it.context
  if (book.ready.length === 0 || (idle(it).length === 0 && !terms.overrun)) return
  const { policy, bank } = terms
  if (bank === null || (policy.choice === 'arrival' && policy.backfill === 'arrival')) {
    return choose(it, book.ready)
  }
  const jobs = book.ready
  const quote = {
    type: 'quote',
    pass: newId(it.context.passes + 1),
    jobs: jobs.map(({ job, user }) => ({ job, user })),
  } as const
  it.context.passes += 1
  it.context.asked = { quote, jobs }
  toBank(it, [quote])
}

/** Continues the pass with the balances from the bank. A job that the bank does not know yet waits for a later pass. */
export function quoted(it: SchedulerTurn, { pass: answered, balances, rates, strangers = [] }: Quoted): void {
  const { asked } = it.context
  if (asked?.quote.pass !== answered) return
  it.context.asked = null
  bankAnswered(it)
  refuseStrangers(it, strangers)
  const ready = new Set(it.context.book.ready)
  const candidates = asked.jobs.flatMap((job, i): Candidate[] => {
    const balance = balances[i] ?? null
    if (balance === null || !ready.has(job)) return []
    const { processors, service } = job
    return [{ job: job.job, processors, service, balance, rate: rates[i] ?? 0 }]
  })
  choose(it, candidates)
}

function choose(it: SchedulerTurn, candidates: readonly Candidate[]): void {
  const { book, terms } = it.context
  const ends = [...book.running.values()].flatMap(({ on, end }) => on.map(() => end))
  const { starts, reservation, best } = pass(
    terms.policy,
    { now: now(), idle: idle(it).length, ends },
    candidates,
    book.reservation,
  )
  if (terms.overrun) it.context.best = best()
  if (reservation?.job !== book.reservation?.job || reservation?.start !== book.reservation?.start) {
    enter(it, { type: 'reserved', reservation })
  }
  note(it, {
    type: 'passed',
    reservation: reservation && { job: reservation.job, start: reservation.start },
    starts: starts.map(({ job }) => job),
    skipped: skippedOf(book.ready, candidates),
  })
  if (starts.length === 0) return
  if (terms.bank === null) for (const one of starts) start(it, one, 0)
  else {
    enter(it, { type: 'chosen', starts })
    const users = new Map(book.ready.map(({ job, user }) => [job, user]))
    instruct(it, { type: 'charge', jobs: starts.map(({ job }) => ({ job, user: users.get(job) ?? '' })) })
  }
}

/** The waiting jobs that were no candidates: the bank did not know them, or they arrived during the pass. */
function skippedOf(ready: readonly Job[], candidates: readonly Candidate[]): number[] {
  if (candidates.length === ready.length) return []
  const seen = new Set(candidates.map(({ job }) => job))
  return ready.flatMap(({ job }) => (seen.has(job) ? [] : [job]))
}

/** Starts the jobs that the bank has charged. */
export function charged(it: SchedulerTurn, starts: readonly Start[], { amounts }: Carried): void {
  for (const [i, one] of starts.entries()) start(it, one, amounts[i] ?? 0)
  refuseTooLarge(it)
}

/** Starts a job on the first idle processors. If too few are left by now, the job waits again. */
function start(it: SchedulerTurn, one: Start, paid: number): void {
  const of = it.context.book.ready.find(({ job }) => job === one.job)
  if (!of) return
  const on = idle(it).slice(0, of.processors)
  if (on.length < of.processors) {
    returnToQueue(it, of)
    requestPass(it)
    return
  }
  enter(it, { type: 'started', start: { ...one, paid }, on, at: now() })
  it.context.left = new Map(it.context.left).set(of.job, on)
  for (const place of on) toProcessor(it, place, { type: 'run', ...attemptOf(of), work: of.work, setup: 0 })
  const { job, attempt, user } = of
  const { kind, decided, wasted, price } = one
  note(it, { type: 'started', job, attempt, user, kind, decided, wasted, price, paid, processors: on })
  watchEnd(it, job)
}
