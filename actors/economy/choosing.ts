/** The steps of a pass: ask the bank for balances, choose jobs, have them charged, and start them. */
import { newId } from '../../lib/actor.ts'
import { refuseStrangers, refuseTooLarge, returnToQueue, watchEnd } from './jobs.ts'
import type { Carried, Quoted } from './messages.ts'
import { attemptOf } from './messages.ts'
import { type Candidate, pass, type Start } from './pass.ts'
import type { Job } from './scheduler-book.ts'
import type { Turn } from './scheduler-state.ts'

/**
 * Begins a pass. Without idle processors no job can start or get a reservation; the pass is then needed only to find the
 * best offer, which prices extra time.
 */
export function begin(turn: Turn): void {
  turn.isDue = false
  const { book, terms } = turn
  if (book.ready.length === 0 || (turn.idle().length === 0 && !terms.overrun)) return
  const { policy, bank } = terms
  if (bank === null || (policy.choice === 'arrival' && policy.backfill === 'arrival')) {
    return choose(turn, book.ready)
  }
  const jobs = book.ready
  const quote = {
    type: 'quote',
    pass: newId(turn.passes + 1),
    jobs: jobs.map(({ job, user }) => ({ job, user })),
  } as const
  turn.passes += 1
  turn.asked = { quote, jobs }
  turn.toBank(quote)
}

/** Continues the pass with the balances from the bank. A job that the bank does not know yet waits for a later pass. */
export function quoted(turn: Turn, { pass: answered, balances, rates, strangers = [] }: Quoted): void {
  const { asked } = turn
  if (asked?.quote.pass !== answered) return
  turn.asked = null
  turn.bankAnswered()
  refuseStrangers(turn, strangers)
  const ready = new Set(turn.book.ready)
  const candidates = asked.jobs.flatMap((job, i): Candidate[] => {
    const balance = balances[i] ?? null
    if (balance === null || !ready.has(job)) return []
    const { processors, service } = job
    return [{ job: job.job, processors, service, balance, rate: rates[i] ?? 0 }]
  })
  choose(turn, candidates)
}

function choose(turn: Turn, candidates: readonly Candidate[]): void {
  const { book, now, terms } = turn
  const ends = [...book.running.values()].flatMap(({ on, end }) => on.map(() => end))
  const { starts, reservation, best } = pass(
    terms.policy,
    { now, idle: turn.idle().length, ends },
    candidates,
    book.reservation,
  )
  if (terms.overrun) turn.best = best()
  if (reservation?.job !== book.reservation?.job || reservation?.start !== book.reservation?.start) {
    turn.enter({ type: 'reserved', reservation })
  }
  turn.note({
    type: 'passed',
    reservation: reservation && { job: reservation.job, start: reservation.start },
    starts: starts.map(({ job }) => job),
    skipped: skippedOf(book.ready, candidates),
  })
  if (starts.length === 0) return
  if (terms.bank === null) for (const one of starts) start(turn, one, 0)
  else {
    turn.enter({ type: 'chosen', starts })
    const users = new Map(book.ready.map(({ job, user }) => [job, user]))
    turn.instruct({ type: 'charge', jobs: starts.map(({ job }) => ({ job, user: users.get(job) ?? '' })) })
  }
}

/** The waiting jobs that were no candidates: the bank did not know them, or they arrived during the pass. */
function skippedOf(ready: readonly Job[], candidates: readonly Candidate[]): number[] {
  if (candidates.length === ready.length) return []
  const seen = new Set(candidates.map(({ job }) => job))
  return ready.flatMap(({ job }) => (seen.has(job) ? [] : [job]))
}

/** Starts the jobs that the bank has charged. */
export function charged(turn: Turn, starts: readonly Start[], { amounts }: Carried): void {
  for (const [i, one] of starts.entries()) start(turn, one, amounts[i] ?? 0)
  refuseTooLarge(turn)
}

/** Starts a job on the first idle processors. If too few are left by now, the job waits again. */
function start(turn: Turn, one: Start, paid: number): void {
  const of = turn.book.ready.find(({ job }) => job === one.job)
  if (!of) return
  const on = turn.idle().slice(0, of.processors)
  if (on.length < of.processors) {
    returnToQueue(turn, of)
    turn.requestPass()
    return
  }
  turn.enter({ type: 'started', start: { ...one, paid }, on, at: turn.now })
  turn.left = new Map(turn.left).set(of.job, on)
  for (const place of on) turn.toProcessor(place, { type: 'run', ...attemptOf(of), work: of.work, setup: 0 })
  const { job, attempt, user } = of
  const { kind, decided, wasted, price } = one
  turn.note({ type: 'started', job, attempt, user, kind, decided, wasted, price, paid, processors: on })
  watchEnd(turn, job)
}
