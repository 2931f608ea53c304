/**
 * Whoever has jobs to be done, each from its own instant on: hands them to idle leaders, first come first served. With
 * patience it asks the leaders from time to time; a job that failed, or whose leader does not answer, it hands over again.
 */
import { type Address, actor, type Effect, type Mail, now, observe, type Time, tell, timer } from '../../lib/actor.ts'
import type { Attempt, Begin, ToUser } from './messages.ts'

export type MeshJob = Omit<Begin, 'type' | 'attempt'> & { readonly arrival: Time }

export type UserInput = {
  /** In the order of their arrival. */
  readonly jobs: readonly MeshJob[]
  readonly leaders: readonly Address[]
  readonly allocator: Address
  /** How often leaders are asked; null: never. */
  readonly patience: Time | null
  /** How often a job is begun at most. */
  readonly attempts: number
}

interface Context extends UserInput {
  /** How many have arrived and been handed over for the first time. */
  readonly begun: number
  /** To be handed over again. */
  readonly failed: readonly Attempt[]
  readonly idle: readonly Address[]
  readonly busy: readonly Lead[]
  /** They did not answer. */
  readonly missing: readonly Address[]
  readonly isAsking: boolean
}

type Lead = Attempt & {
  readonly leader: Address
  /** Questions since its last answer. */
  readonly asked: number
}

/** For whoever folds a run. */
export type UserFact = Attempt & { readonly type: 'handed' | 'over' | 'failed' }

/** So many questions that are not answered mean that a leader is dead. */
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

/** Who failed first, then all that have arrived, as long as anybody is idle. */
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

/** While somebody is at work leaders are asked. */
function next(context: Context, effects: readonly Effect[]): Turn {
  const { patience, busy, isAsking } = context
  const asks = patience !== null && !isAsking && busy.length > 0 ? [timer('ask', patience, { type: 'ask' })] : []
  return [{ ...context, isAsking: isAsking || asks.length > 0 }, ...effects, ...asks, ...awaitArrival(context)]
}

const isOf =
  (leader: Address, { job, attempt }: Attempt) =>
  (lead: Lead) =>
    lead.leader === leader && lead.job === job && lead.attempt === attempt

/** Who says that he is at nothing is idle; and so is who was missing and is back. */
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

/** It is handed over again, unless that has been done often enough. */
const failing = (context: Context, { job, attempt }: Attempt): Context =>
  attempt >= context.attempts ? context : { ...context, failed: [...context.failed, { job, attempt }] }

/** Who has left too many questions unanswered leads nothing any more. */
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
