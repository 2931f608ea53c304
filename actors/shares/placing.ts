/**
 * One event at a placer: its book, its queue and what it is waiting for, as they are meanwhile. What it holds is
 * immutable and replaced, so the desk before the event stays as it was.
 *
 * A process is there when its processor says so, right after it was submitted. A processor that does not answer is passed
 * over: its process goes elsewhere, and is withdrawn from it should it still get it. But what was there before is never
 * placed a second time: it may have run.
 */
import {
  type Address,
  cancel,
  type Decision,
  draw,
  type Effect,
  persist,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { ToScheduler } from '../processor/jobs.ts'
import { type Book, type Entry, enter, heldBy, lacks, livesOn, MAX_JOBS, type Placement, type Request } from './book.ts'
import { type Balance, best, type Candidate, sample } from './choice.ts'
import { objectionTo } from './objection.ts'
import type { Enlist, FromPlacer } from './placement.ts'

export interface Terms {
  /** Of machines 1, 2, ... */
  readonly processors: readonly Address[]
  /** How many, at random, are asked what is there; null: none, the placer goes by what it has placed itself. */
  readonly ask: number | null
  readonly balance: Balance
  /** Longer than it takes to ask and hear, if only by the order of an instant. */
  readonly timeout: Time
  /** Base tickets that fund a currency, for the placer's own book. */
  readonly funding: Readonly<Record<string, number>>
}

export interface Desk extends Terms {
  readonly book: Book
  /** Jobs that lack machines, in the order in which they are served. */
  readonly queue: readonly string[]
  /** Set exactly while processors are asked, for the first in the queue. */
  readonly inquiry: Inquiry | null
  /** Of processes that are not known to be there, by job. */
  readonly doubts: ReadonlyMap<string, readonly Doubt[]>
  /** Who did not answer when last asked. */
  readonly silent: ReadonlySet<Address>
  /** How many times anybody was asked. */
  readonly queries: number
}

interface Inquiry {
  readonly job: string
  readonly query: number
  readonly asked: readonly Address[]
  readonly heard: readonly Candidate[]
}

interface Doubt {
  readonly processor: Address
  /** Was it there, as far as was known? */
  readonly wasThere: boolean
  readonly refusal: string | null
}

export const EMPTY_DESK: Omit<Desk, keyof Terms> = {
  book: new Map(),
  queue: [],
  inquiry: null,
  doubts: new Map(),
  silent: new Set(),
  queries: 0,
}

const INQUIRY = 'inquiry'
const confirmation = (job: string) => `confirmation ${job}`

export class Placing {
  readonly #terms: Terms
  #book: Book
  #queue: readonly string[]
  #inquiry: Inquiry | null
  #doubts: ReadonlyMap<string, readonly Doubt[]>
  #silent: ReadonlySet<Address>
  #queries: number
  readonly #effects: Effect[] = []

  constructor(desk: Desk) {
    this.#terms = desk
    this.#book = desk.book
    this.#queue = desk.queue
    this.#inquiry = desk.inquiry
    this.#doubts = desk.doubts
    this.#silent = desk.silent
    this.#queries = desk.queries
  }

  /** Goes on with the queue as far as it can: the desk after the event, and its effects. */
  decide(): Decision<Desk> {
    for (let first = this.#first; first && !this.#inquiry; first = this.#first) this.#serve(first)
    return [
      {
        book: this.#book,
        queue: this.#queue,
        inquiry: this.#inquiry,
        doubts: this.#doubts,
        silent: this.#silent,
        queries: this.#queries,
      },
      ...this.#effects,
    ]
  }

  /** A new life asks after all that an earlier one has placed, and goes on with the rest. */
  begin(): void {
    for (const [job, placement] of this.#book) {
      this.#recount(job, livesOn(placement))
      if (lacks(placement) > 0) this.#queue = [...this.#queue, job]
    }
  }

  request(request: Request): void {
    const { job, from } = request
    const known = this.#book.get(job)
    if (known) return this.#answerAgain(known, from)
    const full = this.#book.size < MAX_JOBS ? null : `${MAX_JOBS} jobs (MAX_JOBS) have been placed already`
    const reason = full ?? objectionTo(this.#terms.processors, request)
    if (reason !== null) return this.#say(from, { type: 'refused', job, reason })
    this.#write({ type: 'requested', request })
    this.#queue = [...this.#queue, job]
    if (this.#terms.ask === null) this.#query([...this.#silent])
  }

  load(from: Address, load: { readonly query: number; readonly tickets: number; readonly jobs: number }): void {
    if (this.#silent.has(from)) this.#isBack(from)
    const inquiry = this.#inquiry
    if (inquiry?.query !== load.query || !inquiry.asked.includes(from)) return
    const { tickets, jobs } = load
    const candidate = { processor: from, number: this.#numberOf(from), tickets, jobs }
    const heard = [...inquiry.heard.filter(({ processor }) => processor !== from), candidate]
    this.#inquiry = { ...inquiry, heard }
    if (heard.length === inquiry.asked.length) this.unanswered()
  }

  /** All have answered, or it is time to go on without the rest. */
  unanswered(): void {
    const inquiry = this.#inquiry
    if (!inquiry) return
    this.#inquiry = null
    this.#effects.push(cancel(INQUIRY))
    const { job, asked, heard } = inquiry
    const answered = new Set(heard.map(({ processor }) => processor))
    this.#silent = new Set([...this.#silent, ...asked.filter((processor) => !answered.has(processor))])
    const placement = this.#book.get(job)
    if (!placement || lacks(placement) === 0) return
    if (heard.length < lacks(placement)) this.#inquire(placement, asked, heard)
    else this.#assign(placement, best(heard, lacks(placement), this.#terms.balance))
  }

  /** A processor says whether a process is there. */
  standing(from: Address, job: string, here: boolean): void {
    const placement = this.#book.get(job)
    if (!placement) return
    const doubt = this.#settle(job, from)
    if (!doubt) {
      if (here && !livesOn(placement).includes(from)) this.#order(from, { type: 'withdraw', job })
    } else if (!here && doubt.refusal !== null) this.#refuse(placement, doubt.refusal)
    else {
      if (!here) this.#miss(job, from)
      this.#confirm(job)
    }
  }

  /** It may be a doubled submit that was refused: what counts is whether the process is there. */
  refused(from: Address, job: string, reason: string): void {
    const doubts = this.#doubtsOf(job)
    const heard = doubts.map((doubt) => (doubt.processor === from ? { ...doubt, refusal: reason } : doubt))
    this.#doubt(job, heard)
  }

  exited(from: Address, exit: Omit<Extract<FromPlacer, { type: 'exited' }>, 'processor'>): void {
    const placement = this.#book.get(exit.job)
    if (!placement || !livesOn(placement).includes(from)) return
    this.#settle(exit.job, from)
    this.#write({ type: 'ended', job: exit.job, processor: from })
    this.#say(placement.request.from, { ...exit, processor: from })
  }

  /** It is time to have heard of all processes of a job. */
  unconfirmed(job: string): void {
    const doubts = this.#doubtsOf(job)
    this.#doubt(job, [])
    this.#silent = new Set([...this.#silent, ...doubts.map(({ processor }) => processor)])
    for (const { processor, wasThere } of doubts) {
      const placement = this.#book.get(job)
      if (!placement || placement.refusal !== null) return
      if (wasThere) this.#miss(job, processor)
      else if (placement.request.on) this.#refuse(placement, `${processor} does not answer`)
      else {
        this.#write({ type: 'passed', job, processor })
        this.#order(processor, { type: 'withdraw', job })
      }
    }
    const placement = this.#book.get(job)
    if (placement && lacks(placement) > 0) this.#putFirst(job)
    else this.#confirm(job)
  }

  // --- choosing -------------------------------------------------------------------------------------------------------

  get #first(): Placement | undefined {
    const [job] = this.#queue
    return job === undefined ? undefined : this.#book.get(job)
  }

  /** One placement at a time: what a processor answers counts all that was submitted to it before it was asked. */
  #serve(placement: Placement): void {
    const { on } = placement.request
    if (lacks(placement) === 0) this.#queue = this.#queue.slice(1)
    else if (on) this.#assign(placement, on)
    else if (this.#terms.ask !== null) this.#inquire(placement, [], [])
    else this.#choose(placement)
  }

  /** By the own book; of who was silent nobody knows what it holds, so they come last. */
  #choose(placement: Placement): void {
    const count = lacks(placement)
    const held = heldBy(this.#book, this.#terms.funding)
    const candidates = this.#open(placement).map((processor) => {
      return { processor, number: this.#numberOf(processor), tickets: 0, jobs: 0, ...held.get(processor) }
    })
    const rank = (silent: boolean) =>
      best(
        candidates.filter(({ processor }) => this.#silent.has(processor) === silent),
        count,
        this.#terms.balance,
      )
    const chosen = [...rank(false), ...rank(true)].slice(0, count)
    if (chosen.length < count) this.#refuse(placement, this.#tooFew(placement, chosen.length))
    else this.#assign(placement, chosen)
  }

  /** Asks some that were not asked yet. */
  #inquire(placement: Placement, asked: readonly Address[], heard: readonly Candidate[]): void {
    const { job } = placement.request
    const left = this.#open(placement).filter((processor) => !asked.includes(processor))
    if (left.length === 0) return this.#refuse(placement, this.#tooFew(placement, heard.length))
    const count = Math.max(this.#terms.ask ?? 0, lacks(placement) - heard.length)
    const more = sample(left, count, (place) => draw('query', `${job} ${asked.length + place}`))
    const query = this.#query(more)
    this.#inquiry = { job, query, asked: [...asked, ...more], heard }
    this.#effects.push(timer(INQUIRY, this.#terms.timeout, { type: 'unanswered' }))
  }

  #query(processors: readonly Address[]): number {
    this.#queries += 1
    for (const processor of processors) this.#order(processor, { type: 'ask', query: this.#queries })
    return this.#queries
  }

  #open({ processors, passed }: Placement): Address[] {
    return this.#terms.processors.filter((one) => !processors.includes(one) && !passed.includes(one))
  }

  #numberOf(processor: Address): number {
    return this.#terms.processors.indexOf(processor) + 1
  }

  #tooFew({ processors }: Placement, found: number): string {
    const answer = found + processors.filter((processor) => processor !== null).length
    return answer === 0 ? 'no machine answers' : `${processors.length} machines are needed, and ${answer} answer`
  }

  // --- placing --------------------------------------------------------------------------------------------------------

  /** Gives the processes that lack machines to these. */
  #assign({ request, processors }: Placement, chosen: readonly Address[]): void {
    const { job, currency, amount, borrows = true, program } = request
    const left = [...chosen]
    const all = processors.map((processor) => processor ?? left.shift() ?? null).filter((one) => one !== null)
    this.#write({ type: 'assigned', job, processors: all })
    if (program.kind === 'parallel') {
      const enlist: Enlist = { type: 'enlist', members: all }
      this.#effects.push(tell(program.barrier, enlist))
    }
    for (const [rank, processor] of all.entries()) {
      if (!chosen.includes(processor)) continue
      const { size: _, ...own } = { size: 1, ...program }
      const submitted = own.kind === 'parallel' ? { ...own, rank } : own
      this.#order(processor, { type: 'submit', job, currency, amount, borrows, program: submitted })
    }
    this.#recount(job, chosen, false)
  }

  /** Asks processors whether their processes of a job are there. */
  #recount(job: string, processors: readonly Address[], wasThere = true): void {
    if (processors.length === 0) return
    for (const processor of processors) this.#order(processor, { type: 'recount', job })
    const doubts = processors.map((processor) => ({ processor, wasThere, refusal: null }))
    this.#doubt(job, [...this.#doubtsOf(job), ...doubts])
    this.#effects.push(timer(confirmation(job), this.#terms.timeout, { type: 'unconfirmed', job }))
  }

  /** A machine that was silent may have lost what it had. */
  #isBack(processor: Address): void {
    this.#silent = new Set([...this.#silent].filter((silent) => silent !== processor))
    for (const [job, placement] of this.#book) {
      const isDoubted = this.#doubtsOf(job).some((doubt) => doubt.processor === processor)
      if (!isDoubted && livesOn(placement).includes(processor)) this.#recount(job, [processor])
    }
  }

  #doubtsOf(job: string): readonly Doubt[] {
    return this.#doubts.get(job) ?? []
  }

  #doubt(job: string, doubts: readonly Doubt[]): void {
    const all = new Map(this.#doubts)
    if (doubts.length > 0) all.set(job, doubts)
    else if (all.delete(job)) this.#effects.push(cancel(confirmation(job)))
    this.#doubts = all
  }

  /** Takes back the doubt about one process, and returns it. */
  #settle(job: string, processor: Address): Doubt | undefined {
    const doubts = this.#doubtsOf(job)
    const settled = doubts.find((doubt) => doubt.processor === processor)
    if (settled) {
      this.#doubt(
        job,
        doubts.filter((doubt) => doubt !== settled),
      )
    }
    return settled
  }

  #confirm(job: string): void {
    const placement = this.#book.get(job)
    if (!placement || this.#doubts.has(job) || lacks(placement) > 0 || livesOn(placement).length === 0) return
    this.#sayPlaced(placement, placement.request.from)
  }

  #sayPlaced({ request, processors }: Placement, to: Address): void {
    this.#say(to, { type: 'placed', job: request.job, processors: processors.filter((one) => one !== null) })
  }

  #miss(job: string, processor: Address): void {
    const placement = this.#book.get(job)
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
    const { job } = request
    if (to !== request.from) this.#say(to, { type: 'refused', job, reason: `${request.from} has a job ${job}` })
    else if (refusal !== null) this.#say(to, { type: 'refused', job, reason: refusal })
    else if (lacks(placement) === 0 && !this.#doubts.has(job)) this.#sayPlaced(placement, to)
  }

  #putFirst(job: string): void {
    const others = this.#queue.filter((other) => other !== job)
    // whoever is being served stays first
    this.#queue = this.#inquiry ? [...others.slice(0, 1), job, ...others.slice(1)] : [job, ...others]
  }

  #write(entry: Entry): void {
    this.#book = enter(this.#book, entry)
    this.#effects.push(persist(entry))
  }

  #order(processor: Address, order: ToScheduler): void {
    this.#effects.push(tell(processor, order))
  }

  #say(to: Address, message: FromPlacer): void {
    this.#effects.push(tell(to, message))
  }
}
