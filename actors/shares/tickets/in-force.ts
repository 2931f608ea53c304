/**
 * The tickets between currencies that are in force. All servers must compute the same ones without asking each other.
 */
import type { Address } from '../../../lib/actor.ts'
import { BASE, closesCycle } from '../../processor/currencies.ts'
import type { Backing } from '../../processor/jobs.ts'
import { ofAmount, ofName } from '../../processor/refusal.ts'
import type { Ticket } from './messages.ts'

/** The most tickets that one server issues; every share carries all of them. */
export const MAX_TICKETS = 1000

/** The tickets that each server has issued, in its order. */
export type Issues = ReadonlyMap<Address, readonly Ticket[]>

/**
 * Two servers may accept the halves of a cycle at the same time. So tickets count in the order of (time, server,
 * place in its list), a ticket that closes a cycle with earlier ones is void, and a ticket that was asked of several
 * servers counts once. Servers that know the same lists have the same tickets in force, in the same order.
 */
export function inForce(issues: Issues): Ticket[] {
  const servers = [...issues].sort(([one], [other]) => (one < other ? -1 : 1))
  // sorting is stable: tickets of one instant keep the order of servers and lists.
  const all = servers.flatMap(([, tickets]) => tickets).sort((one, other) => one.at - other.at)
  const valid = new Map<string, Ticket>()
  for (const ticket of all) {
    if (!valid.has(ticket.ticket) && !closesCycle([...valid.values()], ticket)) valid.set(ticket.ticket, ticket)
  }
  return [...valid.values()]
}

/**
 * The reason not to issue a ticket in addition to those in force, or null. `isKnown`: whether the currency is worth
 * anything.
 */
export function objection(
  backing: readonly Backing[],
  { currency, amount, holder }: Backing,
  isKnown: boolean,
): string | null {
  if (currency === BASE || holder === BASE) return `tickets between users' currencies are issued, not of or to ${BASE}`
  if (!isKnown) return `unknown currency ${currency}`
  return closesCycle(backing, { currency, amount, holder })
    ? `${holder} would hold itself`
    : (ofName(holder) ?? ofAmount(amount))
}
