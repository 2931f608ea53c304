/**
 * The state of a site. The book of contracts is a fold of entries, which the site persists; the other fields are only kept in
 * memory. A later incarnation knows all contracts, remaining times and unpaid bills, and has forgotten its offers.
 */
import {
  type Address,
  actor,
  type Child,
  childChart,
  type Effect,
  eventSourced,
  type FailureDetector,
  idleDetector,
  type Joined,
  now,
  type Ref,
  type Time,
  type Turn,
} from '../../lib/actor.ts'
import { type Caution, idleOf } from '../processor/employer.ts'
import type { ToProcessor } from '../processor/messages.ts'
import type { Promised, Round, ToBroker, ToClient, ToSite } from './messages.ts'
import { added, allOf, emptyQueue, type Queue, removed, waitingOf } from './queue.ts'
import type { Occupant, Site } from './quote.ts'
import type { Heuristic } from './ranks.ts'
import { drop, get, itemsOf, put, type Sorted, withoutOver } from './sorted.ts'
import type { SiteTerms } from './terms.ts'
import type { Task } from './values.ts'

/** A task that this site has to run: the data of its chart. */
export type Contract = Agreement & {
  readonly remaining: Time
  /** The number of the attempt, from 1: one more each time the task is stopped. */
  readonly attempt: number
  /** The processor that runs the task or has to stop it; -1 for none. */
  readonly on: number
  /** When the processor began. */
  readonly since: Time
  /** When the task was done, and what the client has to pay; null before. */
  readonly bill: { readonly finish: Time; readonly paid: number } | null
}

/** What client and site have agreed on. */
export type Agreement = Task & Promised & { readonly client: Ref<ToClient> }

export type Entry =
  | { readonly type: 'accepted'; readonly of: Agreement }
  | { readonly type: 'started'; readonly task: number; readonly on: number; readonly at: Time }
  /** The task was preempted. It keeps what it has run if its processor confirms it. */
  | { readonly type: 'preempted'; readonly task: number; readonly at: Time }
  | { readonly type: 'returned'; readonly task: number }
  /** The processor died: all that the task had run is lost. */
  | { readonly type: 'failed'; readonly task: number }
  | { readonly type: 'settled'; readonly task: number; readonly finish: Time; readonly paid: number }
  | { readonly type: 'paid'; readonly task: number }
  /** The task is no longer wanted. */
  | { readonly type: 'voided'; readonly task: number }
  | { readonly type: 'lost'; readonly processor: number }
  | { readonly type: 'found'; readonly processor: number }

const chart = actor<{ input: Agreement; context: Contract; event: Entry }>()

/**
 * The chart of a contract. The entries of the book are its events, so that a later incarnation finds it in the same state.
 * A preempted task is held until its processor has confirmed that it stopped.
 */
export const contractChart = childChart(
  chart.createMachine({
    id: 'contract',
    // the spread comes last: in V8 a field added after a spread gives every object a hidden class of its own
    context: ({ input }) => ({ remaining: input.runtime, attempt: 1, on: -1, since: 0, bill: null, ...input }),
    initial: 'waiting',
    on: chart.handlers({ voided: '.voided' }),
    states: {
      waiting: {
        on: chart.handlers({ started: { target: 'running', handle: (_, { on, at }) => [{ on, since: at }] } }),
      },
      running: {
        on: chart.handlers({
          preempted: {
            target: 'held',
            handle: ({ remaining, attempt, since }, { at }) => [
              { remaining: remaining - (at - since), attempt: attempt + 1 },
            ],
          },
          failed: {
            target: 'waiting',
            handle: ({ runtime, attempt }) => [{ remaining: runtime, attempt: attempt + 1 }],
          },
          settled: { target: 'billed', handle: (_, { finish, paid }) => [{ bill: { finish, paid } }] },
        }),
      },
      held: {
        on: chart.handlers({
          returned: 'waiting',
          failed: { target: 'waiting', handle: ({ runtime }) => [{ remaining: runtime }] },
        }),
      },
      billed: { on: chart.handlers({ paid: 'paid' }) },
      paid: { type: 'final' },
      voided: { type: 'final' },
    },
  }),
)

export type ContractState = Child<Contract>

/** The contracts in one state, by task, in the order in which they entered it. */
type Contracts = ReadonlyMap<number, ContractState>

const NONE: Contracts = new Map()

export interface Book {
  /** The contracts that are not over, by task. */
  readonly open: Sorted<ContractState>
  /** The contracts whose tasks may begin. */
  readonly waiting: Queue<Contract>
  readonly running: Contracts
  readonly held: Contracts
  readonly billed: Contracts
  /** Tasks that are paid, and tasks that will never be. */
  readonly over: Sorted<true>
  /** The processors that are lost. */
  readonly down: readonly number[]
}

/** The books of sites with this heuristic. */
export const booksOf = (heuristic: Heuristic) =>
  eventSourced<Book, Entry>({
    empty: {
      open: null,
      waiting: emptyQueue(heuristic),
      running: NONE,
      held: NONE,
      billed: NONE,
      over: null,
      down: [],
    },
    apply,
    compact: withoutOver,
  })

function apply(book: Book, entry: Entry): readonly [Book, ...Effect[]] {
  if (entry.type === 'lost') return [{ ...book, down: [...book.down, entry.processor] }]
  if (entry.type === 'found') return [{ ...book, down: book.down.filter((one) => one !== entry.processor) }]
  if (entry.type === 'accepted') {
    const [contract, ...effects] = contractChart.start(entry.of.task, entry.of)
    return [changed(book, undefined, contract), ...effects]
  }
  const before = get(book.open, entry.task)
  if (!before) return [book]
  const [contract, ...effects] = contractChart.send(before, entry)
  return [changed(book, before, contract), ...effects]
}

/** The book after a contract has changed, and stands among those of its new state. */
function changed(book: Book, before: ContractState | undefined, after: ContractState): Book {
  const { task } = after.context
  const isOver = after.state === 'paid' || after.state === 'voided'
  const without = before?.state === 'waiting' ? removed(book.waiting, before.context) : book.waiting
  return {
    ...book,
    open: isOver ? drop(book.open, task) : put(book.open, task, after),
    waiting: after.state === 'waiting' ? added(without, after.context) : without,
    running: among(book.running, 'running', after),
    held: among(book.held, 'held', after),
    billed: among(book.billed, 'billed', after),
    over: isOver ? put(book.over, task, true) : book.over,
  }
}

/** The contracts in a state, after one contract has changed. */
function among(contracts: Contracts, state: string, after: ContractState): Contracts {
  const { task } = after.context
  if (after.state !== state && !contracts.has(task)) return contracts
  const next = new Map(contracts)
  if (after.state === state) next.set(task, after)
  else next.delete(task)
  return next
}

/** Whether any task runs or waits. */
export const isBusy = ({ waiting, held, running }: Book): boolean =>
  running.size > 0 || held.size > 0 || waiting.byNumber !== null

/** Whether the site ever accepted the task. */
export const isKnown = ({ open, over }: Book, task: number): boolean =>
  get(open, task) !== undefined || get(over, task) === true

export type SiteInput = SiteTerms &
  Caution & {
    readonly processors: readonly Ref<ToProcessor>[]
    /** What earlier incarnations persisted; absent in the first. */
    readonly records?: readonly Entry[]
  }

interface Offered extends Promised {
  readonly round: number
  readonly expires: Time | null
}

export interface Context {
  readonly terms: Omit<SiteInput, 'records'>
  readonly book: Book
  /** Offers without an answer, by task. */
  readonly offers: Sorted<Offered>
  /** Under mode 1, the tasks accepted since the last dispatch. Only these may preempt a running task. */
  readonly fresh: Sorted<number>
  /** The time until unanswered bills are repeated. It doubles each time. */
  readonly pause: Time | null
  /** Whether the timer for repeating bills is set. */
  readonly isBilling: boolean
  /** The detector of processors that do not answer probes. */
  readonly detector: FailureDetector<number>
  /** The time until the next inspection of processors. It doubles each time while no task can run. */
  readonly asking: Time | null
}

export const contextOf = ({ records, ...terms }: SiteInput): Context => ({
  terms,
  book: booksOf(terms.heuristic).recover(records),
  offers: null,
  fresh: null,
  pause: terms.patience,
  isBilling: false,
  detector: idleDetector(),
  asking: terms.patience,
})

/** The facts that a site reports. */
export type SiteFact =
  | ({ readonly type: 'offered'; readonly task: number; readonly slack: number } & Promised)
  /** The slack is null for a task that the site has already. */
  | { readonly type: 'refused'; readonly task: number; readonly slack: number | null }
  | ({ readonly type: 'reneged' } & Round)
  | ({ readonly type: 'taken' } & Round & Promised)
  | { readonly type: 'began' | 'preempted'; readonly task: number; readonly processor: Address }
  /** The processor has lost the task. */
  | { readonly type: 'failed'; readonly task: number; readonly attempt: number; readonly processor: Address }
  | {
      readonly type: 'earned'
      readonly task: number
      readonly finish: Time
      readonly yield: number
      readonly paid: number
    }
  /** The client has paid (`received`), or pays nothing because the contract is void (`voided`). */
  | { readonly type: 'received' | 'voided'; readonly task: number }
  /** The processor has confirmed that it stopped a preempted task, which waits again with what it has run. */
  | { readonly type: 'returned'; readonly task: number }
  /** The processor is taken for dead (`suspected`), or it is heard again (`trusted`). */
  | { readonly type: 'suspected' | 'trusted'; readonly processor: Address }
  /** A dispatch is over. Told only with preemption. */
  | { readonly type: 'dispatched' }

type Event = ToSite | Joined | { type: 'dispatch' } | { type: 'inspect' } | { type: 'bill' }

export const { createMachine, handlers, onEntry, observe, retry, timer } = actor<{
  input: SiteInput
  context: Context
  event: Event
  reply: ToBroker | ToClient
  fact: SiteFact
}>({ charts: [contractChart] })

/** Adds an entry to the book. */
export const enter = (it: Turn<Context>, entry: Entry): void =>
  booksOf(it.context.terms.heuristic).enterIn(it, entry, it.context.terms.patience !== null)

/** Sets the timer that dispatches tasks after all mail of this instant. */
export const dispatchLater = (it: Turn<Context>): void => it.do(timer('dispatch', 0, { type: 'dispatch' }))

export const addressOf = ({ terms }: Context, place: number): Address => terms.processors[place] ?? 'processor@nowhere'

export const idlePlaces = (context: Context): number[] =>
  idleOf(
    context,
    [...context.book.running.values()].map(({ context: { on } }) => on),
  )

/** The running tasks with the runtime that remains now. */
export const occupantsOf = ({ book }: Context): (Occupant & Contract)[] =>
  [...book.running.values()].map(({ context }) => ({
    ...context,
    remaining: context.remaining - (now() - context.since),
    end: context.since + context.remaining,
  }))

export const siteOf = (context: Context): Site => ({
  now: now(),
  idle: idlePlaces(context).length,
  running: occupantsOf(context),
  waiting: context.book.waiting,
  held: [...context.book.held.values()].map((one) => one.context),
  challengers: challengersOf(context),
})

/** The waiting tasks that may preempt a running one; null without preemption. */
function challengersOf({ terms, book: { waiting }, fresh }: Context): Site['challengers'] {
  if (terms.preempt === 0) return null
  if (terms.preempt === 2) return () => allOf(waiting)
  return () => itemsOf(fresh).flatMap((task) => waitingOf(waiting, task) ?? [])
}
