/** The terms of a market: what all its clients and contractors agree on. Which protocol heeds what is said of each. */
import type { Time } from '../../lib/actor.ts'
import type { PolicyName } from './priority.ts'

export type Terms = {
  /** The longest that a message between a client and a contractor takes, as far as they know. */
  readonly delay: Time
  /** From an announcement to the evaluation of the bids (DSP, eager); 0 with a delay > 0: the first bid is taken. */
  readonly wait: Time
  /**
   * A task without a bid is announced again after this. Null: never, which is DSP's way as long as no mail is lost,
   * since its contractors come back to what they have heard.
   */
  readonly retry: Time | null
  /** DSP: a late bid moves the task if it saves more than this share of the time still to go; null: never. */
  readonly i0: number | null
  /** DSP: which of several bids for the same completion is taken. */
  readonly ties: 'random' | 'index'
  /**
   * DSP: a free contractor may have several bids open, so an award can find the machine taken. Then the task waits
   * its turn (hold) or is refused (bump); or an open bid counts as busy, so that it cannot happen (commit).
   */
  readonly clash: 'hold' | 'bump' | 'commit'
  /** Eager: how much later than promised a reservation may start before its client is told. */
  readonly tolerance: Time
  /** Does cancelling a task free its machine? If not, the machine ends it, and its result is dropped. */
  readonly abort: boolean
  /** Between two status queries about an awarded task; null: none are sent. */
  readonly query: Time | null
  /** How long a query may go unanswered, both messages included, before the other is taken for failed; null: for ever. */
  readonly timeout: Time | null
  /** A client without a query for this time is dead; more than its interval and two delays. Null: clients never die. */
  readonly silence: Time | null
  /** A task that takes longer than its estimate by more than this share is cut off; null: never. */
  readonly cutoff: number | null
  /** How clients rank their tasks. */
  readonly priority: PolicyName
  /** What a client gets in every period, to be spent on its tasks; for the priorities that cost points. */
  readonly income: { readonly points: number; readonly period: Time }
  /** The delay by which a client holds back the bid of its own machine. */
  readonly localDelay: Time
  /** And stretches the time which that bid promises by this factor, at least 1, the more so the more it has there. */
  readonly localInflation: number
  /** Until one file that a task needs and a machine lacks is there. */
  readonly loadTime: Time
}

/** DSP without delays, faults or additions: a market states what it wants otherwise. */
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
