/**
 * The vocabulary of fair shares across machines (Arpaci-Dusseau & Culler 1997, section 4); what a processor hears and
 * says of jobs is in actors/processor/jobs.ts.
 *
 * At every tick a processor sends its machine's ticket server a `report` and gets a `table` at once. The server passes
 * the report on to its peers (`share`), with all tickets that it has issued itself: a share is a whole state, so that
 * one which is lost or doubled is made good by the next. Users have tickets issued by any server.
 */
import type { Time } from '../../../lib/actor.ts'
import type { Backing, Report } from '../../processor/jobs.ts'

export type ToTicketServer = Report | Share | Issue

/** From one ticket server to all others. */
export type Share = Heard & { readonly type: 'share' }

/** What a ticket server said last. */
export type Heard = {
  /** When its processor reported. */
  readonly at: Time
  /** Amounts that jobs hold on its machine, by currency. */
  readonly issued: Readonly<Record<string, number>>
  /** What it has issued and not taken back, in the order of issuing. */
  readonly tickets: readonly Ticket[]
}

/** A ticket of one currency that another currency holds. */
export type Ticket = Backing & {
  /** Unique in the run. */
  readonly ticket: string
  readonly at: Time
}

/**
 * From a user: let `holder` hold `amount` more tickets of `currency`. Asking again for the same ticket changes nothing, of
 * whichever server, so that nobody has to wait for one that is dead. Known everywhere after two periods and a delay.
 */
export type Issue = Backing & { readonly type: 'issue'; readonly ticket: string }

/** To whoever asked. */
export type FromTicketServer = Issued | Refused

export type Issued = { readonly type: 'issued'; readonly ticket: string }

/** Nothing was issued, or what was issued is void: elsewhere an earlier ticket had closed the circle. Final. */
export type Refused = { readonly type: 'refused'; readonly ticket: string; readonly reason: string }
