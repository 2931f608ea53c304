/** What tickets of a currency are worth in base tickets (paper, section 2.2; spec, section 2). */
import type { Backing, Funding } from './jobs.ts'

export const BASE = 'base'

type Amounts = Readonly<Record<string, number>>

/** Names are anybody's: `constructor` is one like others. */
const amountOf = (amounts: Amounts, name: string): number => (Object.hasOwn(amounts, name) ? (amounts[name] ?? 0) : 0)

/** What is known of the currencies at one moment. */
export interface View {
  /** Base tickets behind a currency, by its name. */
  readonly funding: Amounts
  /** Tickets held by jobs elsewhere, by currency. */
  readonly issued: Amounts
  /** Tickets held by other currencies; without cycles. */
  readonly backing: readonly Backing[]
}

export const isKnown = ({ funding, backing }: View, currency: string): boolean =>
  currency === BASE || Object.hasOwn(funding, currency) || backing.some(({ holder }) => holder === currency)

/** The base value of `amount` tickets of a currency, when jobs here hold `own` tickets of each. */
export function worth(view: View, own: Amounts, { currency, amount }: Funding): number {
  if (currency === BASE) return amount
  const issued = issuedOf(view, own, currency)
  return issued > 0 ? (baseValueOf(view, own, currency) * amount) / issued : 0
}

const issuedOf = ({ issued, backing }: View, own: Amounts, currency: string): number =>
  backing.reduce(
    (sum, ticket) => (ticket.currency === currency ? sum + ticket.amount : sum),
    amountOf(own, currency) + amountOf(issued, currency),
  )

/** The base value of all that a currency holds. */
export const baseValueOf = (view: View, own: Amounts, currency: string): number =>
  view.backing.reduce(
    (sum, ticket) => (ticket.holder === currency ? sum + worth(view, own, ticket) : sum),
    amountOf(view.funding, currency),
  )

/** Would it hold itself, through others, if `ticket` were issued? */
export function closesCycle(backing: readonly Backing[], ticket: Backing): boolean {
  const holds = (holder: string): boolean =>
    holder === ticket.currency || backing.some(({ currency, holder: next }) => currency === holder && holds(next))
  return holds(ticket.holder)
}
