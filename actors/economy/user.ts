/**
 * A user: submits jobs, each at its time, to the scheduler and to the bank, and again, ever more seldom, until it hears the
 * end of them; steers the weights of his classes towards the slowdowns that he wants (section 4).
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
  /** In the order of their arrival. */
  readonly jobs: readonly UserJob[]
  readonly scheduler: Address
  /** Null: nothing is paid. */
  readonly bank: Address | null
  readonly coefficients: PerClass
  /** The ratios of slowdowns that he wants; null: leaves the weights as they are. */
  readonly targets: PerClass | null
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Remembered[]
}

type Remembered =
  /** Its end is known. */
  { readonly type: 'ended'; readonly job: number } | { readonly type: 'steered'; readonly coefficients: PerClass }

/** Submitted, and not over as far as the user knows. */
interface Open {
  readonly request: Request
  /** Has the bank answered? */
  readonly isFunded: boolean
  /** When it is said again, and how long until the time after that. */
  readonly again: Time
  readonly pause: Time
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

/** At once, and then with patience. */
const afresh = ({ patience }: Context) => ({ again: 0, pause: patience ?? Number.POSITIVE_INFINITY })

/** Says it to whoever may not know; each time it waits twice as long before it says it again. */
function submit({ scheduler, bank }: Context, one: Open): readonly [Open, readonly Effect[]] {
  const { request, isFunded, pause } = one
  const submission = { type: 'submit', ...request } as const
  const again = pause > LONGEST_PAUSE ? Number.POSITIVE_INFINITY : now() + pause
  return [
    { ...one, again, pause: 2 * pause },
    [...(isFunded || bank === null ? [] : [tell(bank, submission)]), tell(scheduler, submission)],
  ]
}

/** Submits the open jobs whose time it is. */
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

/** While the end of any is not heard. */
function repeatLater(open: ReadonlyMap<number, Open>): Effect[] {
  const next = Math.min(...[...open.values()].map(({ again }) => again))
  return Number.isFinite(next) ? [timer('repeat', Math.max(0, next - now()), { type: 'repeat' })] : []
}

const awaitArrival = ({ jobs, arrived }: Pick<Context, 'jobs' | 'arrived'>): Effect[] => {
  const next = jobs[arrived]
  return next ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

/** All that have come by now are submitted. */
const onArrive = rule('arrive', (context) => {
  const { jobs, bank } = context
  let { arrived } = context
  const open = new Map(context.open)
  const facts: Effect[] = []
  for (let next = jobs[arrived]; next && next.arrival <= now(); next = jobs[++arrived]) {
    const { arrival: _, ...request } = next
    open.set(request.job, { request, isFunded: bank === null, ...afresh(context) })
    facts.push(observe({ type: 'submitted', job: request.job }))
  }
  const [changes, effects] = submitDue(context, open)
  return [{ arrived, ...changes }, ...effects, ...facts, ...awaitArrival({ jobs, arrived })]
})

const onRepeat = rule('repeat', (context) => {
  const [changes, effects] = submitDue(context, context.open)
  return [changes, ...effects]
})

/** Who is new may have forgotten what it was told, and its answers may have been lost with it. */
const onJoined = rule('joined', (context, { address }) => {
  const { scheduler, bank } = context
  if (address !== scheduler && address !== bank) return [{}]
  const open = new Map(
    [...context.open].map(([job, one]) => {
      return [job, { ...one, isFunded: one.isFunded && address !== bank, ...afresh(context) }]
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

/** A later incarnation does not submit what it knows to be over. */
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
