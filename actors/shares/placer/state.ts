/** The state of a placer, and its turn (the handling of one event). */
import { type Address, type Decision, type Effect, persist, type Time, tell } from '../../../lib/actor.ts'
import type { ToScheduler } from '../../processor/jobs.ts'
import { type Book, type Entry, enter, type Placement } from './book.ts'
import type { Balance, Candidate } from './candidates.ts'
import type { Enlist, FromPlacer } from './messages.ts'

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
  readonly query: number
  readonly asked: readonly Address[]
  /** Processors that were asked last and have not answered. */
  readonly awaited: readonly Address[]
  readonly heard: readonly Candidate[]
}

/** The processes that have not been confirmed, by job. */
export type Doubts = ReadonlyMap<string, readonly Doubt[]>

export interface Doubt {
  readonly processor: Address
  /** Whether the process was confirmed before. */
  readonly wasThere: boolean
  readonly refusal: string | null
}

export const EMPTY_STATE: Omit<PlacerState, keyof Terms> = {
  book: new Map(),
  queue: [],
  inquiry: null,
  doubts: new Map(),
  silent: new Set(),
  queries: 0,
}

export const doubtsOf = (doubts: Doubts, job: string): readonly Doubt[] => doubts.get(job) ?? []

/** Replaces the doubts about a job. */
export function withDoubts(doubts: Doubts, job: string, own: readonly Doubt[]): Doubts {
  const all = new Map(doubts)
  if (own.length > 0) all.set(job, own)
  else all.delete(job)
  return all
}

/**
 * The handling of one event at a placer. Its state is immutable and replaced, so the previous state stays as it was.
 */
export class PlacerTurn {
  #state: PlacerState
  readonly #effects: Effect[] = []

  constructor(state: PlacerState) {
    this.#state = state
  }

  get state(): PlacerState {
    return this.#state
  }

  /** The state after the event, and its effects. */
  get decision(): Decision<PlacerState> {
    return [this.#state, ...this.#effects]
  }

  placementOf(job: string): Placement | undefined {
    return this.#state.book.get(job)
  }

  change(changes: Partial<PlacerState>): void {
    this.#state = { ...this.#state, ...changes }
  }

  write(entry: Entry): void {
    this.change({ book: enter(this.#state.book, entry) })
    this.#effects.push(persist(entry))
  }

  do(effect: Effect): void {
    this.#effects.push(effect)
  }

  order(processor: Address, order: ToScheduler): void {
    this.#effects.push(tell(processor, order))
  }

  enlist(barrier: Address, members: readonly Address[]): void {
    const enlist: Enlist = { type: 'enlist', members }
    this.#effects.push(tell(barrier, enlist))
  }

  say(to: Address, message: FromPlacer): void {
    this.#effects.push(tell(to, message))
  }
}
