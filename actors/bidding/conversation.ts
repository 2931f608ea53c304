/**
 * A client's conversation with the market about one task: what it knows, and the messages that it sends. Its states are
 * in task.ts. The estimates that a client learns from its calls are here too.
 */
import {
  type Address,
  actor,
  type Call,
  cancel,
  type Effect,
  now,
  type Ref,
  ref,
  type Time,
  type Turn,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { Work } from '../processor/messages.ts'
import type { Remembered } from './memory.ts'
import type { ClientFact, Result, Rfb, ToContractor } from './messages.ts'
import type { Bid, Due, Ending, Informed, Passed } from './task.ts'
import type { Terms } from './terms.ts'

/** A task as its client has it. */
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

/** What a conversation begins with. */
export interface Announcement {
  readonly terms: Terms
  readonly job: Job
  readonly attempt: number
  readonly priority: number
  /** The points that its client spends on it, in a market of points. */
  readonly points: number
}

/** The conversation of a client about one task. */
export interface Conversation extends Announcement {
  /** The offers in index order (see `collect`). */
  readonly offers: readonly Offer[]
  /** The contractor that holds the task, as far as its client knows. */
  readonly holder: Holder | null
}

export type Holder = {
  readonly contractor: Ref<ToContractor>
  /** The promised completion. */
  readonly completion: Time
}

export const { createMachine, handlers, onEntry, observe, persist } = actor<{
  input: Announcement
  context: Conversation
  event: Bid | Passed | (Ending & Informed)
  reply: ToContractor
  record: Remembered
  fact: ClientFact
}>()

/** A turn of a conversation. */
export type It = Turn<Conversation>

export const ALL_CONTRACTORS: Ref<ToContractor> = ref('contractor@*')

// --- announcing ----------------------------------------------------------------------------------------------------

/** The request for bids. */
export function rfbOf({ job, attempt, priority }: Conversation): Rfb {
  const { id, arrival, estimate, files } = job
  const rfb = { type: 'rfb', task: id, attempt, priority, arrival, estimate } as const
  return files ? { ...rfb, files } : rfb
}

/** Evaluates the bids after the delay. */
export const evaluateAfter = (it: It, delay: Time): void =>
  it.do(
    timer<Due>(`evaluate:${it.context.job.id}`, delay, {
      type: 'evaluate',
      task: it.context.job.id,
      attempt: it.context.attempt,
    }),
  )

/**
 * Repeats the announcement after the interval for that, unless the task is awarded by then. The intervals of the terms never
 * grow, so this is no `retry` of the kit, whose pauses double.
 */
export function retryLater(it: It): void {
  const { job, terms } = it.context
  if (terms.retry !== null)
    it.do(
      timer<Due>(`retry:${job.id}`, terms.retry, {
        type: 'retry',
        task: it.context.job.id,
        attempt: it.context.attempt,
      }),
    )
}

/** Makes the task one to be announced under the next attempt. A contractor that hears of it drops the old attempt. */
export function beginNextAttempt(it: It, measured: Measured): void {
  stopAsking(it)
  it.context.job = estimated(measured, it.context.job)
  it.context.attempt += 1
  it.context.holder = null
  it.do(
    persist({ type: 'announced', task: it.context.job.id, attempt: it.context.attempt }),
    observe({ type: 'announced', task: it.context.job.id, attempt: it.context.attempt }),
  )
}

// --- offers ----------------------------------------------------------------------------------------------------------

/** A bid as the client compares it with others. */
export type Offer = {
  readonly contractor: Ref<ToContractor>
  /** When the execution would begin. */
  readonly start: Time
  readonly completion: Time
  /** The contractor's place in the market, which no other has. */
  readonly index: number
}

/**
 * Adds an offer; it replaces an earlier one of the same contractor. The offers are sorted by index, so the order in
 * which bids arrive cannot matter.
 */
export function collect(offers: readonly Offer[], offer: Offer): readonly Offer[] {
  // contractors in lock-step bid in the order of their places, so the search ends at once
  const last = offers.findLastIndex(({ index }) => index <= offer.index)
  const isAgain = offers[last]?.contractor === offer.contractor
  return isAgain ? offers.with(last, offer) : offers.toSpliced(last + 1, 0, offer)
}

/** The offers with the earliest completion, in index order. */
export function earliest(offers: readonly Offer[]): readonly Offer[] {
  const completion = offers.reduce((least, offer) => Math.min(least, offer.completion), Number.POSITIVE_INFINITY)
  return offers.filter((offer) => offer.completion === completion)
}

// --- awards --------------------------------------------------------------------------------------------------------

/** Awards the task to the contractor of an offer. */
export function award(it: It, { contractor, completion, start }: Offer, renewed?: true): void {
  const { job, attempt, priority, points, terms } = it.context
  const { arrival, estimate, work, files } = job
  it.context.holder = { contractor, completion }
  const task = { type: 'task', task: job.id, attempt, priority, arrival, estimate, start, work } as const
  // most tasks have none of these fields, and a spread costs more than all of the record
  const isPlain = files === undefined && points === 0 && !renewed
  it.do(
    tell(
      contractor,
      isPlain ? task : { ...task, ...(files && { files }), ...(points > 0 && { points }), ...(renewed && { renewed }) },
    ),
  )
  if (job.restartable === false) it.do(persist({ type: 'entrusted', task: job.id }))
  if (terms.retry !== null) it.do(cancel(`retry:${job.id}`))
  askLater(it)
}

export const dismiss = (it: It, contractor: Ref<ToContractor>): void =>
  it.do(tell(contractor, { type: 'cancel', task: it.context.job.id, attempt: it.context.attempt }))

/** The contractor that holds an awarded task. */
export function holderOf({ context: { holder } }: It): Holder {
  if (!holder) throw new Error('the task is not awarded')
  return holder
}

/** Gives an awarded task to a bidder, which may be its holder. */
export function moveTo(it: It, offer: Offer): void {
  const { contractor } = holderOf(it)
  const stays = offer.contractor === contractor
  if (!stays) dismiss(it, contractor)
  stopAsking(it)
  award(it, offer, stays || undefined)
}

// --- status queries ------------------------------------------------------------------------------------------------

export function askLater(it: It): void {
  const { job, terms } = it.context
  if (terms.query !== null)
    it.do(
      timer<Due>(`ask:${job.id}`, terms.query, { type: 'ask', task: it.context.job.id, attempt: it.context.attempt }),
    )
}

function stopAsking(it: It): void {
  const { job, terms } = it.context
  if (terms.query !== null) it.do(cancel(`ask:${job.id}`), cancel(`unanswered:${job.id}`))
}

// --- the end of a task -----------------------------------------------------------------------------------------------

/** Records that a task is over, and makes all contractors forget it, if they may still keep something of it. */
export const forget = (task: number, attempt: number, isKept = true): Effect[] => [
  persist({ type: 'done', task }),
  ...(isKept ? [tell(ALL_CONTRACTORS, { type: 'cancelAll', task, attempt })] : []),
]

function close(it: It, isKept: boolean): void {
  it.do(...forget(it.context.job.id, it.context.attempt, isKept))
  stopAsking(it)
}

type Ended = Extract<ClientFact, { type: 'ended' }>

/** Ends the task without a result. */
export function endWithout(
  it: It,
  reason: Ended['reason'],
  contractor: Ended['contractor'],
  error?: Ended['error'],
  isKept = true,
): void {
  close(it, isKept)
  const { job, attempt } = it.context
  const ended = { type: 'ended', task: job.id, attempt, reason, contractor } as const
  it.do(observe(error === undefined ? ended : { ...ended, error }))
}

/**
 * Ends a task whose execution ran to its end. A call that threw has no result. `isKept` says whether contractors may still
 * keep something of the task.
 */
export function finish(it: It, { outcome, work = 0 }: Result, contractor: Address, isKept: boolean): void {
  if (outcome && 'error' in outcome) return endWithout(it, 'threw', contractor, outcome.error, isKept)
  close(it, isKept)
  const { arrival, work: asked, estimate } = it.context.job
  const done = {
    type: 'done',
    task: it.context.job.id,
    attempt: it.context.attempt,
    contractor,
    arrival,
    flow: now() - arrival,
  } as const
  if (typeof asked === 'number' || !outcome) return it.do(observe(done))
  it.do(observe({ ...done, result: outcome.result, estimate, work }))
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
