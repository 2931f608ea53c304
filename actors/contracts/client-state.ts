/**
 * The state of a client. The book of orders is a fold of entries, which the client persists. A later incarnation searches
 * again for the tasks that have no site, watches the sites of the others, and pays no bill twice.
 */
import {
  type Address,
  eventSourced,
  type FailureDetector,
  idleDetector,
  observe,
  type Time,
  type Turn,
} from '../../lib/actor.ts'
import type { Caution } from '../processor/employer.ts'
import type { Promised, Search } from './messages.ts'
import { drop, get, put, type Sorted } from './sorted.ts'
import { type Task, yieldOf } from './values.ts'

/** A contract, as its client knows it. */
export type Deal = Promised & {
  readonly site: Address
  /** Whether the site was given up because it did not answer. The contract stands, but the client looks for another site. */
  readonly isLost: boolean
}

/** A task that is not over. */
export type Order = {
  readonly of: Task
  /** The number of the last search for a site. */
  readonly search: number
  /** Whether that search goes on, or ended with a contract (`placed`) or without (`stranded`). */
  readonly state: 'searching' | 'placed' | 'stranded'
  readonly deals: readonly Deal[]
}

/** A task that is over: the site that did it (null: none), and the others that have contracts. */
export type Ended = { readonly task: number; readonly by: Address | null; readonly others: readonly Address[] }

export interface Book {
  /** Open orders by task. */
  readonly open: Sorted<Order>
  /** Ended tasks by task. */
  readonly over: Sorted<Ended>
}

export type Entry =
  | { readonly type: 'requested'; readonly of: Task }
  | (Search & Promised & { readonly type: 'placed'; readonly site: Address })
  /** The client gives up the site of the task. */
  | { readonly type: 'lost'; readonly task: number }
  /** No other site takes the task. */
  | { readonly type: 'stranded'; readonly task: number }
  /** No site ever took the task. */
  | { readonly type: 'unplaced'; readonly task: number }
  | { readonly type: 'paid'; readonly task: number; readonly site: Address; readonly paid: number }

function apply(book: Book, entry: Entry): Book {
  switch (entry.type) {
    case 'requested': {
      const { of } = entry
      return { ...book, open: put(book.open, of.task, { of, search: 1, state: 'searching', deals: [] }) }
    }
    case 'placed': {
      const { task, site, completion, price } = entry
      const deal: Deal = { site, completion, price, isLost: false }
      return changed(book, task, (order) => ({ ...order, state: 'placed', deals: [...order.deals, deal] }))
    }
    case 'lost':
      return changed(book, entry.task, ({ deals, ...order }) => ({
        ...order,
        search: order.search + 1,
        state: 'searching',
        deals: deals.map((deal) => ({ ...deal, isLost: true })),
      }))
    case 'stranded':
      return changed(book, entry.task, (order) => ({ ...order, state: 'stranded' }))
    case 'unplaced':
      return ended(book, entry.task, null)
    case 'paid':
      return ended(book, entry.task, entry.site)
  }
}

function changed(book: Book, task: number, change: (order: Order) => Order): Book {
  const order = get(book.open, task)
  return order ? { ...book, open: put(book.open, task, change(order)) } : book
}

function ended(book: Book, task: number, by: Address | null): Book {
  const others = (get(book.open, task)?.deals ?? []).map(({ site }) => site).filter((site) => site !== by)
  return { ...book, open: drop(book.open, task), over: put(book.over, task, { task, by, others }) }
}

const orders = eventSourced<Book, Entry>({
  empty: { open: null, over: null },
  apply,
  // without lost mail and deaths no message concerns tasks that are over
  compact: (book) => (book.over ? { ...book, over: null } : book),
})

/** The contract that counts for the task now; null if there is none. */
export const holderOf = ({ state, deals }: Order): Deal | null => (state === 'placed' ? (deals.at(-1) ?? null) : null)

/**
 * The dollars that a site owes after it was given up: the promised price less the yield of the task in the end.
 *
 * @param finish when another site finished the task; null: no site did, so the loss is as large as it can be
 * @param cap the largest penalty of a task whose penalty is unbounded
 */
export function owed({ worth, ...of }: Task, { price }: Promised, finish: Time | null, cap: number): number {
  const most = price + (worth.bound ?? cap)
  return Math.max(0, finish === null ? most : Math.min(most, price - yieldOf({ worth, ...of }, finish)))
}

export type ClientInput = Caution & {
  /** The tasks in order of arrival. */
  readonly tasks: readonly Task[]
  readonly broker: Address
  /** The most dollars that a site owes beyond its price after it was given up, for a task with an unbounded penalty. */
  readonly claimCap: number
  /** What earlier incarnations persisted; absent in the first. */
  readonly records?: readonly Entry[]
}

export interface Context extends Omit<ClientInput, 'records'> {
  readonly book: Book
  /** How many tasks have arrived. */
  readonly arrived: number
  /** For each task, the time that the broker has to answer until it is asked again. It doubles each time. */
  readonly pauses: Sorted<Time>
  /** The detector of sites that do not answer queries. */
  readonly sites: FailureDetector<Address>
}

export const contextOf = ({ records, ...terms }: ClientInput): Context => ({
  ...terms,
  book: orders.recover(records),
  arrived: 0,
  pauses: null,
  sites: idleDetector(),
})

/** The facts that a client reports. */
export type ClientFact =
  | { readonly type: 'requested'; readonly task: number; readonly of: Task }
  | { readonly type: 'unplaced'; readonly task: number }
  | { readonly type: 'placed' | 'lost'; readonly task: number; readonly site: Address }
  | {
      readonly type: 'paid'
      readonly task: number
      readonly site: Address
      readonly finish: number
      readonly paid: number
    }
  /** The client claims `amount` dollars. It replaces an earlier claim; 0 means that the site did the task after all. */
  | { readonly type: 'claimed'; readonly task: number; readonly site: Address; readonly amount: number }

export const note = (it: Turn<Context>, fact: ClientFact): void => it.do(observe(fact))

/** Adds an entry to the book. */
export function enter(it: Turn<Context>, entry: Entry): void {
  const { book, patience } = it.context
  const [next, ...effects] = orders.enter(book, entry, patience !== null)
  it.context.book = next
  it.do(...effects)
}
