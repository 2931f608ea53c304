/** A client's conversation with the market about one task: how it stands, and what the client says next. */
import { type Address, cancel, type Decision, type Effect, observe, type Time, tell, timer } from '../../lib/actor.ts'
import type { Work } from '../processor/messages.ts'
import type { Measured } from './estimates.ts'
import { type Memory, type Remembered, remember } from './memory.ts'
import type { Attempt, ClientFact, ToContractor } from './messages.ts'
import { collect, type Offer } from './offers.ts'
import type { Terms } from './terms.ts'

export type Job = {
  /** Unique in the whole run. */
  readonly id: number
  readonly arrival: Time
  /** Time at speed 1, or a call; only the executing machine learns how long it takes, by finishing. */
  readonly work: Work
  /** What the client believes the work to be. */
  readonly estimate: Time
  /** What some priorities go by, see there; default 0. */
  readonly value?: number
  /** What a machine must have to do it; default nothing. */
  readonly files?: readonly string[]
  /** May it be begun a second time? Default yes. */
  readonly restartable?: boolean
}

export type ClientInput = {
  /** In the order of arrival. */
  readonly tasks: readonly Job[]
  readonly terms: Terms
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Remembered[]
}

/** A task between its announcement and its result. */
export interface Live {
  readonly job: Job
  readonly attempt: number
  /** What its client spends on it, in a market of points. */
  readonly points: number
  readonly priority: number
  readonly phase: Soliciting | NoBid | Awarded
}

/** The bids are collected until their evaluation. */
type Soliciting = {
  readonly name: 'soliciting'
  /** In index order (see collect). */
  readonly offers: readonly Offer[]
  /** It has a place, but not the promised one: it may get another. */
  readonly holder: Holder | null
}
/** The evaluation found no bid: the first that comes gets the task. */
type NoBid = { readonly name: 'noBid'; readonly holder: null }
type Awarded = { readonly name: 'awarded'; readonly holder: Holder }

/** The holder of the task, as far as its client knows. */
export type Holder = {
  readonly contractor: Address
  /** The promised time. */
  readonly completion: Time
  /** A query is unanswered. */
  readonly asking: boolean
}

export type InPhase<Name extends Live['phase']['name']> = Live & {
  readonly phase: Extract<Live['phase'], { name: Name }>
}
/** A live task that is with a contractor, as far as its client knows. */
export type Placed = Live & { readonly phase: { readonly holder: Holder } }

export interface Context extends Memory<Job> {
  readonly terms: Terms
  /** How many of the tasks have arrived. */
  readonly arrived: number
  readonly measured: Measured
  /** The live tasks by their number; a finished one is forgotten. */
  readonly live: Readonly<Record<number, Live>>
}

export const EVERYBODY = 'contractor@*'
export const send = (to: Address, message: ToContractor): Effect => tell(to, message)
export const note = (fact: ClientFact): Effect => observe(fact)
export const stamp = ({ job, attempt }: Live): Attempt => ({ task: job.id, attempt })

/** The task of an event, unless it is over or has been announced again since. */
export function find({ live }: Context, { task, attempt }: Attempt): Live | undefined {
  const found = live[task]
  return found?.attempt === attempt ? found : undefined
}

/** The same, if it is placed; with `contractor`, if it is placed there. */
export function findPlaced(context: Context, attempt: Attempt, contractor?: Address): Placed | undefined {
  const task = find(context, attempt)
  return task && isPlaced(task) && task.phase.holder.contractor === (contractor ?? task.phase.holder.contractor)
    ? task
    : undefined
}

export const isPlaced = (task: Live): task is Placed => task.phase.holder !== null
export const isIn = <Name extends Live['phase']['name']>(task: Live, name: Name): task is InPhase<Name> =>
  task.phase.name === name

export const become = ({ live }: Context, next: Live): Partial<Context> => ({ live: { ...live, [next.job.id]: next } })

// --- announcing ----------------------------------------------------------------------------------------------------

export const requestBids = (to: Address, { job, attempt, priority }: Live): Effect => {
  const { id, arrival, estimate, files } = job
  return send(to, { type: 'rfb', task: id, attempt, priority, arrival, estimate, ...(files && { files }) })
}

/** The protocol's `onEvaluate` happens then. */
export const evaluateAfter = (delay: Time, task: Live): Effect =>
  timer(`evaluate:${task.job.id}`, delay, { type: 'evaluate', ...stamp(task) })

/** Unless the task is awarded by then, the announcement is repeated. */
export const retryAfter = (delay: Time | null, task: Live): Effect[] =>
  delay === null ? [] : [timer(`retry:${task.job.id}`, delay, { type: 'retry', ...stamp(task) })]

// --- placing -------------------------------------------------------------------------------------------------------

export const award = (context: Context, task: Live, offer: Offer, renewed?: true): Decision<Context> => {
  const { job, priority, points } = task
  const { contractor, completion, start } = offer
  const { arrival, estimate, work, files } = job
  return [
    become(context, { ...task, phase: { name: 'awarded', holder: { contractor, completion, asking: false } } }),
    send(contractor, {
      type: 'task',
      ...stamp(task),
      priority,
      arrival,
      estimate,
      start,
      work,
      ...(files && { files }),
      ...(points > 0 && { points }),
      ...(renewed && { renewed }),
    }),
    ...(job.restartable === false ? [remember({ type: 'entrusted', task: job.id })] : []),
    ...(context.terms.retry === null ? [] : [cancel(`retry:${job.id}`)]),
    ...askLater(context, task),
  ]
}

/** The first award of an attempt. */
export function place(context: Context, task: Live, offer: Offer): Decision<Context> {
  const { contractor, start, completion } = offer
  const [changes, ...effects] = award(context, task, offer)
  return [changes, ...effects, note({ type: 'awarded', ...stamp(task), contractor, start, completion })]
}

/** Collects a bid for the evaluation; after one without bids the first that comes gets the task. */
export function hear(context: Context, task: Live, offer: Offer): Decision<Context> {
  if (isIn(task, 'noBid')) return place(context, task, offer)
  if (!isIn(task, 'soliciting')) return [{}]
  const { phase } = task
  return [become(context, { ...task, phase: { ...phase, offers: collect(phase.offers, offer) } })]
}

export const noBid = (context: Context, task: Live): Decision<Context> => [
  become(context, { ...task, phase: { name: 'noBid', holder: null } }),
]

export const dismiss = (contractor: Address, task: Live): Effect => send(contractor, { type: 'cancel', ...stamp(task) })

// --- asking after it -----------------------------------------------------------------------------------------------

export const askLater = ({ terms: { query } }: Context, task: Live): Effect[] =>
  query === null ? [] : [timer(`ask:${task.job.id}`, query, { type: 'ask', ...stamp(task) })]

export const stopAsking = ({ terms: { query } }: Context, { id }: Job): Effect[] =>
  query === null ? [] : [cancel(`ask:${id}`), cancel(`unanswered:${id}`)]
