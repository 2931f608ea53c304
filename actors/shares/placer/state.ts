/** The state of a placer, and what the functions of its turns have in common. */
import { actor, type Gathering, type Ref, type Time, type Turn } from '../../../lib/actor.ts'
import type { ToScheduler } from '../../processor/jobs.ts'
import type { Book, Entry, Request } from './book.ts'
import type { Balance, Candidate } from './candidates.ts'
import type { FromPlacer, ToPlacer } from './messages.ts'
import { type PlacementEvent, placementChart } from './placement.ts'

export type Terms = {
  /** The processors of machines 1, 2, ... */
  readonly processors: readonly Ref<ToScheduler>[]
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

/** The records of a placer: each incarnation, and the entries of its book. */
export type Remembered = { readonly type: 'lived' } | Entry

export interface PlacerState extends Terms {
  readonly book: Book
  /** The records of earlier incarnations, until they are in the book. */
  readonly records: readonly Remembered[]
  /** Jobs that lack machines, in the order of service. */
  readonly queue: readonly string[]
  /** The current inquiry; null while no processor is being asked. */
  readonly inquiry: Inquiry | null
  /** Processors that did not answer the last question. */
  readonly silent: ReadonlySet<Ref<ToScheduler>>
  /** The number of the last query. A later incarnation begins with a number that no earlier one has used. */
  readonly queries: number
}

/** What a placer is spawned with. */
export type PlacerInput = Terms & {
  /** The records of earlier incarnations; absent in the first one. */
  readonly records?: readonly Remembered[]
}

type Event = ToPlacer | { type: 'unconfirmed'; job: string } | { type: 'unanswered' }

export const { createMachine, handlers, onEntry, persist, timer } = actor<{
  input: PlacerInput
  context: PlacerState
  event: Event
  reply: FromPlacer | ToScheduler
  record: Remembered
}>({ charts: [placementChart] })

/** The questions asked to place one job, which was the first in the queue when the inquiry began. */
export interface Inquiry {
  readonly job: string
  /** All processors that were asked. */
  readonly asked: readonly Ref<ToScheduler>[]
  /** The answers to earlier questions. */
  readonly heard: readonly Candidate[]
  /** The last question. */
  readonly question: Gathering<Candidate, Ref<ToScheduler>>
}

/** The handling of one event at a placer. */
export type PlacerTurn = Turn<PlacerState>

/** Hands an event to the placement of a job, if there is one. */
export function toJob(it: PlacerTurn, job: string, event: PlacementEvent): void {
  const { book } = it.context
  const placement = book.get(job)
  if (!placement) return
  const [next, ...effects] = placementChart.send(placement, event)
  it.context.book = new Map(book).set(job, next)
  it.do(...effects)
}

export function start(it: PlacerTurn, request: Request, entries: readonly Entry[]): void {
  const { book, timeout } = it.context
  const [placement, ...effects] = placementChart.start(request.job, { request, timeout, entries })
  it.context.book = new Map(book).set(request.job, placement)
  it.do(...effects)
}
