/**
 * One event at a placer: its desk as it is meanwhile. What that holds is immutable and replaced.
 *
 * A process is there when its processor says so, right after it was submitted. A processor that does not answer is passed
 * over: the process goes elsewhere, and is withdrawn from it should it still get it. But what was there before is never
 * placed a second time: it may have run.
 */
import { type Address, cancel, type Decision, draw, type Effect, persist, tell, timer } from '../../../lib/actor.ts'
import type { Exited, Load, Standing, ToScheduler } from '../../processor/jobs.ts'
import { type Entry, enter, lacks, livesOn, type Placement, type Request } from './book.ts'
import { bestByBook, numberOf, openTo, tooFew } from './candidates.ts'
import { best, type Candidate, sample } from './choice.ts'
import { type Desk, type Doubt, doubtsOf, withDoubts } from './desk.ts'
import type { Enlist, FromPlacer, Place } from './messages.ts'
import { objectionTo } from './objection.ts'

const INQUIRY = 'inquiry'
const confirmation = (job: string) => `confirmation ${job}`

export class Placing {
  #desk: Desk
  readonly #effects: Effect[] = []

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Goes on with the queue as far as it can: the desk after the event, and its effects. */
  decide(): Decision<Desk> {
    while (this.#desk.inquiry === null && this.#desk.queue.length > 0) this.#serve()
    return [this.#desk, ...this.#effects]
  }

  /** A new life asks after all that an earlier one has placed, and goes on with the rest. */
  begin(): void {
    const { book } = this.#desk
    for (const [job, placement] of book) this.#recount(job, livesOn(placement), true)
    this.#change({ queue: [...book].flatMap(([job, placement]) => (lacks(placement) > 0 ? [job] : [])) })
  }

  request(request: Request): void {
    const { book, queue, ask, silent } = this.#desk
    const { job, from } = request
    const known = book.get(job)
    if (known) return this.#answerAgain(known, from)
    const reason = objectionTo(this.#desk.processors, book.size, request)
    if (reason !== null) return this.#say(from, { type: 'refused', job, reason })
    this.#write({ type: 'requested', request })
    this.#change({ queue: [...queue, job] })
    if (ask === null) this.#ask([...silent])
  }

  load(from: Address, { query, tickets, jobs }: Load): void {
    if (this.#desk.silent.has(from)) this.#isBack(from)
    const { inquiry } = this.#desk
    if (inquiry?.query !== query || !inquiry.awaited.includes(from)) return
    const awaited = inquiry.awaited.filter((processor) => processor !== from)
    const candidate = { processor: from, number: numberOf(this.#desk, from), tickets, jobs }
    this.#change({ inquiry: { ...inquiry, awaited, heard: [...inquiry.heard, candidate] } })
    if (awaited.length === 0) this.conclude()
  }

  /** All have answered, or it is time to go on without the rest. */
  conclude(): void {
    const { inquiry, silent, book, balance } = this.#desk
    if (!inquiry) return
    const { job, asked, awaited, heard } = inquiry
    this.#change({ inquiry: null, silent: new Set([...silent, ...awaited]) })
    this.#effects.push(cancel(INQUIRY))
    const placement = book.get(job)
    if (!placement || lacks(placement) === 0) return
    if (heard.length < lacks(placement)) this.#inquire(placement, asked, heard)
    else this.#assign(placement, best(heard, lacks(placement), balance))
  }

  /** A processor says whether a process is there. */
  standing(from: Address, { job, here }: Standing): void {
    const placement = this.#desk.book.get(job)
    if (!placement) return
    const doubt = this.#settle(job, from)
    if (!doubt) return
    if (!here && doubt.refusal !== null) this.#refuse(placement, doubt.refusal)
    else {
      if (!here) this.#miss(job, from)
      this.#confirm(job)
    }
  }

  /** It may be a doubled submit that was refused: what counts is whether the process is there. */
  refused(from: Address, job: string, reason: string): void {
    const doubts = doubtsOf(this.#desk.doubts, job)
    this.#doubt(
      job,
      doubts.map((doubt) => (doubt.processor === from ? { ...doubt, refusal: reason } : doubt)),
    )
  }

  exited(from: Address, exit: Exited): void {
    const { job } = exit
    const placement = this.#desk.book.get(job)
    if (!placement || !livesOn(placement).includes(from)) return
    this.#settle(job, from)
    this.#write({ type: 'ended', job, processor: from })
    this.#say(placement.request.from, { ...exit, processor: from })
  }

  /** It is time to have heard of all processes of a job. */
  unconfirmed(job: string): void {
    const { doubts, silent } = this.#desk
    const unheard = doubtsOf(doubts, job)
    this.#doubt(job, [])
    this.#change({ silent: new Set([...silent, ...unheard.map(({ processor }) => processor)]) })
    for (const doubt of unheard) this.#giveUp(job, doubt)
    const placement = this.#desk.book.get(job)
    if (placement && lacks(placement) > 0) this.#change({ queue: [...this.#desk.queue, job] })
    else this.#confirm(job)
  }

  #giveUp(job: string, { processor, wasThere }: Doubt): void {
    const placement = this.#desk.book.get(job)
    if (!placement || placement.refusal !== null) return
    if (wasThere) return this.#miss(job, processor)
    if (placement.request.on) return this.#refuse(placement, `${processor} does not answer`)
    this.#write({ type: 'passed', job, processor })
    this.#order(processor, { type: 'withdraw', job })
  }

  /** One placement at a time: what a processor answers counts all that was submitted to it before it was asked. */
  #serve(): void {
    const [job = '', ...others] = this.#desk.queue
    const placement = this.#desk.book.get(job)
    if (!placement || lacks(placement) === 0) return this.#change({ queue: others })
    const { on } = placement.request
    if (on) return this.#assign(placement, on)
    if (this.#desk.ask !== null) return this.#inquire(placement, [], [])
    const chosen = bestByBook(this.#desk, placement)
    if (chosen.length < lacks(placement)) this.#refuse(placement, tooFew(placement, chosen.length))
    else this.#assign(placement, chosen)
  }

  /** Asks some that were not asked yet. */
  #inquire(placement: Placement, before: readonly Address[], heard: readonly Candidate[]): void {
    const { job } = placement.request
    const left = openTo(this.#desk, placement).filter((processor) => !before.includes(processor))
    if (left.length === 0) return this.#refuse(placement, tooFew(placement, heard.length))
    const count = Math.max(this.#desk.ask ?? 0, lacks(placement) - heard.length)
    const awaited = sample(left, count, (place) => draw('query', `${job} ${before.length + place}`))
    const query = this.#ask(awaited)
    this.#change({ inquiry: { job, query, asked: [...before, ...awaited], awaited, heard } })
    this.#effects.push(timer(INQUIRY, this.#desk.timeout, { type: 'unanswered' }))
  }

  #ask(processors: readonly Address[]): number {
    const query = this.#desk.queries + 1
    this.#change({ queries: query })
    for (const processor of processors) this.#order(processor, { type: 'ask', query })
    return query
  }

  /** Gives the processes that lack machines to these. */
  #assign({ request, processors }: Placement, chosen: readonly Address[]): void {
    const { job, currency, amount, borrows = true, program } = request
    const left = [...chosen]
    const members = processors.flatMap((processor) => processor ?? left.shift() ?? [])
    this.#write({ type: 'assigned', job, processors: members })
    if (program.kind === 'parallel') {
      const enlist: Enlist = { type: 'enlist', members }
      this.#effects.push(tell(program.barrier, enlist))
    }
    for (const processor of chosen) {
      const own = ownProgram(program, members.indexOf(processor))
      this.#order(processor, { type: 'submit', job, currency, amount, borrows, program: own })
    }
    this.#recount(job, chosen, false)
  }

  /** Asks processors whether their processes of a job are there. */
  #recount(job: string, processors: readonly Address[], wasThere: boolean): void {
    if (processors.length === 0) return
    for (const processor of processors) this.#order(processor, { type: 'recount', job })
    const more = processors.map((processor) => ({ processor, wasThere, refusal: null }))
    this.#doubt(job, [...doubtsOf(this.#desk.doubts, job), ...more])
    this.#effects.push(timer(confirmation(job), this.#desk.timeout, { type: 'unconfirmed', job }))
  }

  /** A machine that was silent may have lost what it had, and may have got what went elsewhere. */
  #isBack(processor: Address): void {
    const { silent, book, doubts } = this.#desk
    this.#change({ silent: new Set([...silent].filter((one) => one !== processor)) })
    for (const [job, placement] of book) {
      if (placement.passed.includes(processor)) this.#order(processor, { type: 'withdraw', job })
      const isDoubted = doubtsOf(doubts, job).some((doubt) => doubt.processor === processor)
      if (!isDoubted && livesOn(placement).includes(processor)) this.#recount(job, [processor], true)
    }
  }

  #doubt(job: string, own: readonly Doubt[]): void {
    const { doubts } = this.#desk
    if (doubts.has(job) && own.length === 0) this.#effects.push(cancel(confirmation(job)))
    this.#change({ doubts: withDoubts(doubts, job, own) })
  }

  /** Takes back the doubt about one process, and returns it. */
  #settle(job: string, processor: Address): Doubt | undefined {
    const doubts = doubtsOf(this.#desk.doubts, job)
    const others = doubts.filter((doubt) => doubt.processor !== processor)
    this.#doubt(job, others)
    return doubts.find((doubt) => doubt.processor === processor)
  }

  #confirm(job: string): void {
    const { book, doubts } = this.#desk
    const placement = book.get(job)
    if (!placement || doubts.has(job) || lacks(placement) > 0 || livesOn(placement).length === 0) return
    this.#sayPlaced(placement)
  }

  #sayPlaced({ request, processors }: Placement): void {
    const { job, from } = request
    this.#say(from, { type: 'placed', job, processors: processors.flatMap((processor) => processor ?? []) })
  }

  #miss(job: string, processor: Address): void {
    const placement = this.#desk.book.get(job)
    if (!placement || !livesOn(placement).includes(processor)) return
    this.#write({ type: 'ended', job, processor })
    this.#say(placement.request.from, { type: 'missing', job, processor })
  }

  #refuse(placement: Placement, reason: string): void {
    const { job, from } = placement.request
    for (const processor of livesOn(placement)) this.#order(processor, { type: 'withdraw', job })
    this.#doubt(job, [])
    this.#write({ type: 'refused', job, reason })
    this.#say(from, { type: 'refused', job, reason })
  }

  #answerAgain(placement: Placement, to: Address): void {
    const { request, refusal } = placement
    const { job, from } = request
    if (to !== from) this.#say(to, { type: 'refused', job, reason: `${from} has a job ${job}` })
    else if (refusal !== null) this.#say(to, { type: 'refused', job, reason: refusal })
    else if (lacks(placement) === 0 && !this.#desk.doubts.has(job)) this.#sayPlaced(placement)
  }

  #write(entry: Entry): void {
    this.#change({ book: enter(this.#desk.book, entry) })
    this.#effects.push(persist(entry))
  }

  #order(processor: Address, order: ToScheduler): void {
    this.#effects.push(tell(processor, order))
  }

  #say(to: Address, message: FromPlacer): void {
    this.#effects.push(tell(to, message))
  }

  #change(changes: Partial<Desk>): void {
    this.#desk = { ...this.#desk, ...changes }
  }
}

function ownProgram(program: Place['program'], rank: number) {
  if (program.kind !== 'parallel') return program
  const { size: _, ...rest } = program
  return { ...rest, rank }
}
