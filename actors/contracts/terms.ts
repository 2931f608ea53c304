/** The terms of sites, brokers and clients in the contracts market. */
import type { Time } from '../../lib/actor.ts'
import type { Heuristic } from './ranks.ts'

/**
 * The modes of preemption. 0: running tasks are never preempted. 1: a task that was just awarded may take the place of a running
 * one. 2: any waiting task may. The site checks this when it dispatches: after an award, a settlement, a void, or the failure or
 * return of a task or processor.
 */
export const PREEMPTIONS = [0, 1, 2] as const
export type Preemption = (typeof PREEMPTIONS)[number]

/** The terms of a site. */
export type SiteTerms = {
  readonly heuristic: Heuristic
  readonly preempt: Preemption
  /** The least slack, in units, of a task that the site accepts; null: it accepts all. */
  readonly threshold: number | null
  /**
   * What to do with an award whose promise no longer holds. `honour`: take it; a late task is paid what it is worth. `renege`:
   * turn it down. Both turn down an award whose offer is forgotten, belongs to another round or has expired.
   */
  readonly stale: Stale
  /** How long an offer can be accepted; null: for ever. */
  readonly expiry: Time | null
  /** The time for a message and its answer. A promise allows for it before the award, and for each execution. */
  readonly allowance: Time
}

/**
 * How a client finds out that a site has died. `probes`: a site that does not answer in time is given up, rightly or not.
 * `perfect`: the runtime tells of each death at once, as no network can.
 */
export const DETECTORS = ['probes', 'perfect'] as const
export type Detector = (typeof DETECTORS)[number]

export const STALE = ['honour', 'renege'] as const
export type Stale = (typeof STALE)[number]

/** The orders of offers: the earliest completion or the lowest price is best. */
export const PREFERENCES = ['earliest', 'cheapest'] as const
export type Preference = (typeof PREFERENCES)[number]

/** The terms of a broker. */
export type BrokerTerms = {
  readonly preference: Preference
  /** Whether the broker decides on one task before it asks about the next. */
  readonly rounds: 'one by one' | 'all at once'
  /** How long to wait for sites to answer; null: until all have, or for the patience. */
  readonly wait: Time | null
  /** How often all sites are asked again about a task at most, if none of the sites with offers keeps its promise. */
  readonly rebids: number
}
