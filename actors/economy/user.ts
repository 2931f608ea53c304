/**
 * A user submits each job at its arrival to the scheduler and to the bank, and repeats it with growing pauses until it hears
 * the end. It adjusts the weights of its classes towards the slowdowns that it wants (section 4).
 */
import { actor, type Joined, type Ref, type Time, type Turn, tell, turn } from '../../lib/actor.ts'
import { awaitNext, beginArrived } from '../arrivals.ts'
import type { Caution } from '../processor/employer.ts'
import { corrected, normalised } from './coefficients.ts'
import {
  type Ended,
  type PerClass,
  type Refused,
  type Request,
  requestOf,
  type Statistics,
  type ToBank,
  type ToScheduler,
  type ToUser,
} from './messages.ts'
import type { Durability } from './terms.ts'
import { type JobEvent, jobChart, type OpenJob } from './user-job.ts'

/** A job of a user, with its arrival. */
export type UserJob = Request & { readonly arrival: Time }

/** What a user is spawned with. */
export type UserInput = Caution &
  Durability & {
    /** The jobs in order of arrival. */
    readonly jobs: readonly UserJob[]
    readonly scheduler: Ref<ToScheduler>
    /** The bank; null: nothing is paid. */
    readonly bank: Ref<ToBank> | null
    readonly coefficients: PerClass
    /** The wanted ratios of slowdowns; null: the weights stay as they are. */
    readonly targets: PerClass | null
    /** What earlier incarnations persisted; absent in the first. */
    readonly records?: readonly Remembered[]
  }

type Remembered =
  /** The end of the job is known. */
  { readonly type: 'ended'; readonly job: number } | { readonly type: 'steered'; readonly coefficients: PerClass }

interface Context extends Omit<UserInput, 'records'> {
  /** How many jobs have arrived. */
  readonly arrived: number
  /** The submitted jobs whose ends the user has not heard. */
  readonly open: ReadonlyMap<number, OpenJob>
}

/** The facts that a user reports: it submitted a job for the first time, or heard of its end or refusal. */
export type UserFact =
  | { readonly type: 'submitted'; readonly job: number }
  | { readonly type: 'heard'; readonly job: number; readonly why: 'finished' | 'overrun' | 'refused' }

type Event = ToUser | Joined | { type: 'arrive' } | { type: 'repeat'; job: number }

const { createMachine, handlers, onEntry, observe, persist } = actor<{
  input: UserInput
  context: Context
  event: Event
  record: Remembered
  fact: UserFact
}>({ charts: [jobChart] })

/** Submits all jobs that have arrived by now. */
const onArrive = turn((it: Turn<Context>) => {
  const { jobs, scheduler, bank, patience } = it.context
  const open = new Map(it.context.open)
  beginArrived(it, jobs, (arrived) => {
    const request = requestOf(arrived)
    const { job } = request
    const [child, ...effects] = jobChart.start(job, { request, scheduler, bank, patience })
    open.set(job, child)
    it.do(...effects, observe({ type: 'submitted', job }))
  })
  it.context.open = open
})

/** Hands an event to an open job. */
function send(it: Turn<Context>, job: number, event: JobEvent): void {
  const before = it.context.open.get(job)
  if (!before) return
  const [after, ...effects] = jobChart.send(before, event)
  it.context.open = new Map(it.context.open).set(job, after)
  it.do(...effects)
}

const onJob = turn((it: Turn<Context>, event: JobEvent & { job: number }) => send(it, event.job, event))

/** Submits all open jobs again when the scheduler or the bank has restarted: it may have forgotten them. */
const onJoined = turn((it: Turn<Context>, event: Joined) => {
  const { scheduler, bank, open } = it.context
  if (event.address !== scheduler && event.address !== bank) return
  for (const job of open.keys()) send(it, job, event)
})

const onEnd = turn((it: Turn<Context>, event: Ended | Refused) => {
  const { job } = event
  if (!it.context.open.has(job)) return
  send(it, job, event)
  const open = new Map(it.context.open)
  open.delete(job)
  it.context.open = open
  if (it.context.durable) it.do(persist({ type: 'ended', job }))
  it.do(observe({ type: 'heard', job, why: event.type === 'ended' ? event.why : 'refused' }))
})

const onStatistics = turn((it: Turn<Context>, { slowdowns }: Statistics) => {
  const { coefficients, targets, bank, durable } = it.context
  if (!targets || bank === null) return
  const next = normalised(corrected(coefficients, slowdowns, targets))
  it.context.coefficients = next
  if (durable) it.do(persist({ type: 'steered', coefficients: next }))
  it.do(tell(bank, { type: 'steer', coefficients: next }))
})

/**
 * Restores the user from its records: jobs that are over are not submitted again. Only a restart asks which jobs these are,
 * so they are no event-sourced book.
 */
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
  entry: onEntry((context) => [{}, ...awaitNext(context.jobs[0]?.arrival)]),
  on: handlers({
    arrive: onArrive,
    repeat: onJob,
    opened: onJob,
    joined: onJoined,
    ended: onEnd,
    refused: onEnd,
    statistics: onStatistics,
  }),
})
