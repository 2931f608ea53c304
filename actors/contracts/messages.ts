/**
 * What clients, brokers and sites say to each other (Irwin, Grit, Chase 2004). Money is in dollars, times are `Time`.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Attempt, FromProcessor } from '../processor/messages.ts'
import type { Task } from './values.ts'

export type ToBroker = Request | Offer | Refuse | Accepted | Renege
export type ToSite = Bid | Award | Withdraw | Query | Receipt | Void | FromProcessor
export type ToClient = Contract | NoSite | Standing | Settled

/** A client's nth search for a site for a task: once more for each site that it gave up. */
export type Search = { readonly task: number; readonly search: number }

/** Client to broker: find a site for this. Asking again changes nothing, and is answered again. */
export type Request = {
  readonly type: 'request'
  readonly of: Task
  readonly search: number
  /** Sites that it gave up: there is no need to wait for them. */
  readonly lost: readonly Address[]
}

/** Broker to sites: what would you promise? Rounds are numbered, so that a late answer is known as one. */
export type Bid = Round & { readonly type: 'bid'; readonly of: Task }

export type Round = { readonly task: number; readonly round: number }

/** Site to broker: done then, for so much. It reserves nothing, and is worth nothing after it expires. */
export type Offer = Round & Promised & { readonly type: 'offer'; readonly expires: Time | null }

export type Promised = {
  readonly completion: Time
  /** Dollars, paid if it is done by then; later it is worth what its value function says. */
  readonly price: number
}

/** Site to broker: not worth its while, no processor left, or under contract here already. */
export type Refuse = Round & { readonly type: 'refuse' }

/** Broker to site: it is yours, as you promised. Repeated until it is answered; a site takes a task once. */
export type Award = Round & Promised & { readonly type: 'award'; readonly of: Task; readonly client: Address }

/** Broker to those that do not get it. */
export type Withdraw = Round & { readonly type: 'withdraw' }

/** Site to broker: it is under contract. */
export type Accepted = Round & { readonly type: 'accepted' }

/** Site to broker: what was promised does not hold any more, and nothing was agreed. */
export type Renege = Round & { readonly type: 'renege' }

/** Broker to client: who does it. */
export type Contract = Search & Promised & { readonly type: 'contract'; readonly site: Address }

/** Broker to client: nobody does. */
export type NoSite = Search & { readonly type: 'no-site' }

/** Client to site: do your contracts with me stand? */
export type Query = { readonly type: 'query' }

/** Site to client: they do. */
export type Standing = { readonly type: 'standing' }

/** Site to client, until it hears what becomes of it: it is done, and costs so much; less than 0 is a penalty. */
export type Settled = Promised & {
  readonly type: 'settled'
  readonly task: number
  /** When it really was done. */
  readonly finish: Time
  readonly paid: number
}

/** Client to site: so it is paid. */
export type Receipt = { readonly type: 'receipt'; readonly task: number }

/**
 * Client to site: it was done elsewhere first; stop it, it is not paid. Broker to site: you were passed over, since you did
 * not answer.
 */
export type Void = { readonly type: 'void'; readonly task: number }

/** The attempt at a task, as processors know it. */
export const attemptOf = ({ task, attempt }: { task: number; attempt: number }): Attempt => ({
  task,
  attempt: attempt,
})
