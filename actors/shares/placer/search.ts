/** How a placer finds machines for what is in its queue: one placement at a time. */
import { type Address, cancel, draw, timer } from '../../../lib/actor.ts'
import type { Load } from '../../processor/jobs.ts'
import { lacks, livesOn, type Placement, type Request } from './book.ts'
import { bestByBook, numberOf, openTo, tooFew } from './candidates.ts'
import { best, type Candidate, sample } from './choice.ts'
import type { Place } from './messages.ts'
import { objectionTo } from './objection.ts'
import type { Placing } from './placing.ts'
import { back, recount, refuse, sayPlaced } from './whereabouts.ts'

const INQUIRY = 'inquiry'

/** A new incarnation asks after all that an earlier one has placed, and goes on with the rest. */
export function begin(it: Placing): void {
  const { book } = it.desk
  for (const [job, placement] of book) recount(it, job, livesOn(placement), true)
  it.change({ queue: [...book].flatMap(([job, placement]) => (lacks(placement) > 0 ? [job] : [])) })
}

export function request(it: Placing, asked: Request): void {
  const { book, queue, processors, ask, silent } = it.desk
  const { job, from } = asked
  const known = book.get(job)
  if (known) return answerAgain(it, known, from)
  const reason = objectionTo(processors, book.size, asked)
  if (reason !== null) return it.say(from, { type: 'refused', job, reason })
  it.write({ type: 'requested', request: asked })
  it.change({ queue: [...queue, job] })
  if (ask === null) inquiryTo(it, [...silent])
}

/** Goes on with the queue as far as it can. */
export function serve(it: Placing): void {
  while (it.desk.inquiry === null && it.desk.queue.length > 0) serveNext(it)
}

export function load(it: Placing, from: Address, { query, tickets, jobs }: Load): void {
  if (it.desk.silent.has(from)) back(it, from)
  const { inquiry } = it.desk
  if (inquiry?.query !== query || !inquiry.awaited.includes(from)) return
  const awaited = inquiry.awaited.filter((processor) => processor !== from)
  const candidate = { processor: from, number: numberOf(it.desk, from), tickets, jobs }
  it.change({ inquiry: { ...inquiry, awaited, heard: [...inquiry.heard, candidate] } })
  if (awaited.length === 0) conclude(it)
}

/** All have answered, or it is time to go on without the rest. */
export function conclude(it: Placing): void {
  const { inquiry, silent, balance } = it.desk
  if (!inquiry) return
  const { job, asked, awaited, heard } = inquiry
  it.change({ inquiry: null, silent: new Set([...silent, ...awaited]) })
  it.do(cancel(INQUIRY))
  const placement = it.placementOf(job)
  if (!placement || lacks(placement) === 0) return
  if (heard.length < lacks(placement)) inquire(it, placement, asked, heard)
  else assign(it, placement, best(heard, lacks(placement), balance))
}

/** One at a time: what a processor answers counts all that was submitted to it before it was asked. */
function serveNext(it: Placing): void {
  const [job = '', ...others] = it.desk.queue
  const placement = it.placementOf(job)
  if (!placement || lacks(placement) === 0) return it.change({ queue: others })
  const { on } = placement.request
  if (on) return assign(it, placement, on)
  if (it.desk.ask !== null) return inquire(it, placement, [], [])
  const chosen = bestByBook(it.desk, placement)
  if (chosen.length < lacks(placement)) refuse(it, placement, tooFew(placement, chosen.length))
  else assign(it, placement, chosen)
}

/** Asks some that were not asked yet. */
function inquire(it: Placing, placement: Placement, before: readonly Address[], heard: readonly Candidate[]): void {
  const { job } = placement.request
  const left = openTo(it.desk, placement).filter((processor) => !before.includes(processor))
  if (left.length === 0) return refuse(it, placement, tooFew(placement, heard.length))
  const count = Math.max(it.desk.ask ?? 0, lacks(placement) - heard.length)
  const awaited = sample(left, count, (place) => draw('query', `${job} ${before.length + place}`))
  const query = inquiryTo(it, awaited)
  it.change({ inquiry: { job, query, asked: [...before, ...awaited], awaited, heard } })
  it.do(timer(INQUIRY, it.desk.timeout, { type: 'unanswered' }))
}

/** Asks processors what is there; returns the number of the question. */
function inquiryTo(it: Placing, processors: readonly Address[]): number {
  const query = it.desk.queries + 1
  it.change({ queries: query })
  for (const processor of processors) it.order(processor, { type: 'ask', query })
  return query
}

/** Gives the processes that lack machines to these. */
function assign(it: Placing, { request, processors }: Placement, chosen: readonly Address[]): void {
  const { job, currency, amount, borrows = true, program } = request
  const left = [...chosen]
  const members = processors.flatMap((processor) => processor ?? left.shift() ?? [])
  it.write({ type: 'assigned', job, processors: members })
  if (program.kind === 'parallel') it.enlist(program.barrier, members)
  for (const processor of chosen) {
    const own = ownProgram(program, members.indexOf(processor))
    it.order(processor, { type: 'submit', job, currency, amount, borrows, program: own })
  }
  recount(it, job, chosen, false)
}

function answerAgain(it: Placing, placement: Placement, to: Address): void {
  const { request, refusal } = placement
  const { job, from } = request
  if (to !== from) it.say(to, { type: 'refused', job, reason: `${from} has a job ${job}` })
  else if (refusal !== null) it.say(to, { type: 'refused', job, reason: refusal })
  else if (lacks(placement) === 0 && !it.desk.doubts.has(job)) sayPlaced(it, placement)
}

function ownProgram(program: Place['program'], rank: number) {
  if (program.kind !== 'parallel') return program
  const { size: _, ...rest } = program
  return { ...rest, rank }
}
