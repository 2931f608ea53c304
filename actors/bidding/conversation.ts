/**
 * A client's conversation with the market about one task: its state, the messages that the client sends about it, and
 * its end. The estimates that a client learns from its calls are here too.
 */
import { type Address, type Call, cancel, now, observe, type Time, type Turn, tell, timer } from '../../lib/actor.ts'
import type { Work } from '../processor/messages.ts'
import { type Memory, type Remembered, remember } from './memory.ts'
import type { Attempt, ClientFact, Result, ToContractor } from './messages.ts'
import type { Terms } from './terms.ts'

export type Job = {
  /** Unique in the whole run. */
  readonly id: number
  readonly arrival: Time
  /** Time at speed 1, or a call; only the executing machine learns how long it takes, by finishing. */
  readonly work: Work
  /** The client's estimate of the work. */
  readonly estimate: Time
  /** The value that some priority policies use (see `Ranking`); default 0. */
  readonly value?: number
  /** The files that a machine must have to execute it; default none. */
  readonly files?: readonly string[]
  /** Whether it may be started a second time; default yes. */
  readonly restartable?: boolean
}

export type ClientInput = {
  /** The tasks in the order of arrival. */
  readonly tasks: readonly Job[]
  readonly terms: Terms
  /** The records of earlier incarnations; absent in the first. */
  readonly records?: readonly Remembered[]
}

/** A task between its announcement and its result. */
export interface Live {
  readonly job: Job
  readonly attempt: number
  /** The points that its client spends on it, in a market of points. */
  readonly points: number
  readonly priority: number
  readonly phase: Soliciting | NoBid | Awarded
}

/** The phase of collecting bids until their evaluation. */
type Soliciting = {
  readonly name: 'soliciting'
  /** The offers in index order (see `collect`). */
  readonly offers: readonly Offer[]
  /** The contractor that holds the task but cannot keep its promise (after a kept bump); otherwise null. */
  readonly holder: Holder | null
}
/** The phase after an evaluation without bids: the first bid that comes gets the task. */
type NoBid = { readonly name: 'noBid'; readonly holder: null }
type Awarded = { readonly name: 'awarded'; readonly holder: Holder }

/** The holder of the task, as far as its client knows. */
export type Holder = {
  readonly contractor: Address
  /** The promised completion. */
  readonly completion: Time
  /** Whether a query is unanswered. */
  readonly asking: boolean
}

export type InPhase<Name extends Live['phase']['name']> = Live & {
  readonly phase: Extract<Live['phase'], { name: Name }>
}
/** A live task that is with a contractor, as far as its client knows. */
export type Placed = Live & { readonly phase: { readonly holder: Holder } }

export interface Context extends Memory<Job> {
  readonly terms: Terms
  /** The number of tasks that have arrived. */
  readonly arrived: number
  readonly measured: Measured
  /** The live tasks by their number; tasks that are over are removed. */
  readonly live: Readonly<Record<number, Live>>
}

/** A turn of a client. */
export type It = Turn<Context>

export const ALL_CONTRACTORS = 'contractor@*'
export const send = (it: It, to: Address, message: ToContractor): void => it.do(tell(to, message))
export const note = (it: It, fact: ClientFact): void => it.do(observe(fact))
export const stamp = ({ job, attempt }: Live): Attempt => ({ task: job.id, attempt })

/** The live task of an event; undefined if the task is over or has a newer attempt. */
export function find({ context: { live } }: It, { task, attempt }: Attempt): Live | undefined {
  const found = live[task]
  return found?.attempt === attempt ? found : undefined
}

/** The live task of an event if a contractor holds it; with `contractor`, only if that one holds it. */
export function findPlaced(it: It, attempt: Attempt, contractor?: Address): Placed | undefined {
  const task = find(it, attempt)
  return task && isPlaced(task) && task.phase.holder.contractor === (contractor ?? task.phase.holder.contractor)
    ? task
    : undefined
}

export const isPlaced = (task: Live): task is Placed => task.phase.holder !== null
export const isIn = <Name extends Live['phase']['name']>(task: Live, name: Name): task is InPhase<Name> =>
  task.phase.name === name

export function become({ context }: It, next: Live): void {
  context.live = { ...context.live, [next.job.id]: next }
}

// --- announcing ----------------------------------------------------------------------------------------------------

export function requestBids(it: It, to: Address, { job, attempt, priority }: Live): void {
  const { id, arrival, estimate, files } = job
  send(it, to, { type: 'rfb', task: id, attempt, priority, arrival, estimate, ...(files && { files }) })
}

/** Calls the protocol's `onEvaluate` after the delay. */
export const evaluateAfter = (it: It, delay: Time, task: Live): void =>
  it.do(timer(`evaluate:${task.job.id}`, delay, { type: 'evaluate', ...stamp(task) }))

/** Repeats the announcement after the interval for that, unless the task is awarded by then. */
export function retryLater(it: It, task: Live): void {
  const { retry } = it.context.terms
  if (retry !== null) it.do(timer(`retry:${task.job.id}`, retry, { type: 'retry', ...stamp(task) }))
}

// --- offers ----------------------------------------------------------------------------------------------------------

/** A bid as the client compares it with others. */
export type Offer = {
  readonly contractor: Address
  /** When the execution would begin. */
  readonly start: Time
  readonly completion: Time
  /** The contractor's place in the market. */
  readonly index: number
}

/**
 * Adds an offer; it replaces an earlier one of the same contractor. The offers are sorted by index, so the order in
 * which bids arrive cannot matter.
 */
export const collect = (offers: readonly Offer[], offer: Offer): readonly Offer[] =>
  [...offers.filter(({ contractor }) => contractor !== offer.contractor), offer].sort(
    (one, other) => one.index - other.index,
  )

/** The offers with the earliest completion, in index order. */
export function earliest(offers: readonly Offer[]): readonly Offer[] {
  const completion = offers.reduce((least, offer) => Math.min(least, offer.completion), Number.POSITIVE_INFINITY)
  return offers.filter((offer) => offer.completion === completion)
}

// --- placing -------------------------------------------------------------------------------------------------------

export function award(it: It, task: Live, offer: Offer, renewed?: true): void {
  const { job, priority, points } = task
  const { contractor, completion, start } = offer
  const { arrival, estimate, work, files } = job
  become(it, { ...task, phase: { name: 'awarded', holder: { contractor, completion, asking: false } } })
  send(it, contractor, {
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
  })
  if (job.restartable === false) it.do(remember({ type: 'entrusted', task: job.id }))
  if (it.context.terms.retry !== null) it.do(cancel(`retry:${job.id}`))
  askLater(it, task)
}

/** Awards an attempt for the first time. */
export function place(it: It, task: Live, offer: Offer): void {
  const { contractor, start, completion } = offer
  award(it, task, offer)
  note(it, { type: 'awarded', ...stamp(task), contractor, start, completion })
}

/** Collects a bid for the evaluation. After an evaluation without bids, the first bid gets the task. */
export function hear(it: It, task: Live, offer: Offer): void {
  if (isIn(task, 'noBid')) return place(it, task, offer)
  if (!isIn(task, 'soliciting')) return
  const { phase } = task
  become(it, { ...task, phase: { ...phase, offers: collect(phase.offers, offer) } })
}

export const noBid = (it: It, task: Live): void => become(it, { ...task, phase: { name: 'noBid', holder: null } })

export const dismiss = (it: It, contractor: Address, task: Live): void =>
  send(it, contractor, { type: 'cancel', ...stamp(task) })

// --- status queries ------------------------------------------------------------------------------------------------

export function askLater(it: It, task: Live): void {
  const { query } = it.context.terms
  if (query !== null) it.do(timer(`ask:${task.job.id}`, query, { type: 'ask', ...stamp(task) }))
}

export function stopAsking(it: It, { id }: Job): void {
  if (it.context.terms.query !== null) it.do(cancel(`ask:${id}`), cancel(`unanswered:${id}`))
}

// --- the end of a task -----------------------------------------------------------------------------------------------

type Ended = Extract<ClientFact, { type: 'ended' }>

/** Records that a task is over, and makes all contractors forget it. */
function forget(it: It, { task, attempt }: Attempt): void {
  it.do(remember({ type: 'done', task }))
  send(it, ALL_CONTRACTORS, { type: 'cancelAll', task, attempt })
}

function close(it: It, task: Live): void {
  const { [task.job.id]: _, ...live } = it.context.live
  it.context.live = live
  forget(it, stamp(task))
  stopAsking(it, task.job)
}

/** Ends a task that an earlier incarnation awarded and that may not be started twice. */
export function giveUpEntrusted(it: It, attempt: Attempt): void {
  forget(it, attempt)
  note(it, { type: 'ended', ...attempt, reason: 'not restartable', contractor: null })
}

/** Ends a task without a result. */
export function endWithout(it: It, task: Live, why: Pick<Ended, 'reason' | 'contractor' | 'error'>): void {
  close(it, task)
  note(it, { type: 'ended', ...stamp(task), ...why })
}

/** Ends a task whose execution ran to its end. A call that threw has no result. */
export function finish(it: It, task: Live, { outcome, work = 0 }: Result, contractor: Address): void {
  if (outcome && 'error' in outcome) {
    return endWithout(it, task, { reason: 'threw', contractor, error: outcome.error })
  }
  close(it, task)
  const { arrival, work: asked, estimate } = task.job
  const done = { type: 'done', ...stamp(task), contractor, arrival, flow: now() - arrival } as const
  if (typeof asked === 'number' || !outcome) return note(it, done)
  it.context.measured = learn(it.context.measured, asked, work)
  note(it, { ...done, result: outcome.result, estimate, work })
}

// --- estimates -------------------------------------------------------------------------------------------------------

/** The calls of each function so far: how many there were, and their total work at speed 1. */
export type Measured = Readonly<Record<string, { readonly calls: number; readonly work: Time }>>

const nameOf = ({ module, export: name }: Call): string => `${name} of ${module}`

/** Adds one call; `work` is its work at speed 1. */
export function learn(measured: Measured, call: Call, work: Time): Measured {
  const name = nameOf(call)
  const known = measured[name] ?? { calls: 0, work: 0 }
  return { ...measured, [name]: { calls: known.calls + 1, work: known.work + work } }
}

/** A call of a known function is estimated by its mean work so far. Every other job keeps its given estimate. */
export function estimated<J extends { readonly work: Work; readonly estimate: Time }>(measured: Measured, job: J): J {
  const known = typeof job.work === 'number' ? undefined : measured[nameOf(job.work)]
  return known ? { ...job, estimate: Math.round(known.work / known.calls) } : job
}
