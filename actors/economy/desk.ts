/** What the scheduler has before it while it handles one event: its book, and what it only remembers. */
import {
  type Address,
  type Decision,
  type Effect,
  now,
  observe,
  persist,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { ToProcessor } from '../processor/messages.ts'
import { type Book, EMPTY_BOOK, type Entry, enter, type Job } from './book.ts'
import type { Act, Instruction, Quote, SchedulerFact, ToBank, ToUser } from './messages.ts'
import { type Caution, LONGEST_PAUSE, type Policy } from './terms.ts'

export type SchedulerTerms = Caution & {
  readonly policy: Policy
  readonly processors: readonly Address[]
  /** Null: nothing is paid. */
  readonly bank: Address | null
  /** How to sell time beyond what was declared; null: what is declared is exact, nobody needs more. */
  readonly overrun: Overrun | null
}

export type Overrun = {
  /** It is sold in pieces of this length. */
  readonly lasts: Time
  /** How fast the price of now loses its weight against the estimate, per minute (equation 2). */
  readonly alpha: number
  /** How long it takes at most until the end of a job is known: from the scheduler to a processor, and back. */
  readonly grace: Time
}

export interface Desk {
  readonly terms: SchedulerTerms
  readonly places: ReadonlyMap<Address, number>
  readonly book: Book
  /** On which processors a running job is not done yet. */
  readonly left: ReadonlyMap<number, readonly number[]>
  /** What the bank has been asked, and about whom. */
  readonly asked: { readonly quote: Quote; readonly jobs: readonly Job[] } | null
  readonly passes: number
  /** How long the bank has to answer until it is asked again: longer each time. */
  readonly pause: Time
  /** Something has happened that calls for a pass. */
  readonly isDue: boolean
  /** Who has not answered the last probe. */
  readonly quiet: readonly number[]
  /** How many before that one in a row, if any. */
  readonly missed: ReadonlyMap<number, number>
  /** Is an inspection to come? */
  readonly isWatched: boolean
  /** The best offer of those whom the last pass left waiting, in dollars per processor-minute; only where time is sold. */
  readonly best: number
}

export const deskOf = (terms: SchedulerTerms, records: readonly Entry[]): Desk => {
  const book = records.reduce(enter, EMPTY_BOOK)
  return {
    terms,
    places: new Map(terms.processors.map((address, place) => [address, place])),
    book,
    left: new Map([...book.running].map(([job, { on }]) => [job, on])),
    asked: null,
    passes: 0,
    pause: terms.patience ?? 0,
    isDue: false,
    quiet: [],
    missed: new Map(),
    isWatched: false,
    best: 0,
  }
}

type Live = {
  -readonly [K in
    | 'book'
    | 'left'
    | 'asked'
    | 'passes'
    | 'pause'
    | 'isDue'
    | 'quiet'
    | 'missed'
    | 'isWatched'
    | 'best']: Desk[K]
}

/** One event at the desk. What was there before it stays as it was. */
export class Turn implements Live {
  readonly now = now()
  readonly terms: SchedulerTerms
  readonly places: ReadonlyMap<Address, number>
  book: Book
  left: Desk['left']
  asked: Desk['asked']
  passes: number
  pause: Time
  isDue: boolean
  quiet: Desk['quiet']
  missed: Desk['missed']
  isWatched: boolean
  best: number
  readonly #effects: Effect[] = []

  constructor(desk: Desk) {
    this.terms = desk.terms
    this.places = desk.places
    this.book = desk.book
    this.left = desk.left
    this.asked = desk.asked
    this.passes = desk.passes
    this.pause = desk.pause
    this.isDue = desk.isDue
    this.quiet = desk.quiet
    this.missed = desk.missed
    this.isWatched = desk.isWatched
    this.best = desk.best
  }

  get decision(): Decision<Desk> {
    const { book, left, asked, passes, pause, isDue, quiet, missed, isWatched, best } = this
    return [{ book, left, asked, passes, pause, isDue, quiet, missed, isWatched, best }, ...this.#effects]
  }

  /** Something has happened that calls for a pass. */
  call(): void {
    this.isDue = true
  }

  do(effect: Effect): void {
    this.#effects.push(effect)
  }

  note(fact: SchedulerFact): void {
    this.do(observe(fact))
  }

  /** What is written down is what happens to the book, so a later incarnation has the same. */
  enter(entry: Entry): void {
    this.book = enter(this.book, entry)
    if (this.terms.durable) this.do(persist(entry))
  }

  toUser(user: string, message: ToUser): void {
    this.do(tell(`user@${user}`, message))
  }

  toProcessor(place: number, message: ToProcessor): void {
    const to = this.terms.processors[place]
    if (to !== undefined) this.do(tell(to, message))
  }

  toBank(message: ToBank): void {
    const { bank } = this.terms
    if (bank === null) return
    this.do(tell(bank, message))
    this.awaitBank()
  }

  /** Has the bank do this once, however often it has to be told. */
  instruct(act: Act): void {
    if (this.terms.bank === null) return
    this.enter({ type: 'instructed', act })
    const instruction = this.book.unanswered.at(-1)
    if (instruction) this.sendInstruction(instruction)
  }

  sendInstruction(instruction: Instruction): void {
    this.toBank({ type: 'instruct', ...instruction, since: this.book.unanswered[0]?.n ?? instruction.n })
  }

  /** Whatever it has not answered by then is said again. */
  awaitBank(): void {
    if (this.terms.patience === null || this.pause > LONGEST_PAUSE) return
    this.do(timer('bank', this.pause, { type: 'unanswered' }))
  }

  /** Processors that answer. */
  get total(): number {
    return this.terms.processors.length - this.book.down.length
  }

  /** Those that answer and have nothing to do, the first first. */
  idle(): number[] {
    const { running, down } = this.book
    const isTaken: boolean[] = new Array(this.terms.processors.length).fill(false)
    for (const { on } of running.values()) for (const place of on) isTaken[place] = true
    for (const place of down) isTaken[place] = true
    const idle: number[] = []
    for (const [place, taken] of isTaken.entries()) if (!taken) idle.push(place)
    return idle
  }
}
