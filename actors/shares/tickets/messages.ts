/**
 * The messages of ticket servers (Arpaci-Dusseau & Culler 1997, section 4); those between jobs and processors are in
 * actors/processor/jobs.ts.
 *
 * At every tick a processor sends its machine's ticket server a `report` and gets a `table` at once. The server
 * passes the report on to its peers in a `share`, with all tickets that it has issued itself. A share is a whole
 * state, so the next one repairs a lost or duplicated one. Users can ask any server to issue tickets.
 */
import type { Time } from '../../../lib/actor.ts'
import type { Backing, Report } from '../../processor/jobs.ts'

/** What a ticket server takes. */
export type ToTicketServer = Report | Share | Issue

/** The message of a ticket server to all others after each report. */
export type Share = Heard & { readonly type: 'share' }

/** The last share of a ticket server about its machine. */
export type Heard = {
  /** The time of the report by the clock of the server. It grows with each share, even if that clock has gone back. */
  readonly at: Time
  /** The amounts that jobs on the machine hold, by currency. */
  readonly issued: Readonly<Record<string, number>>
  /** The tickets that the server has issued and not revoked, in the order of issuing. */
  readonly tickets: readonly Ticket[]
}

/** Tickets of one currency that another currency holds. */
export type Ticket = Backing & {
  /** Unique in the run. */
  readonly ticket: string
  readonly at: Time
}

/**
 * From a user: let `holder` hold `amount` more tickets of `currency`. A request may be repeated at any server without
 * effect, so no user has to wait for a dead one. The ticket is known everywhere after two periods and a delay.
 */
export type Issue = Backing & { readonly type: 'issue'; readonly ticket: string }

/** All messages from a ticket server to a user. */
export type FromTicketServer = Issued | Refused

/** The ticket was issued. */
export type Issued = { readonly type: 'issued'; readonly ticket: string }

/**
 * The ticket was not issued, or is void because another server had issued an earlier ticket that closes a cycle with
 * it. This is final.
 */
export type Refused = { readonly type: 'refused'; readonly ticket: string; readonly reason: string }
