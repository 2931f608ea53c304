/** The state of a placer, and what the functions of its turns have in common. */
import { type Address, type Gathering, type Time, type Turn, tell } from '../../../lib/actor.ts'
import type { ToScheduler } from '../../processor/jobs.ts'
import { type Book, type Entry, enter } from './book.ts'
import type { Balance, Candidate } from './candidates.ts'
import type { FromPlacer } from './messages.ts'

export type Terms = {
  /** The processors of machines 1, 2, ... */
  readonly processors: readonly Address[]
  /**
   * How many processors, drawn at random, are asked for their load; null: none, and the placer decides by its own
   * book.
   */
  readonly ask: number | null
  readonly balance: Balance
  /** How long an answer may take; at least two latencies. */
  readonly timeout: Time
  /** Base tickets that fund a currency, for the placer's own book. */
  readonly funding: Readonly<Record<string, number>>
}

export interface PlacerState extends Terms {
  readonly book: Book
  /** Jobs that lack machines, in the order of service. */
  readonly queue: readonly string[]
  /** The current inquiry; null while no processor is being asked. */
  readonly inquiry: Inquiry | null
  readonly doubts: Doubts
  /** Processors that did not answer the last question. */
  readonly silent: ReadonlySet<Address>
  /** The number of the last query. */
  readonly queries: number
}

/** The questions asked to place one job, which was the first in the queue when the inquiry began. */
export interface Inquiry {
  readonly job: string
  /** All processors that were asked. */
  readonly asked: readonly Address[]
  /** The answers to earlier questions. */
  readonly heard: readonly Candidate[]
  /** The last question. */
  readonly question: Gathering<Candidate>
}

/** The processes that have not been confirmed, by job. */
export type Doubts = ReadonlyMap<string, readonly Doubt[]>

export interface Doubt {
  readonly processor: Address
  /** Whether the process was confirmed before. */
  readonly wasThere: boolean
  readonly refusal: string | null
}

export const doubtsOf = (doubts: Doubts, job: string): readonly Doubt[] => doubts.get(job) ?? []

/** Replaces the doubts about a job. */
export function withDoubts(doubts: Doubts, job: string, own: readonly Doubt[]): Doubts {
  const all = new Map(doubts)
  if (own.length > 0) all.set(job, own)
  else all.delete(job)
  return all
}

/** The handling of one event at a placer. */
export type PlacerTurn = Turn<PlacerState>

export function write(it: PlacerTurn, entry: Entry): void {
  const [book, ...effects] = enter(it.context.book, entry, true)
  it.context.book = book
  it.do(...effects)
}

export const order = (it: PlacerTurn, processor: Address, message: ToScheduler): void => it.do(tell(processor, message))

export const say = (it: PlacerTurn, to: Address, message: FromPlacer): void => it.do(tell(to, message))
