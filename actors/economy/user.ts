/**
 * A user: submits jobs, each at its time, to the scheduler and to the bank, and again until both have answered and it has
 * heard the end of it; steers the weights of his classes towards the slowdowns that he wants (section 4).
 */
import {
  type Address,
  actor,
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
import type { Caution } from './terms.ts'

export type UserJob = Request & { readonly arrival: Time }

export type UserInput = Caution & {
  /** In the order of their arrival. */
  readonly jobs: readonly UserJob[]
  readonly scheduler: Address
  /** Null: nothing is paid. */
  readonly bank: Address | null
  readonly coefficients: PerClass
  /** The ratios of slowdowns that he wants; null: leaves the weights as they are. */
  readonly targets: PerClass | null
  /** What earlier lives wrote down; absent in the first. */
  readonly records?: readonly Remembered[]
}

type Remembered =
  /** Its end is known. */
  { readonly type: 'ended'; readonly job: number } | { readonly type: 'steered'; readonly coefficients: PerClass }

/** Submitted, and not over as far as the user knows. */
interface Open {
  readonly request: Request
  /** Who has answered. */
  readonly by: { readonly scheduler: boolean; readonly bank: boolean }
}

interface Context extends Omit<UserInput, 'records'> {
  /** How many have arrived. */
  readonly arrived: number
  readonly open: ReadonlyMap<number, Open>
}

/** For whoever folds a run: a job was submitted for the first time; its end, or that it will not be run, was heard. */
export type UserFact =
  | { readonly type: 'submitted'; readonly job: number }
  | { readonly type: 'heard'; readonly job: number; readonly why: 'finished' | 'overrun' | 'refused' }

type Event = Mail<ToUser> | Joined | { type: 'arrive' } | { type: 'repeat' }

const { createMachine, rule, onEntry } = actor<{ input: UserInput; context: Context; event: Event }>()

const isAnswered = ({ by }: Open): boolean => by.scheduler && by.bank

function submit({ scheduler, bank }: Context, { request, by }: Open): Effect[] {
  const submission = { type: 'submit', ...request } as const
  return [
    ...(by.bank || bank === null ? [] : [tell(bank, submission)]),
    ...(by.scheduler ? [] : [tell(scheduler, submission)]),
  ]
}

/** While an answer is missing. */
const repeatLater = ({ patience }: Context): Effect[] =>
  patience === null ? [] : [timer('repeat', patience, { type: 'repeat' })]

const awaitArrival = ({ jobs, arrived }: Pick<Context, 'jobs' | 'arrived'>): Effect[] => {
  const next = jobs[arrived]
  return next ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

/** All that have come by now are submitted. */
const onArrive = rule('arrive', (context) => {
  const { jobs, bank } = context
  let { arrived } = context
  const open = new Map(context.open)
  const effects: Effect[] = []
  for (let next = jobs[arrived]; next && next.arrival <= now(); next = jobs[++arrived]) {
    const { arrival: _, ...request } = next
    const one: Open = { request, by: { scheduler: false, bank: bank === null } }
    open.set(request.job, one)
    effects.push(...submit(context, one), observe({ type: 'submitted', job: request.job }))
  }
  return [{ arrived, open }, ...effects, ...repeatLater(context), ...awaitArrival({ jobs, arrived })]
})

const onRepeat = rule('repeat', (context) => {
  const missing = [...context.open.values()].filter((one) => !isAnswered(one))
  if (missing.length === 0) return [{}]
  return [{}, ...missing.flatMap((one) => submit(context, one)), ...repeatLater(context)]
})

/** Who is new may have forgotten what it was told, and its answers may have been lost with it. */
const onJoined = rule('joined', (context, { address }) => {
  const { scheduler, bank } = context
  if (address !== scheduler && address !== bank) return [{}]
  const open = new Map(
    [...context.open].map(([job, { request, by }]) => [
      job,
      { request, by: address === bank ? { ...by, bank: false } : { ...by, scheduler: false } },
    ]),
  )
  return [{ open }, ...[...open.values()].flatMap((one) => submit(context, one)), ...repeatLater(context)]
})

const answeredBy = ({ open }: Context, job: number, by: Partial<Open['by']>): Decision<Context> => {
  const one = open.get(job)
  return [one ? { open: new Map(open).set(job, { ...one, by: { ...one.by, ...by } }) } : {}]
}

function over(context: Context, job: number, why: Extract<UserFact, { type: 'heard' }>['why']): Decision<Context> {
  if (!context.open.has(job)) return [{}]
  const open = new Map(context.open)
  open.delete(job)
  const record: Remembered = { type: 'ended', job }
  return [{ open }, ...(context.durable ? [persist(record)] : []), observe({ type: 'heard', job, why })]
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

/** A later life does not submit what it knows to be over. */
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
    accepted: { actions: rule('accepted', (context, { job }) => answeredBy(context, job, { scheduler: true })) },
    opened: { actions: rule('opened', (context, { job }) => answeredBy(context, job, { bank: true })) },
    ended: { actions: rule('ended', (context, { job, why }) => over(context, job, why)) },
    refused: { actions: rule('refused', (context, { job }) => over(context, job, 'refused')) },
    statistics: { actions: onStatistics },
  },
})
