/** The state of the scheduler, and the `Turn` that handles one event. Only the book is persisted. */
import {
  type Address,
  cancel,
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
import type { Act, Instruction, Quote, SchedulerFact, ToBank, ToUser } from './messages.ts'
import { type Book, EMPTY_BOOK, type Entry, enter, type Job } from './scheduler-book.ts'
import { type Caution, LONGEST_PAUSE, type Policy } from './terms.ts'

export type SchedulerTerms = Caution & {
  readonly policy: Policy
  readonly processors: readonly Address[]
  /** The bank; null: nothing is paid. */
  readonly bank: Address | null
  /** The terms for extra time; null: no job needs more time than it declares. */
  readonly overrun: Overrun | null
}

export type Overrun = {
  /** The length of a piece of extra time. */
  readonly lasts: Time
  /** How fast the best offer loses its weight against the mean price, per minute (equation 2). */
  readonly alpha: number
  /** The longest time until the end of a job is known: a message to a processor, and one back. */
  readonly grace: Time
}

export interface SchedulerState {
  readonly terms: SchedulerTerms
  readonly places: ReadonlyMap<Address, number>
  readonly book: Book
  /** For each running job, the processors that are not done yet. */
  readonly left: ReadonlyMap<number, readonly number[]>
  /** The quote that the bank has not answered, and its jobs. */
  readonly asked: { readonly quote: Quote; readonly jobs: readonly Job[] } | null
  readonly passes: number
  /** How long the bank has to answer until it is asked again. It doubles each time. */
  readonly pause: Time
  /** Whether a pass was requested. */
  readonly isDue: boolean
  /** Processors that have not answered the last probe. */
  readonly quiet: readonly number[]
  /** For each processor, how many probes in a row it missed before that one. */
  readonly missed: ReadonlyMap<number, number>
  /** Whether the timer of an inspection is set. */
  readonly isWatched: boolean
  /** The best offer that the last pass left waiting, in dollars per processor-minute; kept only where time is sold. */
  readonly best: number
}

export const initialState = (terms: SchedulerTerms, records: readonly Entry[]): SchedulerState => {
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
    | 'best']: SchedulerState[K]
}

/** One event at the scheduler: a copy of the state that changes, and the effects. The old state stays as it was. */
export class Turn implements Live {
  readonly now = now()
  readonly terms: SchedulerTerms
  readonly places: ReadonlyMap<Address, number>
  book: Book
  left: SchedulerState['left']
  asked: SchedulerState['asked']
  passes: number
  pause: Time
  isDue: boolean
  quiet: SchedulerState['quiet']
  missed: SchedulerState['missed']
  isWatched: boolean
  best: number
  readonly #effects: Effect[] = []

  constructor(state: SchedulerState) {
    this.terms = state.terms
    this.places = state.places
    this.book = state.book
    this.left = state.left
    this.asked = state.asked
    this.passes = state.passes
    this.pause = state.pause
    this.isDue = state.isDue
    this.quiet = state.quiet
    this.missed = state.missed
    this.isWatched = state.isWatched
    this.best = state.best
  }

  get decision(): Decision<SchedulerState> {
    const { book, left, asked, passes, pause, isDue, quiet, missed, isWatched, best } = this
    return [{ book, left, asked, passes, pause, isDue, quiet, missed, isWatched, best }, ...this.#effects]
  }

  /** Requests a pass, after all mail of this instant. */
  requestPass(): void {
    this.isDue = true
  }

  do(effect: Effect): void {
    this.#effects.push(effect)
  }

  note(fact: SchedulerFact): void {
    this.do(observe(fact))
  }

  /** Adds an entry to the book, and persists it where a later incarnation needs it. */
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

  /** Numbers an act and sends it to the bank, which carries it out once, however often it is repeated. */
  instruct(act: Act): void {
    if (this.terms.bank === null) return
    this.enter({ type: 'instructed', act })
    const instruction = this.book.unanswered.at(-1)
    if (instruction) this.sendInstruction(instruction)
  }

  sendInstruction(instruction: Instruction): void {
    this.toBank({ type: 'instruct', ...instruction, since: this.book.unanswered[0]?.n ?? instruction.n })
  }

  /** Sets the timer after which unanswered messages to the bank are repeated. */
  awaitBank(): void {
    if (this.terms.patience === null || this.pause > LONGEST_PAUSE) return
    this.do(timer('bank', this.pause, { type: 'unanswered' }))
  }

  /** Notes an answer of the bank: the pause is short again, and the timer stops once the bank owes no answer. */
  bankAnswered(): void {
    const { patience } = this.terms
    this.pause = patience ?? 0
    if (patience !== null && this.book.unanswered.length === 0 && this.asked === null) this.do(cancel('bank'))
  }

  /** The number of processors that are not lost. */
  get total(): number {
    return this.terms.processors.length - this.book.down.length
  }

  /** The idle processors that are not lost, in order. */
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
