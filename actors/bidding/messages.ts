/**
 * The vocabulary of the task market (Malone et al. 1986), the same for all its protocols.
 *
 * A client with a task asks all contractors for bids (`rfb`). Contractors answer with a `bid`: all of them, or those
 * with nothing to do, or each when it comes to it (`ack`: not yet). The client awards the task (`task`) to one and gets
 * a `result`. A contractor may send a `bump`: it refuses the task, or it cannot keep what it promised. A client that
 * takes the task elsewhere tells the old contractor to `cancel`. After the result it tells all contractors to `cancelAll`.
 *
 * Every message names its task and attempt. The attempt grows whenever the client gives up the attempt that it
 * knew of (a refusal, a failure) and announces the task again; repeating an announcement, or moving the task to another
 * bidder, keeps it. What belongs to an older attempt is ignored by both sides. Times, work and estimates are `Time`
 * (millionths of a unit); work is measured at speed 1.
 */
import type { Address, Plain, Thrown, Time } from '../../lib/actor.ts'
import type { Attempt, Return, Work } from '../processor/messages.ts'

export type { Attempt } from '../processor/messages.ts'

export type ToContractor = Rfb | Task | Cancel | CancelAll | Query

/** Request for bids, to all contractors. */
export type Rfb = Attempt & {
  readonly type: 'rfb'
  /** When it came to its client: of equal priorities the elder goes first. */
  readonly arrival: Time
  /** Smaller goes first. Contractors only compare it; a policy of the client makes it (priority.ts). */
  readonly priority: number
  /** The work as far as anybody knows it beforehand. */
  readonly estimate: Time
  /** What the machine must have to do it; absent: nothing. */
  readonly files?: readonly string[]
}

/** The award. */
export type Task = Attempt & {
  readonly type: 'task'
  readonly arrival: Time
  readonly priority: number
  readonly estimate: Time
  readonly files?: readonly string[]
  /** When it is to begin, by the bid that won. */
  readonly start: Time
  /** What there really is to do: the contractor hands it to its processor unread. */
  readonly work: Work
  /** What the client spends on it, in a market of points. */
  readonly points?: number
  /** It is there already and has a new promise; nothing if it is over by now. Absent: an award. */
  readonly renewed?: true
}

/** To one contractor: this attempt is not yours, or no longer. */
export type Cancel = Attempt & { readonly type: 'cancel' }

/** Tells all contractors (the paper's CANCEL*) that the task is done: they forget every attempt at it. */
export type CancelAll = Attempt & { readonly type: 'cancelAll' }

/** Status query, sent at regular intervals after an award: is my task still with you? Its absence says that I died. */
export type Query = Attempt & { readonly type: 'query' }

export type ToClient = Bid | Ack | Result | Bump | CutOff | Status | Earned

export type Bid = Attempt & {
  readonly type: 'bid'
  /** When the task will begin if it is awarded as soon as this bid is heard. */
  readonly start: Time
  /** When it will be completed, on the same condition. */
  readonly completion: Time
  /** The contractor's place in the market, for ties. */
  readonly index: number
}

/** The contractor is busy, and has queued the task. The client does nothing. */
export type Ack = Attempt & { readonly type: 'ack' }

/** The task ran to its end; if it was a call, with what came of that. */
export type Result = Attempt & { readonly type: 'result' } & Return

/** The task, not begun, will not begin as promised. */
export type Bump = Attempt & {
  readonly type: 'bump'
  /** True: it keeps its place, and is executed unless it is cancelled. False: it is refused, announce it again. */
  readonly kept: boolean
}

/** The task took much longer than estimated and was aborted. */
export type CutOff = Attempt & { readonly type: 'cutOff' }

/** To the owner of the contractor's machine: it has done the task of another. */
export type Earned = Attempt & { readonly type: 'earned'; readonly points: number }

/** The answer to a query; `unknown` also unasked, when a contractor finds that it has lost the task. */
export type Status = Attempt & {
  readonly type: 'status'
  /** Held: awarded, and waits for another task to end. Unknown: never got it, or lost it in a restart. */
  readonly state: 'executing' | 'held' | 'unknown'
}

/** The types of all messages between machines; news of a contractor to the owner of its machine stays there. */
export const MESSAGE_TYPES: readonly (ToContractor | ToClient)['type'][] = [
  'rfb',
  'bid',
  'ack',
  'task',
  'result',
  'bump',
  'cancel',
  'cancelAll',
  'query',
  'status',
  'cutOff',
]

/** What happened, as the client sees it. */
export type ClientFact =
  | (Attempt & { readonly type: 'announced' })
  | (Attempt & {
      readonly type: 'awarded'
      readonly contractor: Address
    } & Promised)
  /** A late bid won the task over. */
  | (Attempt & LateBid & { readonly type: 'moved'; readonly previous: Address })
  | (Attempt & LateBid & { readonly type: 'rejected' })
  | (Attempt & { readonly type: 'bumped'; readonly contractor: Address })
  /** A bumped task has gone to another contractor, or stays where it is, with a new promise. */
  | (Attempt & { readonly type: 'replaced'; readonly contractor: Address; readonly previous: Address } & Promised)
  /** Announced again, since there was no bid. */
  | (Attempt & { readonly type: 'repeated' })
  | (Attempt & {
      readonly type: 'failed'
      readonly contractor: Address
      /** Silent: a query went unanswered. Lost: the contractor does not know the task. */
      readonly reason: 'silent' | 'lost'
    })
  /** The task is over without a result: it was cut off, or it was a call that threw, or it failed and may not be restarted. */
  | (Attempt & {
      readonly type: 'ended'
      readonly reason: 'cut off' | 'threw' | 'not restartable'
      readonly contractor: Address | null
      /** What was thrown. */
      readonly error?: Thrown
    })
  /** For a task of another that was done on the client's machine. */
  | (Attempt & { readonly type: 'earned'; readonly points: number })
  | (Attempt & {
      readonly type: 'done'
      readonly contractor: Address
      readonly arrival: Time
      /** From the announcement to the result in the client's hands, both messages included. */
      readonly flow: Time
    } & Partial<Returned>)

/** The result of a call. */
type Returned = {
  readonly result: Plain
  /** The announced and the measured work. */
  readonly estimate: Time
  readonly work: Time
}

/** The start and the completion that a bid promises. */
type Promised = { readonly start: Time; readonly completion: Time }

type LateBid = {
  readonly contractor: Address
  readonly completion: Time
  /** The share of the remaining time that the bid would save; null if the running task is overdue. */
  readonly improvement: number | null
}

/** What happened, as the contractor sees it. What was executed when is told by the processor's facts. */
export type ContractorFact =
  /** A bid without an answer in time. */
  | (Attempt & { readonly type: 'lapsed'; readonly client: Address })
  /** A client that no longer asks for its task was taken for dead. */
  | (Attempt & { readonly type: 'abandoned'; readonly client: Address })
  /** It took much longer than estimated. */
  | (Attempt & { readonly type: 'tooLong'; readonly client: Address })
  /** What was awarded to it, as it heard at `heard`, and was begun, it now has stopped. */
  | (Attempt & { readonly type: 'stopped'; readonly heard: Time })
  /** The own processor does not answer: until it does, nothing is bid for. */
  | { readonly type: 'stranded' }
  | { readonly type: 'recovered' }
