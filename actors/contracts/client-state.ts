/**
 * The state of a client. The book of orders is a fold of entries, which the client persists. A later incarnation searches
 * again for the tasks that have no site, watches the sites of the others, and pays no bill twice.
 */
import {
  actor,
  type Child,
  childChart,
  eventSourced,
  type FailureDetector,
  idleDetector,
  type Ref,
  type Time,
  type Turn,
} from '../../lib/actor.ts'
import type { Caution } from '../processor/employer.ts'
import type { Promised, Search, ToBroker, ToSite } from './messages.ts'
import { drop, get, put, type Sorted, withoutOver } from './sorted.ts'
import type { Detector } from './terms.ts'
import { type Task, yieldOf } from './values.ts'

/** A contract, as its client knows it. */
export type Deal = Promised & {
  readonly site: Ref<ToSite>
  /** Whether the site was given up because it did not answer. The contract stands, but the client looks for another site. */
  readonly isLost: boolean
}

/** A task, as its client knows it: the data of its chart. */
export type Order = {
  readonly of: Task
  /** The number of the last search for a site. */
  readonly search: number
  readonly deals: readonly Deal[]
  /** The site that did the task and was paid; null for none. */
  readonly by: Ref<ToSite> | null
}

export type Entry =
  | { readonly type: 'requested'; readonly of: Task }
  | (Search & Promised & { readonly type: 'placed'; readonly site: Ref<ToSite> })
  /** The client gives up the site of the task. */
  | { readonly type: 'lost'; readonly task: number }
  /** No other site takes the task. */
  | { readonly type: 'stranded'; readonly task: number }
  /** No site ever took the task. */
  | { readonly type: 'unplaced'; readonly task: number }
  | { readonly type: 'paid'; readonly task: number; readonly site: Ref<ToSite>; readonly paid: number }

const { createMachine, handlers } = actor<{ input: Task; context: Order; event: Entry }>()

/** The chart of an order. The entries of the book are its events, so that a later incarnation finds it in the same state. */
export const orderChart = childChart(
  createMachine({
    id: 'order',
    context: ({ input }) => ({ of: input, search: 1, deals: [], by: null }),
    initial: 'searching',
    on: handlers({ paid: { target: '.paid', handle: (_, { site }) => [{ by: site }] } }),
    states: {
      searching: {
        on: handlers({
          placed: {
            target: 'placed',
            handle: ({ deals }, { site, completion, price }) => [
              { deals: [...deals, { site, completion, price, isLost: false }] },
            ],
          },
          stranded: 'stranded',
          unplaced: 'unplaced',
        }),
      },
      placed: {
        on: handlers({
          lost: {
            target: 'searching',
            handle: ({ search, deals }) => [
              { search: search + 1, deals: deals.map((deal) => ({ ...deal, isLost: true })) },
            ],
          },
        }),
      },
      stranded: {},
      paid: { type: 'final' },
      unplaced: { type: 'final' },
    },
  }),
)

export type OrderState = Child<Order>

export interface Book {
  /** Open orders by task. */
  readonly open: Sorted<OrderState>
  /** Orders that are paid or found no site, by task. */
  readonly over: Sorted<OrderState>
}

const orders = eventSourced<Book, Entry>({
  empty: { open: null, over: null },
  apply: ({ open, over }, entry) => {
    if (entry.type === 'requested') {
      const [order, ...effects] = orderChart.start(entry.of.task, entry.of)
      return [{ open: put(open, entry.of.task, order), over }, ...effects]
    }
    const { task } = entry
    const before = get(open, task)
    if (!before) return [{ open, over }]
    const [order, ...effects] = orderChart.send(before, entry)
    const isOver = order.state === 'paid' || order.state === 'unplaced'
    return isOver
      ? [{ open: drop(open, task), over: put(over, task, order) }, ...effects]
      : [{ open: put(open, task, order), over }, ...effects]
  },
  compact: withoutOver,
})

/** The contract that counts for the task now; null if there is none. */
export const holderOf = ({ state, context: { deals } }: OrderState): Deal | null =>
  state === 'placed' ? (deals.at(-1) ?? null) : null

/**
 * The dollars that a site owes after it was given up: the promised price less the yield of the task in the end.
 *
 * @param finish when another site finished the task; null: no site did, so the loss is as large as it can be
 * @param cap the largest penalty of a task whose penalty is unbounded
 */
export function owed(of: Task, { price }: Promised, finish: Time | null, cap: number): number {
  const most = price + (of.worth.bound ?? cap)
  return Math.max(0, finish === null ? most : Math.min(most, price - yieldOf(of, finish)))
}

/** What a client is spawned with. */
export type ClientInput = Caution & {
  /** The tasks in order of arrival. */
  readonly tasks: readonly Task[]
  readonly broker: Ref<ToBroker>
  /** The most dollars that a site owes beyond its price after it was given up, for a task with an unbounded penalty. */
  readonly claimCap: number
  /** How it finds out that a site has died; default `probes`. */
  readonly detector?: Detector
  /** What earlier incarnations persisted; absent in the first. */
  readonly records?: readonly Entry[]
}

export interface Context extends Omit<ClientInput, 'records' | 'detector'> {
  readonly book: Book
  /** How many tasks have arrived. */
  readonly arrived: number
  /** For each task, the time that the broker has to answer until it is asked again. It doubles each time. */
  readonly pauses: Sorted<Time>
  /** The detector of sites that do not answer queries. */
  readonly detector: FailureDetector<Ref<ToSite>>
  /** Whether the runtime tells of the death of a site, so that no site is queried. */
  readonly isPerfect: boolean
}

export const contextOf = ({ records, detector = 'probes', ...terms }: ClientInput): Context => ({
  ...terms,
  book: orders.recover(records),
  arrived: 0,
  pauses: null,
  detector: idleDetector(),
  isPerfect: detector === 'perfect',
})

/** The facts that a client reports. */
export type ClientFact =
  | { readonly type: 'requested'; readonly task: number; readonly of: Task }
  | { readonly type: 'unplaced'; readonly task: number }
  | { readonly type: 'placed' | 'lost'; readonly task: number; readonly site: Ref<ToSite> }
  | {
      readonly type: 'paid'
      readonly task: number
      readonly site: Ref<ToSite>
      readonly finish: number
      readonly paid: number
    }
  /** The client claims `amount` dollars. It replaces an earlier claim; 0 means that the site did the task after all. */
  | { readonly type: 'claimed'; readonly task: number; readonly site: Ref<ToSite>; readonly amount: number }

/** Adds an entry to the book. */
export const enter = (it: Turn<Context>, entry: Entry): void => orders.enterIn(it, entry, it.context.patience !== null)
