/**
 * The user hands jobs to idle leaders when they arrive, first come, first served. With patience it asks the leaders
 * at intervals, and hands a job over again if it failed or its leader does not answer. While no leader computes, because
 * all wait for the allocator, the intervals double.
 *
 * Its jobs have no child charts. A job is still to come, with a busy leader, failed or over, and its place in the lists of
 * the user says which; the states of its work are in the statechart of the leader.
 */
import {
  type Address,
  actor,
  awaitInspection,
  type Delivery,
  type FailureDetector,
  heardOf,
  idleDetector,
  inspected,
  type Joined,
  now,
  probed,
  type Ref,
  type Time,
  type Turn,
  tell,
  turn,
} from '../../lib/actor.ts'
import { awaitNext } from '../arrivals.ts'
import {
  type Attempt,
  attemptOf,
  type Begin,
  type Failed,
  isSame,
  type Leads,
  NO_JOB,
  type Over,
  type ToAllocator,
  type ToJob,
  type ToUser,
} from './messages.ts'

export type MeshJob = Omit<Begin, 'type' | 'attempt'> & { readonly arrival: Time }

export type UserInput = {
  /** Jobs in the order of arrival. */
  readonly jobs: readonly MeshJob[]
  readonly leaders: readonly Ref<ToJob>[]
  readonly allocator: Ref<ToAllocator>
  /** The time between questions to leaders while one of them computes; null: they are not asked. */
  readonly patience: Time | null
  /** The most attempts at a job. */
  readonly attempts: number
}

interface Context extends UserInput {
  /** The number of jobs handed over for the first time. */
  readonly begun: number
  /** Attempts that failed and whose jobs are to be handed over again. */
  readonly failed: readonly Attempt[]
  readonly idle: readonly Ref<ToJob>[]
  readonly busy: readonly Lead[]
  /** Leaders that did not answer. */
  readonly missing: readonly Ref<ToJob>[]
  /** Watches the busy leaders. */
  readonly detector: FailureDetector<Ref<ToJob>>
  /** The pause before the next questions; null: the leaders are not asked. */
  readonly pause: Time | null
}

type Lead = Attempt & {
  readonly leader: Ref<ToJob>
  /** Whether it computes, by its last answer. A leader that has not answered yet is taken to compute. */
  readonly isComputing: boolean
}

/** Facts that the user observes, for listeners. */
export type UserFact =
  | (Attempt & { readonly type: 'over' | 'failed' })
  /** The job is handed to this leader, which is told only with patience: then a job may be handed over again. */
  | (Attempt & { readonly type: 'handed'; readonly leader?: Address })

/** The number of unanswered questions after which a leader is taken for dead. */
const QUESTIONS = 5

type Event = ToUser | Joined | { type: 'arrive' } | { type: 'ask' }

const { createMachine, handlers, observe, onEntry, retry } = actor<{
  input: UserInput
  context: Context
  event: Event
  reply: ToJob
  fact: UserFact
}>()

type It = Turn<Context>

const fact = (type: 'over' | 'failed', { job, attempt }: Attempt) => observe({ type, job, attempt })

function awaitArrival({ context: { jobs, begun, idle }, do: perform }: It): void {
  if (idle.length > 0) perform(...awaitNext(jobs[begun]?.arrival))
}

const hasArrived = (job: MeshJob | undefined): job is MeshJob => job !== undefined && job.arrival <= now()

const areComputing = ({ busy }: Context): boolean => busy.some((lead) => lead.isComputing)

/** Sets the timer of the next questions. Pauses double while no leader computes. */
function watch(it: It): void {
  const { patience, busy, pause } = it.context
  if (patience === null || busy.length === 0) return
  const [next, ...again] = retry('ask', pause, { type: 'ask' })
  if (awaitInspection(it, ...again)) it.context.pause = areComputing(it.context) ? patience : next
}

/** Ends a long pause, before a leader begins to compute. */
function shorten({ context }: It): void {
  if (areComputing(context)) return
  context.detector = { ...context.detector, isWatching: false }
  context.pause = context.patience
}

/** Hands failed jobs over first, then those that have arrived, while leaders are idle. Starts the timers. */
function handOver(it: It): void {
  const { context } = it
  for (const leader of context.idle) {
    const [again, ...failed] = context.failed
    const next = again ? context.jobs.find((one) => one.job === again.job) : context.jobs[context.begun]
    if (!hasArrived(next)) break
    const { job, work, minimum } = next
    const attempt = (again?.attempt ?? 0) + 1
    const handed: UserFact = { type: 'handed', job, attempt }
    it.do(
      tell(leader, { type: 'begin', job, work, minimum, attempt }),
      observe(context.patience === null ? handed : { ...handed, leader }),
    )
    shorten(it)
    if (again) context.failed = failed
    else context.begun += 1
    context.idle = context.idle.slice(1)
    context.busy = [...context.busy, { leader, job, attempt, isComputing: true }]
  }
  watch(it)
  awaitArrival(it)
}

const leadOf = ({ busy }: Context, leader: Ref<ToJob>, attempt: Attempt): Lead | undefined =>
  busy.find((lead) => lead.leader === leader && isSame(lead, attempt))

/** Handles the end or the failure of an attempt. A missing leader that answers is idle again. */
const onEnded = turn((it: It, ended: Over | Failed, { from: leader }: Delivery<Ref<ToJob>>) => {
  const { context } = it
  const lead = leadOf(context, leader, ended)
  if (!lead && !context.missing.includes(leader)) return
  context.idle = [...context.idle, leader]
  context.busy = context.busy.filter((one) => one !== lead)
  context.missing = context.missing.filter((one) => one !== leader)
  if (lead) {
    it.do(fact(ended.type, lead))
    context.detector = heardOf(context.detector, leader)
    if (ended.type === 'failed') fail(it, lead)
  }
  handOver(it)
})

/** Queues a failed job for another attempt if any are left. */
function fail({ context }: It, of: Attempt): void {
  if (of.attempt < context.attempts) context.failed = [...context.failed, attemptOf(of)]
}

/** Asks all busy leaders. A leader with too many unanswered questions is missing, and its job has failed. */
const onAskDue = turn((it: It) => {
  const { context } = it
  const [detector, suspects] = inspected(context.detector, () => QUESTIONS)
  const given = context.busy.filter(({ leader }) => suspects.includes(leader))
  for (const lead of given) fail(it, lead)
  context.busy = context.busy.filter((lead) => !given.includes(lead))
  context.missing = [...context.missing, ...given.map(({ leader }) => leader)]
  context.detector = probed(
    detector,
    context.busy.map(({ leader }) => leader),
  )
  const isShort = context.failed.length > 0 || context.idle.length === 0
  it.do(
    ...given.map((lead) => fact('failed', lead)),
    ...given.map(({ leader }) => tell(context.allocator, { type: 'silent', leader })),
    ...context.busy.map(({ leader, job, attempt }) => tell(leader, { type: 'ask', job, attempt })),
    ...(isShort ? context.missing : []).map((leader) =>
      tell(leader, { type: 'ask', job: NO_JOB.job, attempt: NO_JOB.attempt }),
    ),
  )
  handOver(it)
})

const onLeads = turn((it: It, leads: Leads, { from }: Delivery<Ref<ToJob>>) => {
  const { context } = it
  const lead = leadOf(context, from, leads)
  if (!lead) return
  const { isComputing } = leads
  context.detector = heardOf(context.detector, from)
  if (isComputing) shorten(it)
  context.busy = context.busy.map((one) => (one === lead ? { ...lead, isComputing } : one))
  watch(it)
})

/** The allocator or a leader is back. */
const onJoined = turn((it: It) => {
  shorten(it)
  watch(it)
})

export default createMachine({
  context: ({ input }) => ({
    ...input,
    begun: 0,
    failed: [],
    idle: input.leaders,
    busy: [],
    missing: [],
    detector: idleDetector(),
    pause: input.patience,
  }),
  entry: onEntry(turn(awaitArrival)),
  on: handlers({
    arrive: turn(handOver),
    over: onEnded,
    failed: onEnded,
    leads: onLeads,
    ask: onAskDue,
    joined: onJoined,
  }),
})
