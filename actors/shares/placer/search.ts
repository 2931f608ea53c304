/** The search of a placer for machines for the jobs in its queue, one placement at a time. */
import {
  type Address,
  answered,
  asked,
  cancel,
  type Delivery,
  draw,
  isAwaited,
  isComplete,
  tell,
  timer,
} from '../../../lib/actor.ts'
import type { Load } from '../../processor/jobs.ts'
import { ofAmount } from '../../processor/refusal.ts'
import { lacks, MAX_JOBS, type Placement, runningOn, sizeOf } from './book.ts'
import { best, bestByBook, type Candidate, numberOf, openTo, sample, tooFew } from './candidates.ts'
import { back, recount, refuse, sayPlaced } from './confirmation.ts'
import type { Enlist, Place } from './messages.ts'
import { order, type PlacerTurn, say, write } from './state.ts'

const INQUIRY = 'inquiry'

/**
 * A new incarnation asks whether all processes that were placed exist, and continues with the jobs that still lack
 * machines.
 */
export function begin(it: PlacerTurn): void {
  const { book } = it.context
  for (const [job, placement] of book) recount(it, job, runningOn(placement), true)
  it.context.queue = [...book].flatMap(([job, placement]) => (lacks(placement) > 0 ? [job] : []))
}

export function request(it: PlacerTurn, place: Place, { from }: Delivery): void {
  const { book, queue, processors, ask, silent } = it.context
  const { job } = place
  const known = book.get(job)
  if (known) return answerAgain(it, known, from)
  const reason = objectionTo(processors, book.size, place)
  if (reason !== null) return say(it, from, { type: 'refused', job, reason })
  write(it, { type: 'requested', request: { ...place, from } })
  it.context.queue = [...queue, job]
  if (ask === null) inquiryTo(it, [...silent])
}

/** Serves the queue until an inquiry has to be awaited. */
export function serve(it: PlacerTurn): void {
  while (it.context.inquiry === null && it.context.queue.length > 0) serveNext(it)
}

export function load(it: PlacerTurn, { query, tickets, jobs }: Load, { from }: Delivery): void {
  if (it.context.silent.has(from)) back(it, from)
  const { inquiry } = it.context
  if (!inquiry || !isAwaited(inquiry.question, from, query)) return
  const candidate = { processor: from, number: numberOf(it.context, from), tickets, jobs }
  const question = answered(inquiry.question, from, candidate)
  it.context.inquiry = { ...inquiry, question }
  if (isComplete(question)) conclude(it)
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
  const placement = it.context.book.get(job)
  if (!placement || lacks(placement) === 0) return
  if (heard.length < lacks(placement)) inquire(it, placement, inquiry.asked, heard)
  else assign(it, placement, best(heard, lacks(placement), balance))
}

/**
 * Serves the first job of the queue. One job is served at a time, so a processor's answer counts every job that was
 * submitted to it before.
 */
function serveNext(it: PlacerTurn): void {
  const [job = '', ...others] = it.context.queue
  const placement = it.context.book.get(job)
  if (!placement || lacks(placement) === 0) {
    it.context.queue = others
    return
  }
  const { on } = placement.request
  if (on) return assign(it, placement, on)
  if (it.context.ask !== null) return inquire(it, placement, [], [])
  const chosen = bestByBook(it.context, placement)
  if (chosen.length < lacks(placement)) refuse(it, placement, tooFew(placement, chosen.length))
  else assign(it, placement, chosen)
}

/** Asks some processors that were not asked for this job yet. */
function inquire(it: PlacerTurn, placement: Placement, before: readonly Address[], heard: readonly Candidate[]): void {
  const { job } = placement.request
  const left = openTo(it.context, placement).filter((processor) => !before.includes(processor))
  if (left.length === 0) return refuse(it, placement, tooFew(placement, heard.length))
  const count = Math.max(it.context.ask ?? 0, lacks(placement) - heard.length)
  const chosen = sample(left, count, (place) => draw('query', `${job} ${before.length + place}`))
  const question = asked<Candidate>(inquiryTo(it, chosen), chosen)
  it.context.inquiry = { job, asked: [...before, ...chosen], heard, question }
  it.do(timer(INQUIRY, it.context.timeout, { type: 'unanswered' }))
}

/** Asks processors for their load; returns the number of the query. */
function inquiryTo(it: PlacerTurn, processors: readonly Address[]): number {
  const query = it.context.queries + 1
  it.context.queries = query
  for (const processor of processors) order(it, processor, { type: 'ask', query })
  return query
}

/** Submits the processes that lack machines to the chosen processors. */
function assign(it: PlacerTurn, { request, processors }: Placement, chosen: readonly Address[]): void {
  const { job, currency, amount, borrows = true, program } = request
  const left = [...chosen]
  const members = processors.flatMap((processor) => processor ?? left.shift() ?? [])
  write(it, { type: 'assigned', job, processors: members })
  if (program.kind === 'parallel') it.do(tell<Enlist>(program.barrier, { type: 'enlist', members }))
  for (const processor of chosen) {
    const own = ownProgram(program, members.indexOf(processor))
    order(it, processor, { type: 'submit', job, currency, amount, borrows, program: own })
  }
  recount(it, job, chosen, false)
}

function answerAgain(it: PlacerTurn, placement: Placement, to: Address): void {
  const { request, refusal } = placement
  const { job, from } = request
  if (to !== from) say(it, to, { type: 'refused', job, reason: `${from} has a job ${job}` })
  else if (refusal !== null) say(it, to, { type: 'refused', job, reason: refusal })
  else if (lacks(placement) === 0 && !it.context.doubts.has(job)) sayPlaced(it, placement)
}

function ownProgram(program: Place['program'], rank: number) {
  if (program.kind !== 'parallel') return program
  const { size: _, ...rest } = program
  return { ...rest, rank }
}

/**
 * Why a placer with `known` jobs refuses a request; null if it accepts it. Wrong programs and currencies are refused
 * by the processors.
 */
export function objectionTo(processors: readonly Address[], known: number, request: Place): string | null {
  if (known >= MAX_JOBS) return `${MAX_JOBS} jobs (MAX_JOBS) have been placed already`
  const { amount, on } = request
  const size = sizeOf(request)
  if (!(Number.isSafeInteger(size) && size > 0)) return `a parallel job needs processes, not ${size}`
  if (size > processors.length) return `${size} processes need as many machines, and there are ${processors.length}`
  return ofAmount(amount) ?? (on ? ofProcessors(processors, on, size) : null)
}

function ofProcessors(processors: readonly Address[], on: readonly Address[], size: number): string | null {
  if (on.length !== size) return `${size} machines must be named, not ${on.length}`
  if (new Set(on).size < size) return 'a machine is named twice'
  const unknown = on.find((processor) => !processors.includes(processor))
  return unknown === undefined ? null : `there is no ${unknown}`
}
