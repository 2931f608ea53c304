/** The search of a placer for machines for the jobs in its queue, one placement at a time. */
import { type Address, cancel, draw, timer } from '../../../lib/actor.ts'
import type { Load } from '../../processor/jobs.ts'
import { ofAmount } from '../../processor/refusal.ts'
import { lacks, MAX_JOBS, type Placement, type Request, runningOn, sizeOf } from './book.ts'
import { best, bestByBook, type Candidate, numberOf, openTo, sample, tooFew } from './candidates.ts'
import { back, recount, refuse, sayPlaced } from './confirmation.ts'
import type { Place } from './messages.ts'
import type { PlacerTurn } from './state.ts'

const INQUIRY = 'inquiry'

/**
 * A new incarnation asks whether all processes that were placed exist, and continues with the jobs that still lack
 * machines.
 */
export function begin(turn: PlacerTurn): void {
  const { book } = turn.state
  for (const [job, placement] of book) recount(turn, job, runningOn(placement), true)
  turn.change({ queue: [...book].flatMap(([job, placement]) => (lacks(placement) > 0 ? [job] : [])) })
}

export function request(turn: PlacerTurn, asked: Request): void {
  const { book, queue, processors, ask, silent } = turn.state
  const { job, from } = asked
  const known = book.get(job)
  if (known) return answerAgain(turn, known, from)
  const reason = objectionTo(processors, book.size, asked)
  if (reason !== null) return turn.say(from, { type: 'refused', job, reason })
  turn.write({ type: 'requested', request: asked })
  turn.change({ queue: [...queue, job] })
  if (ask === null) inquiryTo(turn, [...silent])
}

/** Serves the queue until an inquiry has to be awaited. */
export function serve(turn: PlacerTurn): void {
  while (turn.state.inquiry === null && turn.state.queue.length > 0) serveNext(turn)
}

export function load(turn: PlacerTurn, from: Address, { query, tickets, jobs }: Load): void {
  if (turn.state.silent.has(from)) back(turn, from)
  const { inquiry } = turn.state
  if (inquiry?.query !== query || !inquiry.awaited.includes(from)) return
  const awaited = inquiry.awaited.filter((processor) => processor !== from)
  const candidate = { processor: from, number: numberOf(turn.state, from), tickets, jobs }
  turn.change({ inquiry: { ...inquiry, awaited, heard: [...inquiry.heard, candidate] } })
  if (awaited.length === 0) conclude(turn)
}

/** Concludes an inquiry when all processors have answered or its time is over. */
export function conclude(turn: PlacerTurn): void {
  const { inquiry, silent, balance } = turn.state
  if (!inquiry) return
  const { job, asked, awaited, heard } = inquiry
  turn.change({ inquiry: null, silent: new Set([...silent, ...awaited]) })
  turn.do(cancel(INQUIRY))
  const placement = turn.placementOf(job)
  if (!placement || lacks(placement) === 0) return
  if (heard.length < lacks(placement)) inquire(turn, placement, asked, heard)
  else assign(turn, placement, best(heard, lacks(placement), balance))
}

/**
 * Serves the first job of the queue. One job is served at a time, so a processor's answer counts every job that was
 * submitted to it before.
 */
function serveNext(turn: PlacerTurn): void {
  const [job = '', ...others] = turn.state.queue
  const placement = turn.placementOf(job)
  if (!placement || lacks(placement) === 0) return turn.change({ queue: others })
  const { on } = placement.request
  if (on) return assign(turn, placement, on)
  if (turn.state.ask !== null) return inquire(turn, placement, [], [])
  const chosen = bestByBook(turn.state, placement)
  if (chosen.length < lacks(placement)) refuse(turn, placement, tooFew(placement, chosen.length))
  else assign(turn, placement, chosen)
}

/** Asks some processors that were not asked for this job yet. */
function inquire(
  turn: PlacerTurn,
  placement: Placement,
  before: readonly Address[],
  heard: readonly Candidate[],
): void {
  const { job } = placement.request
  const left = openTo(turn.state, placement).filter((processor) => !before.includes(processor))
  if (left.length === 0) return refuse(turn, placement, tooFew(placement, heard.length))
  const count = Math.max(turn.state.ask ?? 0, lacks(placement) - heard.length)
  const awaited = sample(left, count, (place) => draw('query', `${job} ${before.length + place}`))
  const query = inquiryTo(turn, awaited)
  turn.change({ inquiry: { job, query, asked: [...before, ...awaited], awaited, heard } })
  turn.do(timer(INQUIRY, turn.state.timeout, { type: 'unanswered' }))
}

/** Asks processors for their load; returns the number of the query. */
function inquiryTo(turn: PlacerTurn, processors: readonly Address[]): number {
  const query = turn.state.queries + 1
  turn.change({ queries: query })
  for (const processor of processors) turn.order(processor, { type: 'ask', query })
  return query
}

/** Submits the processes that lack machines to the chosen processors. */
function assign(turn: PlacerTurn, { request, processors }: Placement, chosen: readonly Address[]): void {
  const { job, currency, amount, borrows = true, program } = request
  const left = [...chosen]
  const members = processors.flatMap((processor) => processor ?? left.shift() ?? [])
  turn.write({ type: 'assigned', job, processors: members })
  if (program.kind === 'parallel') turn.enlist(program.barrier, members)
  for (const processor of chosen) {
    const own = ownProgram(program, members.indexOf(processor))
    turn.order(processor, { type: 'submit', job, currency, amount, borrows, program: own })
  }
  recount(turn, job, chosen, false)
}

function answerAgain(turn: PlacerTurn, placement: Placement, to: Address): void {
  const { request, refusal } = placement
  const { job, from } = request
  if (to !== from) turn.say(to, { type: 'refused', job, reason: `${from} has a job ${job}` })
  else if (refusal !== null) turn.say(to, { type: 'refused', job, reason: refusal })
  else if (lacks(placement) === 0 && !turn.state.doubts.has(job)) sayPlaced(turn, placement)
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
export function objectionTo(processors: readonly Address[], known: number, request: Request): string | null {
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
