/** The state of the scheduler, and what its handlers do in a turn. Only the book is persisted. */
import {
  actor,
  cancel,
  type FailureDetector,
  idleDetector,
  type Joined,
  type Ref,
  ref,
  type Time,
  type Turn,
  tell,
} from '../../lib/actor.ts'
import { type Caution, idleOf } from '../processor/employer.ts'
import type { ToProcessor } from '../processor/messages.ts'
import type { Act, Quote, SchedulerFact, ToBank, ToScheduler, ToUser } from './messages.ts'
import { type Book, books, type Entry, type Job } from './scheduler-book.ts'
import type { Durability, Policy } from './terms.ts'

export type SchedulerTerms = Caution &
  Durability & {
    readonly policy: Policy
    readonly processors: readonly Ref<ToProcessor>[]
    /** The bank; null: nothing is paid. */
    readonly bank: Ref<ToBank> | null
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
  readonly book: Book
  /** For each running job, the processors that are not done yet. */
  readonly left: ReadonlyMap<number, readonly number[]>
  /** The quote that the bank has not answered, and its jobs. */
  readonly asked: { readonly quote: Quote; readonly jobs: readonly Job[] } | null
  readonly passes: number
  /** How long the bank has to answer the next repetition. */
  readonly pause: Time | null
  /** Whether a pass was requested. */
  readonly isDue: boolean
  /** Watches the processors at work. */
  readonly detector: FailureDetector<number>
  /** The best offer that the last pass left waiting, in dollars per processor-minute; kept only where time is sold. */
  readonly best: number
}

/** What the scheduler is spawned with. */
export type SchedulerInput = SchedulerTerms & {
  /** What earlier incarnations persisted; absent in the first. */
  readonly records?: readonly Entry[]
}

type Event = ToScheduler | Joined | { type: 'pass' | 'unanswered' | 'inspect' } | { type: 'overdue'; job: number }

export const { createMachine, handlers, onEntry, observe, retry, timer } = actor<{
  input: SchedulerInput
  context: SchedulerState
  event: Event
  fact: SchedulerFact
}>()

/** One event at the scheduler. */
export type SchedulerTurn = Turn<SchedulerState>

export const initialState = (terms: SchedulerTerms, records: readonly Entry[]): SchedulerState => {
  const book = books.recover(records)
  return {
    terms,
    book,
    left: new Map([...book.running].map(([job, { on }]) => [job, on])),
    asked: null,
    passes: 0,
    pause: terms.patience,
    isDue: false,
    detector: idleDetector(),
    best: 0,
  }
}

/** Requests a pass, after all mail of this instant. */
export const requestPass = (it: SchedulerTurn): void => {
  it.context.isDue = true
}

/** Adds an entry to the book, and persists it where a later incarnation needs it. */
export const enter = (it: SchedulerTurn, entry: Entry): void => books.enterIn(it, entry, it.context.terms.durable)

export const userAt = (machine: string): Ref<ToUser> => ref(`user@${machine}`)

/** Sends messages to the bank, and sets the timer after which unanswered ones are repeated. */
export function toBank(it: SchedulerTurn, messages: readonly ToBank[], pause = it.context.terms.patience): void {
  const { bank } = it.context.terms
  if (bank === null || messages.length === 0) return
  const [next, ...effects] = retry('bank', pause, { type: 'unanswered' })
  it.context.pause = next
  it.do(...messages.map((message) => tell(bank, message)), ...effects)
}

/** Numbers an act and sends it to the bank, which carries it out once, however often it is repeated. */
export function instruct(it: SchedulerTurn, act: Act): void {
  if (it.context.terms.bank === null) return
  enter(it, { type: 'instructed', act })
  toBank(it, instructionsOf(it.context.book).slice(-1))
}

/** The instructions that the bank has not answered. */
const instructionsOf = ({ unanswered }: Book): ToBank[] =>
  unanswered.map(({ n, act }) => ({ type: 'instruct', n, act, since: unanswered[0]?.n ?? n }))

/** Repeats to the bank what it has not answered. A refund has to come before the quote of its job. */
export function repeat(it: SchedulerTurn, pause = it.context.terms.patience): void {
  const { asked, book } = it.context
  toBank(it, [...instructionsOf(book), ...(asked ? [asked.quote] : [])], pause)
}

/** Stops the timer of repetitions once the bank owes no answer. */
export function bankAnswered(it: SchedulerTurn): void {
  const { terms, book, asked } = it.context
  if (terms.patience !== null && book.unanswered.length === 0 && asked === null) it.do(cancel('bank'))
}

/** The number of processors that are not lost. */
export const totalOf = ({ terms, book }: SchedulerState): number => terms.processors.length - book.down.length

/** The idle processors that are not lost, in order. */
export function idle({ context }: SchedulerTurn): number[] {
  const taken: number[] = []
  for (const { on } of context.book.running.values()) taken.push(...on)
  return idleOf(context, taken)
}
