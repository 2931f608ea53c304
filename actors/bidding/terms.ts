/** The terms of a market, which all its clients and contractors share. A term of one protocol alone names it. */
import type { Time } from '../../lib/actor.ts'
import type { PolicyName } from './priority.ts'

/** The terms of a market. */
export type Terms = {
  /** The longest time that a message between a client and a contractor takes, as the actors assume. */
  readonly delay: Time
  /**
   * DSP, eager: the time from an announcement to the evaluation. If it is 0 and the delay is not, the first bid wins.
   */
  readonly wait: Time
  /**
   * The time after which the request of a task without a bid is repeated; null: never. DSP needs no repeats unless
   * messages are lost, since its contractors queue requests.
   */
  readonly retry: Time | null
  /** DSP: a late bid moves the task if it saves more than this share of the remaining time; null: never. */
  readonly i0: number | null
  /** DSP: how one of several bids with the same completion is chosen. */
  readonly ties: 'random' | 'index'
  /**
   * DSP: what happens if an award finds the machine taken, since a free contractor may have several bids open. The task
   * is held (hold) or refused (bump). With commit it cannot happen: an open bid counts as busy.
   */
  readonly clash: 'hold' | 'bump' | 'commit'
  /** Eager: how much later than promised a reservation may start before its client is told. */
  readonly tolerance: Time
  /** Whether cancelling a task stops it. Otherwise the machine finishes it, and the result is dropped. */
  readonly abort: boolean
  /** The interval of the status queries about an awarded task; null: none are sent. */
  readonly query: Time | null
  /** How long an answer may take, both messages included, before its sender counts as failed; null: for ever. */
  readonly timeout: Time | null
  /** The time without a query after which a contractor takes a client for dead; null: never. */
  readonly silence: Time | null
  /** A task that exceeds its predicted time by more than this share is cut off; null: never. */
  readonly cutoff: number | null
  /** The policy by which clients rank their tasks. */
  readonly priority: PolicyName
  /** The points that a client gets in every period, for policies under which a priority costs points. */
  readonly income: { readonly points: number; readonly period: Time }
  /** The delay by which a client holds back the bid of its own machine. */
  readonly localDelay: Time
  /** The factor, at least 1, by which a client lengthens the time that its own machine promises (see `inflated`). */
  readonly localInflation: number
  /** The time to load one file that a task needs and a machine lacks. */
  readonly loadTime: Time
}

/** The terms of DSP without delays, faults or additions; a market overrides some of them. */
export const STANDARD: Terms = {
  delay: 0,
  wait: 0,
  retry: null,
  i0: null,
  ties: 'random',
  clash: 'hold',
  tolerance: 0,
  abort: true,
  query: null,
  timeout: null,
  silence: null,
  cutoff: null,
  priority: 'spt',
  income: { points: 0, period: 1 },
  localDelay: 0,
  localInflation: 1,
  loadTime: 0,
}
