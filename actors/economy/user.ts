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
  now,
  observe,
  persist,
  retry,
  type Time,
  type Turn,
  tell,
  timer,
  turn,
} from '../../lib/actor.ts'
import type { Caution } from '../processor/employer.ts'
import { corrected, normalised } from './coefficients.ts'
import type { Opened, PerClass, Request, Statistics, ToUser } from './messages.ts'
import type { Durability } from './terms.ts'

export type UserJob = Request & { readonly arrival: Time }

export type UserInput = Caution &
  Durability & {
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
  /** How long the next submission waits for the end. */
  readonly pause: Time | null
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

type Event = ToUser | Joined | { type: 'arrive' } | { type: 'repeat'; job: number }

const { createMachine, handlers, onEntry } = actor<{ input: UserInput; context: Context; event: Event }>()

/** Submits a job to the scheduler, and to a bank that has not answered. It is submitted again until its end is heard. */
function submit(it: Turn<Context>, { request, isFunded, pause }: Open): void {
  const { scheduler, bank } = it.context
  const { job } = request
  const [next, ...again] = retry(`submit ${job}`, pause, { type: 'repeat', job })
  it.context.open = new Map(it.context.open).set(job, { request, isFunded, pause: next })
  const submission = { type: 'submit', ...request } as const
  if (bank !== null && !isFunded) it.do(tell(bank, submission))
  it.do(tell(scheduler, submission), ...again)
}

const awaitArrival = ({ jobs, arrived }: Context): Effect[] => {
  const next = jobs[arrived]
  return next ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

/** Submits all jobs that have arrived by now. */
const onArrive = turn((it: Turn<Context>) => {
  const { jobs, bank, patience } = it.context
  for (let next = jobs[it.context.arrived]; next && next.arrival <= now(); next = jobs[it.context.arrived]) {
    const { arrival: _, ...request } = next
    it.context.arrived += 1
    submit(it, { request, isFunded: bank === null, pause: patience })
    it.do(observe({ type: 'submitted', job: request.job }))
  }
  it.do(...awaitArrival(it.context))
})

const onRepeat = turn((it: Turn<Context>, { job }: { job: number }) => {
  const one = it.context.open.get(job)
  if (one) submit(it, one)
})

/** Submits all open jobs again when the scheduler or the bank has restarted: it may have forgotten them. */
const onJoined = turn((it: Turn<Context>, { address }: Joined) => {
  const { scheduler, bank, patience, open } = it.context
  if (address !== scheduler && address !== bank) return
  for (const { request, isFunded } of open.values()) {
    submit(it, { request, isFunded: isFunded && address !== bank, pause: patience })
  }
})

function onOpened({ open }: Context, { job }: Opened): Decision<Context> {
  const one = open.get(job)
  return [one ? { open: new Map(open).set(job, { ...one, isFunded: true }) } : {}]
}

const remember = ({ durable }: Context, record: Remembered): Effect[] => (durable ? [persist(record)] : [])

function over(context: Context, job: number, why: Extract<UserFact, { type: 'heard' }>['why']): Decision<Context> {
  if (!context.open.has(job)) return [{}]
  const open = new Map(context.open)
  open.delete(job)
  return [
    { open },
    ...remember(context, { type: 'ended', job }),
    observe({ type: 'heard', job, why }),
    ...(context.patience === null ? [] : [cancel(`submit ${job}`)]),
  ]
}

function onStatistics(context: Context, { slowdowns }: Statistics): Decision<Context> {
  const { coefficients, targets, bank } = context
  if (!targets || bank === null) return [{}]
  const next = normalised(corrected(coefficients, slowdowns, targets))
  return [
    { coefficients: next },
    ...remember(context, { type: 'steered', coefficients: next }),
    tell(bank, { type: 'steer', coefficients: next }),
  ]
}

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
  on: handlers({
    arrive: onArrive,
    repeat: onRepeat,
    joined: onJoined,
    opened: onOpened,
    ended: (context, { job, why }) => over(context, job, why),
    refused: (context, { job }) => over(context, job, 'refused'),
    statistics: onStatistics,
  }),
})
