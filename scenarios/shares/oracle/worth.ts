/** The value of tickets in base tickets, computed apart from the processors (spec, section 2). */
import type { Backing, Funding } from '../../../actors/processor/jobs.ts'

/** The name of the currency that is worth its amount. */
const BASE = 'base'

type Amounts = Readonly<Record<string, number>>

export interface Currencies {
  /** The base tickets that fund each currency. */
  readonly funding: Amounts
  /** The tickets that other currencies hold. */
  readonly backing: readonly Backing[]
  /** The tickets that jobs hold, by currency. */
  readonly held: ReadonlyMap<string, number>
}

const funded = (funding: Amounts, currency: string): number =>
  Object.hasOwn(funding, currency) ? (funding[currency] ?? 0) : 0

/** A function that tells the base tickets that some tickets are worth. A currency that holds itself is worth nothing. */
export function worthsIn({ funding, backing, held }: Currencies): (ticket: Funding) => number {
  const issued = new Map(held)
  for (const { currency, amount } of backing) issued.set(currency, (issued.get(currency) ?? 0) + amount)
  const values = new Map<string, number>()
  const worth = ({ currency, amount }: Funding): number => {
    if (currency === BASE) return amount
    const all = issued.get(currency) ?? 0
    return all > 0 ? (totalOf(currency) * amount) / all : 0
  }
  const totalOf = (currency: string): number => {
    const known = values.get(currency)
    if (known !== undefined) return known
    values.set(currency, 0)
    let value = funded(funding, currency)
    for (const ticket of backing) if (ticket.holder === currency) value += worth(ticket)
    values.set(currency, value)
    return value
  }
  return worth
}
