/** A client's conversation with the market about one task: how it stands, and what the client says next. */
import {
  type Address,
  cancel,
  type Decision,
  draw,
  type Effect,
  observe,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { Offer } from './dsp.ts'
import { type Memory, type Remembered, remember } from './memory.ts'
import type { Attempt, ClientFact, ToContractor } from './messages.ts'

export type Job = {
  /** Unique in the whole run. */
  readonly id: number
  readonly arrival: Time
  /** Time at speed 1; only the executing machine learns it, by finishing. */
  readonly work: Time
  /** What the client believes the work to be; also the priority, smaller first. */
  readonly estimate: Time
}

export type ClientInput = {
  /** In the order of arrival. */
  readonly tasks: readonly Job[]
  /** From the announcement to the evaluation of the bids. */
  readonly wait: Time
  /** A late bid moves the task if it saves more than this share of the time still to go; null: never. */
  readonly i0: number | null
  /** Which of several bids for the same completion is taken. */
  readonly ties: 'random' | 'index'
  /** With `commit` the losers of an evaluation are told, since they wait for it. */
  readonly clash: 'hold' | 'bump' | 'commit'
  /** Between two status queries about an awarded task; null: none are sent. */
  readonly query: Time | null
  /** How long a query may go unanswered before the contractor is taken for failed, both messages included; null: for ever. */
  readonly timeout: Time | null
  /** What earlier lives wrote down; absent in the first. */
  readonly records?: readonly Remembered[]
}

/** A task between its announcement and its result. */
export type Live = { readonly job: Job; readonly incarnation: number; readonly phase: Soliciting | NoBid | Awarded }

/** Announced; the bids are collected until their evaluation. */
type Soliciting = { readonly name: 'soliciting'; readonly offers: readonly Offer[] }
/** The evaluation found no bid: the first that comes gets the task. */
type NoBid = { readonly name: 'noBid' }
type Awarded = {
  readonly name: 'awarded'
  readonly contractor: Address
  /** As promised. */
  readonly completion: Time
  /** A query is unanswered. */
  readonly asking: boolean
}

/** A live task that is with a contractor, as far as its client knows. */
export type Placed = Live & { readonly phase: Awarded }

export interface Context extends Omit<ClientInput, 'records'>, Memory<Job> {
  /** How many of the tasks have arrived. */
  readonly arrived: number
  /** The live tasks by their number; a finished one is forgotten. */
  readonly live: Readonly<Record<number, Live>>
}

export const EVERYBODY = 'contractor@*'
export const send = (to: Address, message: ToContractor): Effect => tell(to, message)
export const note = (fact: ClientFact): Effect => observe(fact)
export const stamp = ({ job, incarnation }: Live): Attempt => ({ task: job.id, incarnation })

/** The task an event is about, unless it is over or has been announced anew since. */
export function find({ live }: Context, { task, incarnation }: Attempt): Live | undefined {
  const found = live[task]
  return found?.incarnation === incarnation ? found : undefined
}

/** The same, if it is placed; with `contractor`, if it is placed there. */
export function findPlaced(context: Context, attempt: Attempt, contractor?: Address): Placed | undefined {
  const task = find(context, attempt)
  return task && isPlaced(task) && task.phase.contractor === (contractor ?? task.phase.contractor) ? task : undefined
}

const isPlaced = (task: Live): task is Placed => task.phase.name === 'awarded'

export const become = ({ live }: Context, next: Live): Partial<Context> => ({ live: { ...live, [next.job.id]: next } })

// --- announcing ----------------------------------------------------------------------------------------------------

export const soliciting = (job: Job, incarnation: number): Live => ({
  job,
  incarnation,
  phase: { name: 'soliciting', offers: [] },
})

export const announce = (task: Live, wait: Time): Effect[] => [
  requestBids(EVERYBODY, task),
  ...(task.incarnation > 1 ? [remember({ type: 'announced', ...stamp(task) })] : []),
  timer(`evaluate:${task.job.id}`, wait, { type: 'evaluate', ...stamp(task) }),
  note({ type: 'announced', ...stamp(task) }),
]

export const requestBids = (to: Address, task: Live): Effect => {
  const { estimate } = task.job
  return send(to, { type: 'rfb', ...stamp(task), priority: estimate, estimate })
}

/** Whatever is left of the old incarnation anywhere dies of hearing of the new one. */
export function announceAgain(context: Context, { job, incarnation }: Live, why: ClientFact): Decision<Context> {
  const again = soliciting(job, incarnation + 1)
  return [become(context, again), note(why), ...stopAsking(context, job), ...announce(again, context.wait)]
}

// --- placing -------------------------------------------------------------------------------------------------------

/** One of the best offers; the draw depends on the task alone, not on the order in which the bids came. */
export function choose({ ties }: Context, task: Live, best: readonly Offer[]): Offer | undefined {
  if (ties === 'index' || best.length < 2) return best[0]
  return best[Math.floor(draw('ties', `${task.job.id}#${task.incarnation}`) * best.length)]
}

export const award = (context: Context, task: Live, { contractor, completion }: Offer): Decision<Context> => [
  become(context, { ...task, phase: { name: 'awarded', contractor, completion, asking: false } }),
  send(contractor, { type: 'task', ...stamp(task), priority: task.job.estimate, work: task.job.work }),
  ...askLater(context, task),
]

export const dismiss = (contractor: Address, task: Live): Effect => send(contractor, { type: 'cancel', ...stamp(task) })

// --- asking after it -----------------------------------------------------------------------------------------------

export const askLater = ({ query }: Context, task: Live): Effect[] =>
  query === null ? [] : [timer(`ask:${task.job.id}`, query, { type: 'ask', ...stamp(task) })]

export const stopAsking = ({ query }: Context, { id }: Job): Effect[] =>
  query === null ? [] : [cancel(`ask:${id}`), cancel(`unanswered:${id}`)]

export function fail(context: Context, task: Placed, reason: 'silent' | 'lost'): Decision<Context> {
  const { contractor } = task.phase
  return announceAgain(context, task, { type: 'failed', ...stamp(task), contractor, reason })
}
