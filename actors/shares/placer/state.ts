/** What a placer has before it: what it was told once and for all, and how far it is. */
import { type Address, type Decision, type Effect, persist, type Time, tell } from '../../../lib/actor.ts'
import type { ToScheduler } from '../../processor/jobs.ts'
import { type Book, type Entry, enter, type Placement } from './book.ts'
import type { Balance, Candidate } from './candidates.ts'
import type { Enlist, FromPlacer } from './messages.ts'

export type Terms = {
  /** Of machines 1, 2, ... */
  readonly processors: readonly Address[]
  /** How many, at random, are asked what is there; null: none, the placer goes by what it has placed itself. */
  readonly ask: number | null
  readonly balance: Balance
  /** How long an answer may take: two latencies or more. */
  readonly timeout: Time
  /** Base tickets that fund a currency, for the placer's own book. */
  readonly funding: Readonly<Record<string, number>>
}

export interface PlacerState extends Terms {
  readonly book: Book
  /** Jobs that lack machines, in the order in which they are served. */
  readonly queue: readonly string[]
  /** Set exactly while processors are asked. */
  readonly inquiry: Inquiry | null
  readonly doubts: Doubts
  /** Who did not answer when last asked. */
  readonly silent: ReadonlySet<Address>
  /** How many times anybody was asked. */
  readonly queries: number
}

/** What was asked to place one job, the first in the queue when it began. */
export interface Inquiry {
  readonly job: string
  readonly query: number
  readonly asked: readonly Address[]
  /** Who has not answered, of those that were asked last. */
  readonly awaited: readonly Address[]
  readonly heard: readonly Candidate[]
}

/** Of processes that are not known to be where they should be, by job. */
export type Doubts = ReadonlyMap<string, readonly Doubt[]>

export interface Doubt {
  readonly processor: Address
  /** Was it there, as far as was known? */
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

/** With these doubts about a job instead of those before. */
export function withDoubts(doubts: Doubts, job: string, own: readonly Doubt[]): Doubts {
  const all = new Map(doubts)
  if (own.length > 0) all.set(job, own)
  else all.delete(job)
  return all
}

export class PlacerTurn {
  #state: PlacerState
  readonly #effects: Effect[] = []

  constructor(state: PlacerState) {
    this.#state = state
  }

  get state(): PlacerState {
    return this.#state
  }

  /** The desk after the event, and its effects. */
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
