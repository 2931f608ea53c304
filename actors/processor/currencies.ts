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
export const worth = (view: View, own: Amounts, funding: Funding): number =>
  worthIn({ view, own, known: new Map() }, funding)

/** A valuation: each currency is valued once, since many paths may lead to it. */
interface Valuation {
  readonly view: View
  readonly own: Amounts
  readonly known: Map<string, number>
}

function worthIn(valuation: Valuation, { currency, amount }: Funding): number {
  if (currency === BASE) return amount
  const issued = issuedOf(valuation.view, valuation.own, currency)
  return issued > 0 ? (valueIn(valuation, currency) * amount) / issued : 0
}

const issuedOf = ({ issued, backing }: View, own: Amounts, currency: string): number =>
  backing.reduce(
    (sum, ticket) => (ticket.currency === currency ? sum + ticket.amount : sum),
    amountOf(own, currency) + amountOf(issued, currency),
  )

/** The base value of all that a currency holds. */
export const baseValueOf = (view: View, own: Amounts, currency: string): number =>
  valueIn({ view, own, known: new Map() }, currency)

function valueIn(valuation: Valuation, currency: string): number {
  const { view, known } = valuation
  const before = known.get(currency)
  if (before !== undefined) return before
  const value = view.backing.reduce(
    (sum, ticket) => (ticket.holder === currency ? sum + worthIn(valuation, ticket) : sum),
    amountOf(view.funding, currency),
  )
  known.set(currency, value)
  return value
}

/** Would it hold itself, through others, if `ticket` were issued? */
export function closesCycle(backing: readonly Backing[], ticket: Backing): boolean {
  const seen = new Set<string>()
  const holds = (holder: string): boolean => {
    if (holder === ticket.currency) return true
    if (seen.has(holder)) return false
    seen.add(holder)
    return backing.some(({ currency, holder: next }) => currency === holder && holds(next))
  }
  return holds(ticket.holder)
}
