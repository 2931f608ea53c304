/**
 * The messages and facts of the task market (Malone et al. 1986), the same for all its protocols.
 *
 * A client with a task requests bids from all contractors (`rfb`). Contractors answer with a `bid`, at once or when
 * they become free (`ack`: not yet). The client awards the task to one of them (`task`) and gets a `result`. A
 * contractor sends a `bump` if it refuses the task or cannot keep its promise. A client that moves the task sends
 * `cancel` to the old contractor. When the task is over it sends `cancelAll` to all contractors, if any of them may still keep
 * something of the task.
 *
 * Every message names its task and attempt. The attempt grows when the client gives up the current one (after a refusal
 * or a failure) and announces the task again. Repeating an announcement, or moving the task to another bidder, keeps
 * the attempt. Both sides ignore messages about an older attempt. Times, work and estimates are `Time` (millionths of a
 * unit); work is measured at speed 1.
 */
import type { Address, Plain, Thrown, Time } from '../../lib/actor.ts'
import type { Attempt, Return, Work } from '../processor/messages.ts'

export type { Attempt } from '../processor/messages.ts'

/** What a contractor takes from clients. */
export type ToContractor = Rfb | Task | Cancel | CancelAll | Query

/** A request for bids, sent to all contractors. */
export type Rfb = Attempt & {
  readonly type: 'rfb'
  /** When the task arrived at its client. Of equal priorities, the earlier arrival goes first. */
  readonly arrival: Time
  /**
   * The priority, which a policy of the client computes (priority.ts). Contractors only compare it; smaller goes first.
   */
  readonly priority: number
  /** The estimated work. */
  readonly estimate: Time
  /** The files that a machine must have to execute the task; absent: none. */
  readonly files?: readonly string[]
}

/** The award of a task to a contractor. */
export type Task = Attempt & {
  readonly type: 'task'
  readonly arrival: Time
  readonly priority: number
  readonly estimate: Time
  readonly files?: readonly string[]
  /** The start that the winning bid promised. */
  readonly start: Time
  /** The true work: the contractor hands it to its processor without reading it. */
  readonly work: Work
  /** The points that the client spends on it, in a market of points. */
  readonly points?: number
  /**
   * Present if the contractor holds the task already and this renews its promise. It is ignored if the task has ended.
   */
  readonly renewed?: true
}

/** Tells one contractor that it does not get this attempt, or no longer has it. */
export type Cancel = Attempt & { readonly type: 'cancel' }

/** Tells all contractors (the paper's CANCEL*) that the task is done: they forget all its attempts. */
export type CancelAll = Attempt & { readonly type: 'cancelAll' }

/** A status query, sent at intervals after an award. If queries stop, the contractor takes the client for dead. */
export type Query = Attempt & { readonly type: 'query' }

/** What a client takes from contractors. */
export type ToClient = Bid | Ack | Result | Bump | CutOff | Status | Earned

/** A bid for a task. */
export type Bid = Attempt & {
  readonly type: 'bid'
  /** The start of the task if it is awarded as soon as this bid arrives. */
  readonly start: Time
  /** The completion of the task, on the same condition. */
  readonly completion: Time
  /** The contractor's place in the market, for ties. */
  readonly index: number
}

/** Tells the client that the contractor is busy and has queued the request. The client ignores it. */
export type Ack = Attempt & { readonly type: 'ack' }

/** Tells the client that the execution ran to its end; for a call, with its outcome. */
export type Result = Attempt & { readonly type: 'result' } & Return

/** Tells the client that a task that has not started will not start as promised. */
export type Bump = Attempt & {
  readonly type: 'bump'
  /**
   * True: the task stays reserved, and runs unless it is cancelled. False: it is refused and must be announced again.
   */
  readonly kept: boolean
}

/** Tells the client that the task ran much longer than estimated and was aborted. */
export type CutOff = Attempt & { readonly type: 'cutOff' }

/** Tells the owner of the contractor's machine that the machine completed a task of another client. */
export type Earned = Attempt & { readonly type: 'earned'; readonly points: number }

/** The answer to a query. A contractor that finds a task lost sends `unknown` without a query. */
export type Status = Attempt & {
  readonly type: 'status'
  /** Held: awarded, and waiting for another task to end. Unknown: never received, or lost in a restart. */
  readonly state: 'executing' | 'held' | 'unknown'
}

/** The types of all messages between machines. `earned` is not among them: it stays within a machine. */
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

/** The facts that a client reports. */
export type ClientFact =
  | (Attempt & { readonly type: 'announced' })
  /** A bid has come, with the completion that the client believes. Told only with a timeout. */
  | (Attempt & { readonly type: 'heard'; readonly contractor: Address } & Promised)
  | (Attempt & {
      readonly type: 'awarded'
      readonly contractor: Address
    } & Promised)
  /** A late bid moved the task to its bidder. */
  | (Attempt & LateBid & { readonly type: 'moved'; readonly previous: Address })
  | (Attempt & LateBid & { readonly type: 'rejected' })
  | (Attempt & { readonly type: 'bumped'; readonly contractor: Address })
  /** A bumped task got a new promise, from the same contractor or from another. */
  | (Attempt & { readonly type: 'replaced'; readonly contractor: Address; readonly previous: Address } & Promised)
  /** The announcement was repeated, since there was no bid. */
  | (Attempt & { readonly type: 'repeated' })
  | (Attempt & {
      readonly type: 'failed'
      readonly contractor: Address
      /** Silent: a query went unanswered. Lost: the contractor does not know the task. */
      readonly reason: 'silent' | 'lost'
    })
  /** The task ended without a result: it was cut off, its call threw, or it failed and is not restartable. */
  | (Attempt & {
      readonly type: 'ended'
      readonly reason: 'cut off' | 'threw' | 'not restartable'
      readonly contractor: Address | null
      /** The error that a call threw. */
      readonly error?: Thrown
    })
  /** The client earned points for a task of another client that its machine completed. */
  | (Attempt & { readonly type: 'earned'; readonly points: number })
  | (Attempt & {
      readonly type: 'done'
      readonly contractor: Address
      readonly arrival: Time
      /** The time from the task's arrival until the client received the result, messages included. */
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

/** The facts that a contractor reports. Executions are in the facts of its processor. */
export type ContractorFact =
  /** A question (a bid or a bump) was not answered in time. */
  | (Attempt & { readonly type: 'lapsed'; readonly client: Address })
  /** A client sent no query for too long, and was taken for dead. */
  | (Attempt & { readonly type: 'abandoned'; readonly client: Address })
  /** The task ran much longer than estimated. */
  | (Attempt & { readonly type: 'tooLong'; readonly client: Address })
  /** The contractor stopped an execution; `heard` is when its award arrived. */
  | (Attempt & { readonly type: 'stopped'; readonly heard: Time })
  /** The contractor's processor does not answer: until it does, the contractor bids for nothing. */
  | { readonly type: 'stranded' }
  | { readonly type: 'recovered' }
