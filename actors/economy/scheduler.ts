/**
 * The scheduler of a parallel machine (section 2.5). The events of one instant request one pass, which comes after all mail
 * of the instant. In a pass the scheduler asks the bank what the waiting jobs can spend, chooses, has the bank charge the
 * chosen jobs, and starts them. Events during a pass wait for the next one.
 */
import { type Address, type Delivery, type Joined, machineOf, newId, now, turn } from '../../lib/actor.ts'
import { fromProcessor, toProcessor } from '../processor/employer.ts'
import { ask, back, finished, found, inspect, progress, watch } from './inspection.ts'
import { admit, extensionAnswered, overdue, refuseStrangers, refuseTooLarge, returnToQueue, watchEnd } from './jobs.ts'
import { type Carried, type Offers, type Quoted, requestOf, type SchedulerFact, type Submit } from './messages.ts'
import { type Candidate, pass, type Start } from './pass.ts'
import type { Job } from './scheduler-book.ts'
import {
  bankAnswered,
  createMachine,
  enter,
  handlers,
  idle,
  initialState,
  instruct,
  observe,
  onEntry,
  repeat,
  requestPass,
  type SchedulerState,
  type SchedulerTurn,
  timer,
  toBank,
} from './scheduler-state.ts'

/** A handler of an event, after which the next inspection is set. */
const on = <E>(happens: (it: SchedulerTurn, event: E, from: Address) => void) =>
  turn((it: SchedulerTurn, event: E, { from }: Delivery) => {
    happens(it, event, from)
    watch(it)
  })

/** Handles news of a processor, which show that the processor is alive. */
const heard = (it: SchedulerTurn, from: Address, happens: (place: number) => void): void =>
  fromProcessor(it, from, (place) => found(it, place), happens)

/** A handler of a message of a processor. */
const onProcessor = <E>(happens: (it: SchedulerTurn, place: number, event: E) => void) =>
  on((it, event: E, from) => heard(it, from, (place) => happens(it, place, event)))

/** Continues in a later incarnation: repeats what is unanswered, probes the running jobs and requests a pass. */
const resume = turn((it: SchedulerTurn) => {
  const { instructions, ready, running } = it.context.book
  if (instructions === 0 && ready.length === 0 && running.size === 0) return
  requestPass(it)
  repeat(it)
  ask(it)
  watch(it)
  for (const job of running.keys()) overdue(it, job)
})

function onSubmit(it: SchedulerTurn, submit: Submit, from: Address): void {
  admit(it, machineOf(from), requestOf(submit))
}

function onJoined(it: SchedulerTurn, { address }: Joined): void {
  if (address === it.context.terms.bank) repeat(it)
  else heard(it, address, (place) => back(it, place))
}

function onCarried(it: SchedulerTurn, answer: Carried): void {
  const { unanswered, charging } = it.context.book
  const instruction = unanswered.find(({ n }) => n === answer.n)
  if (!instruction) return
  enter(it, { type: 'carried', n: answer.n })
  bankAnswered(it)
  const { act } = instruction
  if (act.type === 'charge' && charging) charged(it, charging.starts, answer)
  if (act.type === 'extend') extensionAnswered(it, act.job, answer.amounts[0] ?? null)
  // the bank may have answered the last quote before the refund, without an offer for the job; an open quote it answers after it
  if (act.type === 'refund' && !it.context.asked) requestPass(it)
}

// --- a pass -----------------------------------------------------------------------------------------------------------

/**
 * Begins a pass. Without idle processors no job can start or get a reservation; the pass is then needed only to find the
 * best offer, which prices extra time.
 */
function begin(it: SchedulerTurn): void {
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
function quoted(it: SchedulerTurn, { pass: answered, balances, rates, strangers = [] }: Quoted): void {
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
  choose(it, candidates, asked.quote.pass)
}

/** Chooses the jobs that start, from what they can spend in a pass of this name; null where money does not matter. */
function choose(it: SchedulerTurn, candidates: readonly Candidate[], name: string | null = null): void {
  const { book, terms } = it.context
  const ends = [...book.running.values()].flatMap(({ on, end }) => on.map(() => end))
  const { starts, reservation, best } = pass(
    terms.policy,
    { now: now(), idle: idle(it).length, ends },
    candidates,
    book.reservation,
  )
  if (terms.overrun) it.context.best = best()
  if (reservation?.choice.job !== book.reservation?.job) {
    enter(it, { type: 'reserved', reservation: reservation?.choice ?? null })
  }
  const passed: SchedulerFact = {
    type: 'passed',
    reservation: reservation && { job: reservation.choice.job, start: reservation.start },
    starts: starts.map(({ job }) => job),
    skipped: skippedOf(book.ready, candidates),
  }
  it.do(observe(name === null || !terms.durable ? passed : { ...passed, offers: offersOf(name, candidates) }))
  if (starts.length === 0) return
  if (terms.bank === null) for (const one of starts) start(it, one, 0)
  else {
    enter(it, { type: 'chosen', starts })
    const users = new Map(book.ready.map(({ job, user }) => [job, user]))
    instruct(it, { type: 'charge', jobs: starts.map(({ job }) => ({ job, user: users.get(job) ?? '' })) })
  }
}

const offersOf = (pass: string, candidates: readonly Candidate[]): Offers => ({
  pass,
  jobs: candidates.map(({ job }) => job),
  balances: candidates.map(({ balance = 0 }) => balance),
})

/** The waiting jobs that were no candidates: the bank did not know them, or they arrived during the pass. */
function skippedOf(ready: readonly Job[], candidates: readonly Candidate[]): number[] {
  if (candidates.length === ready.length) return []
  const seen = new Set(candidates.map(({ job }) => job))
  return ready.flatMap(({ job }) => (seen.has(job) ? [] : [job]))
}

/** Starts the jobs that the bank has charged. */
function charged(it: SchedulerTurn, starts: readonly Start[], { amounts }: Carried): void {
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
  const { job, attempt, user, work } = of
  for (const place of on) toProcessor(it, place, { type: 'run', task: job, attempt, work, setup: 0 })
  const { kind, decided, wasted, price } = one
  it.do(observe({ type: 'started', job, attempt, user, kind, decided, wasted, price, paid, processors: on }))
  watchEnd(it, job)
}

// --- the statechart ---------------------------------------------------------------------------------------------------

type Met = { readonly context: SchedulerState }

const isAsking = ({ context }: Met) => context.asked !== null
const isCharging = ({ context }: Met) => context.book.charging !== null
const isDue = (met: Met) => met.context.isDue && !isAsking(met) && !isCharging(met)

export default createMachine({
  context: ({ input: { records = [], ...terms } }) => initialState(terms, records),
  entry: onEntry(resume),
  initial: 'resting',
  on: handlers({
    submit: on(onSubmit),
    funded: on(requestPass),
    finished: onProcessor(finished),
    progress: onProcessor(progress),
    joined: on(onJoined),
    carried: on(onCarried),
    unanswered: on((it) => repeat(it, it.context.pause)),
    inspect: on(inspect),
    overdue: on((it, { job }) => overdue(it, job)),
  }),
  states: {
    resting: { always: { guard: isDue, target: 'due' } },
    due: {
      entry: onEntry(() => [{}, timer('pass', 0, { type: 'pass' })]),
      on: handlers({ pass: { target: 'passing', handle: on(begin) } }),
    },
    passing: {
      always: [
        { guard: isAsking, target: 'quoting' },
        { guard: isCharging, target: 'charging' },
        { target: 'resting' },
      ],
    },
    quoting: {
      always: { guard: (met) => !isAsking(met), target: 'passing' },
      on: handlers({ quoted: on(quoted) }),
    },
    charging: { always: { guard: (met) => !isCharging(met), target: 'resting' } },
  },
})
