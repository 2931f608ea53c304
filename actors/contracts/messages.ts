/**
 * The messages between clients, brokers and sites (Irwin, Grit, Chase 2004). Money is in dollars, times are `Time`.
 */
import type { Ref, Time } from '../../lib/actor.ts'
import type { Attempt, FromProcessor } from '../processor/messages.ts'
import type { Task } from './values.ts'

/** What a broker takes. */
export type ToBroker = Request | Offer | Refuse | Accepted | Renege
/** What a site takes. */
export type ToSite = Bid | Award | Withdraw | Query | Receipt | Void | FromProcessor
/** What a client takes. */
export type ToClient = Contract | NoSite | Standing | Settled

/** The number of a client's search for a site for a task: one more for each site that it gave up. */
export type Search = { readonly task: number; readonly search: number }

/** Client to broker: find a site for this task. A repeated request changes nothing and gets the same answer. */
export type Request = {
  readonly type: 'request'
  readonly of: Task
  readonly search: number
  /** Sites that the client gave up: the broker need not wait for them. */
  readonly lost: readonly Ref<ToSite>[]
}

/** Asks the sites what they would promise. Rounds are numbered, so that late answers are recognised. */
export type Bid = Round & { readonly type: 'bid'; readonly of: Task }

/** The task that a broker asks sites about, and the number of the round. */
export type Round = { readonly task: number; readonly round: number }

/** Site to broker: a promised completion and price. It reserves nothing, and cannot be accepted after it expires. */
export type Offer = Round & Promised & { readonly type: 'offer'; readonly expires: Time | null }

/** What a site promises: a completion and its price. */
export type Promised = {
  readonly completion: Time
  /** Dollars paid if the task is done by then. Later its value function gives the payment. */
  readonly price: number
}

/** Site to broker: the slack is too small, no processor is left, or the task is under contract here already. */
export type Refuse = Round & { readonly type: 'refuse' }

/** Awards the task to the site, as it promised. Repeated until it is answered; a site takes a task once. */
export type Award = Round & Promised & { readonly type: 'award'; readonly of: Task; readonly client: Ref<ToClient> }

/** Broker to the sites that do not get the task. */
export type Withdraw = Round & { readonly type: 'withdraw' }

/** Site to broker: the task is under contract. */
export type Accepted = Round & { readonly type: 'accepted' }

/** Site to broker: the promise no longer holds, and there is no contract. */
export type Renege = Round & { readonly type: 'renege' }

/** Broker to client: the site that does the task. */
export type Contract = Search & Promised & { readonly type: 'contract'; readonly site: Ref<ToSite> }

/** Broker to client: no site takes the task. */
export type NoSite = Search & { readonly type: 'no-site' }

/** Asks a site whether it is alive, and whether the contracts of the client stand. */
export type Query = { readonly type: 'query' }

/** Site to client: the answer to `query`; the site is alive and the contracts stand. */
export type Standing = { readonly type: 'standing' }

/** Site to client: the task is done, and this is the bill; less than 0 is a penalty. Repeated until it is answered. */
export type Settled = Promised & {
  readonly type: 'settled'
  readonly task: number
  /** When the task was done. */
  readonly finish: Time
  readonly paid: number
}

/** Client to site: the bill is paid. */
export type Receipt = { readonly type: 'receipt'; readonly task: number }

/**
 * Orders a site to stop a task, which is not paid. From a client: another site did the task first. From a broker: the site
 * did not answer and was passed over.
 */
export type Void = { readonly type: 'void'; readonly task: number }

/** The attempt of a task, in the form that processors use. */
export const attemptOf = ({ task, attempt }: { task: number; attempt: number }): Attempt => ({
  task,
  attempt,
})
