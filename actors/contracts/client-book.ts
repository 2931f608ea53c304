/**
 * What became of a client's tasks, as a fold of entries. The same entries are what it writes down: a later incarnation asks again for
 * what is not placed, and after what is, and pays nothing twice.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Promised, Search } from './messages.ts'
import { drop, get, put, type Sorted } from './sorted.ts'
import { type Task, yieldOf } from './values.ts'

/** A contract, as its client knows it. */
export type Deal = Promised & {
  readonly site: Address
  /** It did not answer, and was given up: the contract stands, but another site is looked for. */
  readonly isLost: boolean
}

/** A task that is not over. */
export type Order = {
  readonly of: Task
  /** Of sites for it: the last, or the one that goes on. */
  readonly search: number
  /** Is it over, with a contract or (`stranded`) without? */
  readonly state: 'searching' | 'placed' | 'stranded'
  readonly deals: readonly Deal[]
}

/** A task that is over: who did it (null: nobody), and who else has a contract. */
export type Ended = { readonly task: number; readonly by: Address | null; readonly others: readonly Address[] }

export interface Book {
  /** By task, as is what is over. */
  readonly open: Sorted<Order>
  readonly over: Sorted<Ended>
  /** Dollars, penalties taken off. */
  readonly spent: number
}

export const EMPTY_BOOK: Book = { open: null, over: null, spent: 0 }

export type Entry =
  | { readonly type: 'requested'; readonly of: Task }
  | (Search & Promised & { readonly type: 'placed'; readonly site: Address })
  /** Its site is given up. */
  | { readonly type: 'lost'; readonly task: number }
  /** No other site takes it. */
  | { readonly type: 'stranded'; readonly task: number }
  /** No site ever took it. */
  | { readonly type: 'unplaced'; readonly task: number }
  | { readonly type: 'paid'; readonly task: number; readonly site: Address; readonly paid: number }

/** The book with one entry more. */
export function enter(book: Book, entry: Entry): Book {
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
      return { ...ended(book, entry.task, entry.site), spent: book.spent + entry.paid }
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

/** Without what is over: where nothing is lost, nothing more is heard of it. */
export const forgetful = (book: Book): Book => (book.over ? { ...book, over: null } : book)

/** Who is to hold the task now, if anybody. */
export const holderOf = ({ state, deals }: Order): Deal | null => (state === 'placed' ? (deals.at(-1) ?? null) : null)

/**
 * Dollars that a site owes that was given up: what its contract promised, less what the task was worth in the end; null: it is
 * not done elsewhere, so all is lost that there is to lose. `cap`: for a task whose penalty is unbounded.
 */
export function owed({ worth, ...of }: Task, { price }: Promised, finish: Time | null, cap: number): number {
  const most = price + (worth.bound ?? cap)
  return Math.max(0, finish === null ? most : Math.min(most, price - yieldOf({ worth, ...of }, finish)))
}
