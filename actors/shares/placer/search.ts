/** The search of a placer for machines for the jobs in its queue, one placement at a time. */
import {
  answered,
  asked,
  cancel,
  type Delivery,
  draw,
  isAwaited,
  isComplete,
  type Ref,
  tell,
} from '../../../lib/actor.ts'
import type { Load, ToScheduler } from '../../processor/jobs.ts'
import { ofAmount } from '../../processor/refusal.ts'
import { concerns, type Entry, lacks, MAX_JOBS, type Placement, type Request, sizeOf } from './book.ts'
import { best, bestByBook, type Candidate, numberOf, openTo, sample, tooFew } from './candidates.ts'
import type { FromPlacer, Place } from './messages.ts'
import { type PlacerTurn, persist, start, timer, toJob } from './state.ts'

const INQUIRY = 'inquiry'

/** More queries than one incarnation makes. */
const QUERIES_MAX = 1_000_000_000

/**
 * A new incarnation asks whether all processes that were placed exist, and continues with the jobs that still lack
 * machines.
 */
export function begin(it: PlacerTurn): void {
  const { records } = it.context
  it.context.records = []
  it.do(persist({ type: 'lived' }))
  const histories = new Map<string, { request: Request; entries: Entry[] }>()
  for (const entry of records) {
    if (entry.type === 'lived') it.context.queries += QUERIES_MAX
    else if (entry.type === 'requested') histories.set(entry.request.job, { request: entry.request, entries: [] })
    else histories.get(entry.job)?.entries.push(entry)
  }
  for (const { request, entries } of histories.values()) start(it, request, entries)
  it.context.queue = [...it.context.book.keys()] // those that lack no machine leave it unserved
}

export function request(it: PlacerTurn, place: Place, { from }: Delivery<Ref<FromPlacer>>): void {
  const { book, queue, processors, ask, silent } = it.context
  const { job } = place
  if (book.has(job)) return toJob(it, job, { type: 'repeat' })
  const reason = objectionTo(processors, book.size, place)
  if (reason !== null) return it.do(tell(from, { type: 'refused', job, reason }))
  const entry: Entry = { type: 'requested', request: { ...place, from } }
  it.do(persist(entry))
  start(it, entry.request, [])
  it.context.queue = [...queue, job]
  if (ask === null) inquiryTo(it, [...silent])
}

/** Serves the queue until an inquiry has to be awaited. */
export function serve(it: PlacerTurn): void {
  while (it.context.inquiry === null && it.context.queue.length > 0) serveNext(it)
}

export function load(it: PlacerTurn, { query, tickets, jobs }: Load, { from }: Delivery<Ref<ToScheduler>>): void {
  if (it.context.silent.has(from)) back(it, from)
  const { inquiry } = it.context
  if (!inquiry || !isAwaited(inquiry.question, from, query)) return
  const candidate = { processor: from, number: numberOf(it.context, from), tickets, jobs }
  const question = answered(inquiry.question, from, candidate)
  it.context.inquiry = { ...inquiry, question }
  if (isComplete(question)) conclude(it)
}

/** The placements of a machine that was silent check what it has. */
function back(it: PlacerTurn, processor: Ref<ToScheduler>): void {
  it.context.silent = new Set([...it.context.silent].filter((one) => one !== processor))
  for (const [job, { context }] of it.context.book) if (concerns(context, processor)) toJob(it, job, { type: 'back' })
}

/** Ends the time for confirming the processes of a job. */
export function unconfirmed(it: PlacerTurn, { job }: { readonly job: string }): void {
  const doubts = it.context.book.get(job)?.context.doubts ?? []
  it.context.silent = new Set([...it.context.silent, ...doubts.map(({ processor }) => processor)])
  toJob(it, job, { type: 'unconfirmed', job })
  const after = it.context.book.get(job)
  if (after && lacks(after.context) > 0) it.context.queue = [...it.context.queue, job]
}

/** Concludes an inquiry when all processors have answered or its time is over. */
export function conclude(it: PlacerTurn): void {
  const { inquiry, silent, balance } = it.context
  if (!inquiry) return
  const { job, question } = inquiry
  const heard = [...inquiry.heard, ...question.answers.values()]
  it.context.inquiry = null
  it.context.silent = new Set([...silent, ...question.missing])
  it.do(cancel(INQUIRY))
  const placement = it.context.book.get(job)?.context
  if (!placement || lacks(placement) === 0) return
  if (heard.length < lacks(placement)) inquire(it, placement, inquiry.asked, heard)
  else toJob(it, job, { type: 'assign', chosen: best(heard, lacks(placement), balance) })
}

/**
 * Serves the first job of the queue. One job is served at a time, so a processor's answer counts every job that was
 * submitted to it before.
 */
function serveNext(it: PlacerTurn): void {
  const [job = '', ...others] = it.context.queue
  const placement = it.context.book.get(job)?.context
  if (!placement || lacks(placement) === 0) {
    it.context.queue = others
    return
  }
  const { on } = placement.request
  if (on) return toJob(it, job, { type: 'assign', chosen: on })
  if (it.context.ask !== null) return inquire(it, placement, [], [])
  const chosen = bestByBook(it.context, placement)
  const reason = tooFew(placement, chosen.length)
  toJob(it, job, chosen.length < lacks(placement) ? { type: 'refuse', reason } : { type: 'assign', chosen })
}

/** Asks some processors that were not asked for this job yet. */
function inquire(
  it: PlacerTurn,
  placement: Placement,
  before: readonly Ref<ToScheduler>[],
  heard: readonly Candidate[],
): void {
  const { job } = placement.request
  const left = openTo(it.context, placement).filter((processor) => !before.includes(processor))
  if (left.length === 0) return toJob(it, job, { type: 'refuse', reason: tooFew(placement, heard.length) })
  const count = Math.max(it.context.ask ?? 0, lacks(placement) - heard.length)
  const chosen = sample(left, count, (place) => draw('query', `${job} ${before.length + place}`))
  const question = asked<Candidate, Ref<ToScheduler>>(inquiryTo(it, chosen), chosen)
  it.context.inquiry = { job, asked: [...before, ...chosen], heard, question }
  toJob(it, job, { type: 'inquire' })
  it.do(timer(INQUIRY, it.context.timeout, { type: 'unanswered' }))
}

/** Asks processors for their load; returns the number of the query. */
function inquiryTo(it: PlacerTurn, processors: readonly Ref<ToScheduler>[]): number {
  const query = it.context.queries + 1
  it.context.queries = query
  it.do(...processors.map((processor) => tell(processor, { type: 'ask', query })))
  return query
}

/**
 * Why a placer with `known` jobs refuses a request; null if it accepts it. Wrong programs and currencies are refused
 * by the processors.
 */
export function objectionTo(processors: readonly Ref<ToScheduler>[], known: number, request: Place): string | null {
  if (known >= MAX_JOBS) return `${MAX_JOBS} jobs (MAX_JOBS) have been placed already`
  const { amount, on } = request
  const size = sizeOf(request)
  if (!(Number.isSafeInteger(size) && size > 0)) return `a parallel job needs processes, not ${size}`
  if (size > processors.length) return `${size} processes need as many machines, and there are ${processors.length}`
  return ofAmount(amount) ?? (on ? ofProcessors(processors, on, size) : null)
}

function ofProcessors(
  processors: readonly Ref<ToScheduler>[],
  on: readonly Ref<ToScheduler>[],
  size: number,
): string | null {
  if (on.length !== size) return `${size} machines must be named, not ${on.length}`
  if (new Set(on).size < size) return 'a machine is named twice'
  const unknown = on.find((processor) => !processors.includes(processor))
  return unknown === undefined ? null : `there is no ${unknown}`
}
