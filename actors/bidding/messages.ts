/**
 * The vocabulary of the task market (Malone et al. 1986).
 *
 * A client with a task asks all contractors for bids (`rfb`). A contractor with nothing to do answers with a `bid`;
 * a busy one queues the request (`ack`) and bids once it comes to it. The client awards the task (`task`) to the
 * bidder that promises the earliest completion and gets a `result`. A bid that comes after the award can still win
 * the task over, if it promises enough: then the old contractor is told to `cancel`. After the result the client
 * tells everybody to `cancelAll`, to clear their queues.
 *
 * Every message names its task and incarnation. The incarnation grows whenever the client announces the task anew
 * (a refusal, a failure); a late bid that wins keeps it. What belongs to an older incarnation is ignored by both
 * sides. Times, work and estimates are `Time` (millionths of a unit); work is measured at speed 1.
 */
import type { Address, Time } from '../../lib/actor.ts'
import type { Attempt } from '../processor/messages.ts'

export type { Attempt } from '../processor/messages.ts'

export type ToContractor = Rfb | Task | Cancel | CancelAll | Query

/** Request for bids, to all contractors. */
export type Rfb = Attempt & {
  readonly type: 'rfb'
  /** Smaller goes first. Contractors only compare it; the client's policy makes it (here: the estimate). */
  readonly priority: number
  /** The work as far as anybody knows it beforehand. */
  readonly estimate: Time
}

/** The award. */
export type Task = Attempt & {
  readonly type: 'task'
  readonly priority: number
  /** What there really is to do: the contractor hands it to its processor unread. */
  readonly work: Time
}

/** To one contractor: this attempt is not yours, or no longer. */
export type Cancel = Attempt & { readonly type: 'cancel' }

/** To all contractors (the paper's CANCEL*): the task is done, forget every attempt at it. */
export type CancelAll = Attempt & { readonly type: 'cancelAll' }

/** Status query, sent at regular intervals after an award: is my task still with you? Its absence says that I died. */
export type Query = Attempt & { readonly type: 'query' }

export type ToClient = Bid | Ack | Result | Bump | Status

export type Bid = Attempt & {
  readonly type: 'bid'
  /** When the task will be completed if it is awarded as soon as this bid is heard. */
  readonly completion: Time
  /** The contractor's place in the market, for ties. */
  readonly index: number
}

/** Busy, queued. Nobody acts on it. */
export type Ack = Attempt & { readonly type: 'ack' }

/** The task ran to its end. */
export type Result = Attempt & { readonly type: 'result' }

/** Refused before it was begun: announce it again. */
export type Bump = Attempt & { readonly type: 'bump' }

/** The answer to a query; `unknown` also unasked, when a contractor finds that it has lost the task. */
export type Status = Attempt & {
  readonly type: 'status'
  /** Held: awarded, and waits for another task to end. Unknown: never got it, or lost it in a restart. */
  readonly state: 'executing' | 'held' | 'unknown'
}

/** What happened, as the client sees it. */
export type ClientFact =
  | (Attempt & { readonly type: 'announced' })
  | (Attempt & {
      readonly type: 'awarded'
      readonly contractor: Address
      /** As promised in the bid. */
      readonly completion: Time
    })
  /** A late bid won the task over. */
  | (Attempt & LateBid & { readonly type: 'moved'; readonly previous: Address })
  | (Attempt & LateBid & { readonly type: 'rejected' })
  | (Attempt & { readonly type: 'bumped'; readonly contractor: Address })
  | (Attempt & {
      readonly type: 'failed'
      readonly contractor: Address
      /** Silent: a query went unanswered. Lost: the contractor does not know the task. */
      readonly reason: 'silent' | 'lost'
    })
  | (Attempt & {
      readonly type: 'done'
      readonly contractor: Address
      readonly arrival: Time
      /** From the announcement to the result in the client's hands, both messages included. */
      readonly flow: Time
    })

type LateBid = {
  readonly contractor: Address
  readonly completion: Time
  /** The share of the remaining time that the bid would save; null if the running task is overdue. */
  readonly improvement: number | null
}

/** What happened, as the contractor sees it. What was executed when is told by the processor's facts. */
export type ContractorFact =
  /** A bid of which nothing was heard in time. */
  | (Attempt & { readonly type: 'lapsed'; readonly client: Address })
  /** A client that no longer asks for its task was taken for dead. */
  | (Attempt & { readonly type: 'abandoned'; readonly client: Address })
  /** The own processor does not answer: until it does, nothing is bid for. */
  | { readonly type: 'stranded' }
  | { readonly type: 'recovered' }
