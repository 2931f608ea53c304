/** The value of a currency's tickets in base tickets (paper, section 2.2; spec, section 2). */
import { totalsOf } from '../../lib/core/tally.ts'
import type { Backing, Funding } from './jobs.ts'

export const BASE = 'base'

type Amounts = Readonly<Record<string, number>>

/** The amount of a currency; 0 if there is none. Users choose the names, so `constructor` must be a possible name. */
const amountOf = (amounts: Amounts, name: string): number => (Object.hasOwn(amounts, name) ? (amounts[name] ?? 0) : 0)

/** A processor's view of the currencies at one moment. */
export interface View {
  /** The base tickets that fund each currency, by its name. */
  readonly funding: Amounts
  /** The tickets that jobs on other machines hold, by currency. */
  readonly issued: Amounts
  /** Tickets that other currencies hold; without cycles. */
  readonly backing: readonly Backing[]
}

/** The amounts of tickets that are held, by currency. */
export const amountsOf = (held: readonly Funding[]): Record<string, number> =>
  Object.fromEntries(totalsOf(held.map(({ currency, amount }) => [currency, amount])))

export const isKnown = ({ funding, backing }: View, currency: string): boolean =>
  currency === BASE || Object.hasOwn(funding, currency) || backing.some(({ holder }) => holder === currency)

/** The base value of `amount` tickets of a currency if jobs here hold `own` tickets of each currency. */
export const worth = (view: View, own: Amounts, ticket: Funding): number =>
  partOf(view, own, ticket, (currency) => baseValueOf(view, own, currency))

function partOf(
  view: View,
  own: Amounts,
  { currency, amount }: Funding,
  valueFor: (currency: string) => number,
): number {
  if (currency === BASE) return amount
  const issued = issuedOf(view, own, currency)
  return issued > 0 ? (valueFor(currency) * amount) / issued : 0
}

const issuedOf = ({ issued, backing }: View, own: Amounts, currency: string): number =>
  backing.reduce(
    (sum, ticket) => (ticket.currency === currency ? sum + ticket.amount : sum),
    amountOf(own, currency) + amountOf(issued, currency),
  )

/**
 * The base value of all that a currency holds. Each currency on the way is valued once, because many paths may lead
 * to it; there is no recursion, because users nest currencies as deeply as they like.
 */
export function baseValueOf(view: View, own: Amounts, currency: string): number {
  const values = new Map<string, number>()
  const open = [currency]
  for (let name = open.at(-1); name !== undefined; name = open.at(-1)) {
    const held = view.backing.filter(({ holder }) => holder === name)
    const unknown = held.flatMap(({ currency }) => (currency === BASE || values.has(currency) ? [] : [currency]))
    if (unknown.length > 0) {
      open.push(...unknown)
      continue
    }
    open.pop()
    const valueFor = (one: string) => values.get(one) ?? 0
    const value = held.reduce((sum, ticket) => sum + partOf(view, own, ticket, valueFor), amountOf(view.funding, name))
    values.set(name, value)
  }
  return values.get(currency) ?? 0
}

/** Whether a currency would hold itself, through others, if `ticket` were issued. */
export function closesCycle(backing: readonly Backing[], ticket: Backing): boolean {
  const seen = new Set<string>()
  const open = [ticket.holder]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (holder === ticket.currency) return true
    if (seen.has(holder)) continue
    seen.add(holder)
    for (const next of backing) if (next.currency === holder) open.push(next.holder)
  }
  return false
}
