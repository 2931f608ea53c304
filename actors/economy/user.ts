/**
 * A user submits each job at its arrival to the scheduler and to the bank, and repeats it with growing pauses until it hears
 * the end. It adjusts the weights of its classes towards the slowdowns that it wants (section 4).
 */
import {
  type Address,
  actor,
  cancel,
  type Decision,
  type Effect,
  type Joined,
  type Mail,
  now,
  observe,
  persist,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import { corrected, normalised } from './coefficients.ts'
import type { PerClass, Request, ToUser } from './messages.ts'
import { type Caution, LONGEST_PAUSE } from './terms.ts'

export type UserJob = Request & { readonly arrival: Time }

export type UserInput = Caution & {
  /** The jobs in order of arrival. */
  readonly jobs: readonly UserJob[]
  readonly scheduler: Address
  /** The bank; null: nothing is paid. */
  readonly bank: Address | null
  readonly coefficients: PerClass
  /** The wanted ratios of slowdowns; null: the weights stay as they are. */
  readonly targets: PerClass | null
  /** What earlier incarnations persisted; absent in the first. */
  readonly records?: readonly Remembered[]
}

type Remembered =
  /** The end of the job is known. */
  { readonly type: 'ended'; readonly job: number } | { readonly type: 'steered'; readonly coefficients: PerClass }

/** A submitted job whose end the user has not heard. */
interface Open {
  readonly request: Request
  /** Whether the bank has answered. */
  readonly isFunded: boolean
  /** When it is submitted again, and the pause after that. */
  readonly again: Time
  readonly pause: Time
}

interface Context extends Omit<UserInput, 'records'> {
  /** How many jobs have arrived. */
  readonly arrived: number
  readonly open: ReadonlyMap<number, Open>
}

/** The facts that a user reports: it submitted a job for the first time, or heard of its end or refusal. */
export type UserFact =
  | { readonly type: 'submitted'; readonly job: number }
  | { readonly type: 'heard'; readonly job: number; readonly why: 'finished' | 'overrun' | 'refused' }

type Event = Mail<ToUser> | Joined | { type: 'arrive' } | { type: 'repeat' }

const { createMachine, rule, onEntry } = actor<{ input: UserInput; context: Context; event: Event }>()

/** The schedule of a new submission: at once, and again after the patience. */
const newSchedule = ({ patience }: Context) => ({ again: 0, pause: patience ?? Number.POSITIVE_INFINITY })

/** Submits a job to the scheduler, and to a bank that has not answered. The pause doubles each time. */
function submit({ scheduler, bank }: Context, one: Open): readonly [Open, readonly Effect[]] {
  const { request, isFunded, pause } = one
  const submission = { type: 'submit', ...request } as const
  const again = pause > LONGEST_PAUSE ? Number.POSITIVE_INFINITY : now() + pause
  return [
    { ...one, again, pause: 2 * pause },
    [...(isFunded || bank === null ? [] : [tell(bank, submission)]), tell(scheduler, submission)],
  ]
}

/** Submits the open jobs that are due. */
function submitDue(context: Context, open: ReadonlyMap<number, Open>) {
  const effects: Effect[] = []
  const after = new Map(
    [...open].map(([job, one]) => {
      if (one.again > now()) return [job, one]
      const [said, tells] = submit(context, one)
      effects.push(...tells)
      return [job, said]
    }),
  )
  return [{ open: after }, [...effects, ...repeatLater(after)]] as const
}

/** Sets the timer of the next repetition while any job is open. */
function repeatLater(open: ReadonlyMap<number, Open>): Effect[] {
  const next = Math.min(...[...open.values()].map(({ again }) => again))
  return Number.isFinite(next) ? [timer('repeat', Math.max(0, next - now()), { type: 'repeat' })] : []
}

const awaitArrival = ({ jobs, arrived }: Pick<Context, 'jobs' | 'arrived'>): Effect[] => {
  const next = jobs[arrived]
  return next ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

/** Submits all jobs that have arrived by now. */
const onArrive = rule('arrive', (context) => {
  const { jobs, bank } = context
  let { arrived } = context
  const open = new Map(context.open)
  const facts: Effect[] = []
  for (let next = jobs[arrived]; next && next.arrival <= now(); next = jobs[++arrived]) {
    const { arrival: _, ...request } = next
    open.set(request.job, { request, isFunded: bank === null, ...newSchedule(context) })
    facts.push(observe({ type: 'submitted', job: request.job }))
  }
  const [changes, effects] = submitDue(context, open)
  return [{ arrived, ...changes }, ...effects, ...facts, ...awaitArrival({ jobs, arrived })]
})

const onRepeat = rule('repeat', (context) => {
  const [changes, effects] = submitDue(context, context.open)
  return [changes, ...effects]
})

/** Submits all open jobs again when the scheduler or the bank has restarted: it may have forgotten them. */
const onJoined = rule('joined', (context, { address }) => {
  const { scheduler, bank } = context
  if (address !== scheduler && address !== bank) return [{}]
  const open = new Map(
    [...context.open].map(([job, one]) => {
      return [job, { ...one, isFunded: one.isFunded && address !== bank, ...newSchedule(context) }]
    }),
  )
  const [changes, effects] = submitDue(context, open)
  return [changes, ...effects]
})

const onOpened = rule('opened', ({ open }, { job }) => {
  const one = open.get(job)
  return [one ? { open: new Map(open).set(job, { ...one, isFunded: true }) } : {}]
})

function over(context: Context, job: number, why: Extract<UserFact, { type: 'heard' }>['why']): Decision<Context> {
  if (!context.open.has(job)) return [{}]
  const open = new Map(context.open)
  open.delete(job)
  const record: Remembered = { type: 'ended', job }
  return [
    { open },
    ...(context.durable ? [persist(record)] : []),
    observe({ type: 'heard', job, why }),
    ...(open.size === 0 ? [cancel('repeat')] : []),
  ]
}

const onStatistics = rule('statistics', ({ coefficients, targets, bank, durable }, { slowdowns }) => {
  if (!targets || bank === null) return [{}]
  const next = normalised(corrected(coefficients, slowdowns, targets))
  const record: Remembered = { type: 'steered', coefficients: next }
  return [
    { coefficients: next },
    ...(durable ? [persist(record)] : []),
    tell(bank, { type: 'steer', coefficients: next }),
  ]
})

/** Restores the user from its records: jobs that are over are not submitted again. */
function recall(
  { jobs, coefficients }: UserInput,
  records: readonly Remembered[],
): Pick<UserInput, 'jobs' | 'coefficients'> {
  const ended = new Set(records.flatMap((record) => (record.type === 'ended' ? [record.job] : [])))
  const steered = records.flatMap((record) => (record.type === 'steered' ? [record.coefficients] : [])).at(-1)
  return { jobs: jobs.filter(({ job }) => !ended.has(job)), coefficients: steered ?? coefficients }
}

export default createMachine({
  context: ({ input: { records = [], ...input } }) => ({
    ...input,
    ...recall(input, records),
    arrived: 0,
    open: new Map(),
  }),
  entry: onEntry((context) => [{}, ...awaitArrival(context)]),
  on: {
    arrive: { actions: onArrive },
    repeat: { actions: onRepeat },
    joined: { actions: onJoined },
    opened: { actions: onOpened },
    ended: { actions: rule('ended', (context, { job, why }) => over(context, job, why)) },
    refused: { actions: rule('refused', (context, { job }) => over(context, job, 'refused')) },
    statistics: { actions: onStatistics },
  },
})
