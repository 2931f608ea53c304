/**
 * The user hands jobs to idle leaders when they arrive, first come, first served. With patience it asks the leaders
 * at intervals, and hands a job over again if it failed or its leader does not answer.
 */
import { type Address, actor, type Effect, type Mail, now, observe, type Time, tell, timer } from '../../lib/actor.ts'
import type { Attempt, Begin, ToUser } from './messages.ts'

export type MeshJob = Omit<Begin, 'type' | 'attempt'> & { readonly arrival: Time }

export type UserInput = {
  /** Jobs in the order of arrival. */
  readonly jobs: readonly MeshJob[]
  readonly leaders: readonly Address[]
  readonly allocator: Address
  /** The time between questions to leaders; null: they are not asked. */
  readonly patience: Time | null
  /** The most attempts at a job. */
  readonly attempts: number
}

interface Context extends UserInput {
  /** The number of jobs handed over for the first time. */
  readonly begun: number
  /** Attempts that failed and whose jobs are to be handed over again. */
  readonly failed: readonly Attempt[]
  readonly idle: readonly Address[]
  readonly busy: readonly Lead[]
  /** Leaders that did not answer. */
  readonly missing: readonly Address[]
  readonly isAsking: boolean
}

type Lead = Attempt & {
  readonly leader: Address
  /** The number of questions since its last answer. */
  readonly asked: number
}

/** Facts that the user observes, for listeners. */
export type UserFact = Attempt & { readonly type: 'handed' | 'over' | 'failed' }

/** The number of unanswered questions after which a leader is taken for dead. */
const QUESTIONS = 5

type Event = Mail<ToUser> | { type: 'arrive' } | { type: 'ask' }

const { createMachine, rule, onEntry } = actor<{ input: UserInput; context: Context; event: Event }>()

type Turn = readonly [Context, ...Effect[]]

const fact = (type: UserFact['type'], { job, attempt }: Attempt): Effect =>
  observe({ type, job, attempt } satisfies UserFact)

const awaitArrival = ({ jobs, begun, idle }: Context): Effect[] => {
  const next = jobs[begun]
  const isAwaited = next && idle.length > 0
  return isAwaited ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

const hasArrived = (job: MeshJob | undefined): job is MeshJob => job !== undefined && job.arrival <= now()

/** Hands failed jobs over first, then those that have arrived, while leaders are idle. */
function handOver(before: Context): Turn {
  let context = before
  const effects: Effect[] = []
  for (const leader of before.idle) {
    const [again, ...failed] = context.failed
    const job = again ? context.jobs.find((one) => one.job === again.job) : context.jobs[context.begun]
    if (!hasArrived(job)) break
    const { arrival: _, ...of } = job
    const attempt = (again?.attempt ?? 0) + 1
    effects.push(tell(leader, { type: 'begin', ...of, attempt }), fact('handed', { job: job.job, attempt }))
    context = {
      ...context,
      ...(again ? { failed } : { begun: context.begun + 1 }),
      idle: context.idle.slice(1),
      busy: [...context.busy, { leader, job: job.job, attempt, asked: 0 }],
    }
  }
  return next(context, effects)
}

/** Starts the timers: leaders are asked while any of them is busy. */
function next(context: Context, effects: readonly Effect[]): Turn {
  const { patience, busy, isAsking } = context
  const asks = patience !== null && !isAsking && busy.length > 0 ? [timer('ask', patience, { type: 'ask' })] : []
  return [{ ...context, isAsking: isAsking || asks.length > 0 }, ...effects, ...asks, ...awaitArrival(context)]
}

const isOf =
  (leader: Address, { job, attempt }: Attempt) =>
  (lead: Lead) =>
    lead.leader === leader && lead.job === job && lead.attempt === attempt

/** Handles the end or the failure of an attempt. A missing leader that answers is idle again. */
function ended(context: Context, leader: Address, attempt: Attempt, isFailed: boolean): Turn {
  const lead = context.busy.find(isOf(leader, attempt))
  const isBack = context.missing.includes(leader)
  if (!lead && !isBack) return [context]
  const freed = {
    ...context,
    idle: [...context.idle, leader],
    busy: context.busy.filter((one) => one !== lead),
    missing: context.missing.filter((one) => one !== leader),
  }
  if (!lead) return handOver(freed)
  const [changes, ...effects] = handOver(isFailed ? failing(freed, lead) : freed)
  return [changes, fact(isFailed ? 'failed' : 'over', lead), ...effects]
}

/** Queues a failed job for another attempt if any are left. */
const failing = (context: Context, { job, attempt }: Attempt): Context =>
  attempt >= context.attempts ? context : { ...context, failed: [...context.failed, { job, attempt }] }

/** Asks all busy leaders. A leader with too many unanswered questions is missing, and its job has failed. */
const onAskDue = rule('ask', (before) => {
  const given = before.busy.filter(({ asked }) => asked >= QUESTIONS)
  const lost: Context = given.reduce(failing, {
    ...before,
    isAsking: false,
    busy: before.busy.flatMap((lead) => (given.includes(lead) ? [] : [{ ...lead, asked: lead.asked + 1 }])),
    missing: [...before.missing, ...given.map(({ leader }) => leader)],
  })
  const asks = [
    ...lost.busy.map(({ leader, job, attempt }) => tell(leader, { type: 'ask', job, attempt })),
    ...(lost.failed.length > 0 || lost.idle.length === 0 ? lost.missing : []).map((leader) =>
      tell(leader, { type: 'ask', job: 0, attempt: 0 }),
    ),
  ]
  const [context, ...effects] = handOver(lost)
  return [
    context,
    ...given.map((lead) => fact('failed', lead)),
    ...given.map(({ leader }) => tell(before.allocator, { type: 'silent', leader })),
    ...asks,
    ...effects,
  ]
})

const onLeads = rule('leads', (context, { from, ...attempt }) => [
  { busy: context.busy.map((lead) => (isOf(from, attempt)(lead) ? { ...lead, asked: 0 } : lead)) },
])

export default createMachine({
  context: ({ input }) => ({
    ...input,
    begun: 0,
    failed: [],
    idle: input.leaders,
    busy: [],
    missing: [],
    isAsking: false,
  }),
  entry: onEntry((context) => [{}, ...awaitArrival(context)]),
  on: {
    arrive: { actions: rule('arrive', (context) => handOver(context)) },
    over: { actions: rule('over', (context, { from, ...of }) => ended(context, from, of, false)) },
    failed: { actions: rule('failed', (context, { from, ...of }) => ended(context, from, of, true)) },
    leads: { actions: onLeads },
    ask: { actions: onAskDue },
  },
})
