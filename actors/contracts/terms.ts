/** How sites and brokers of the contracts market go about it. */
import { type Time, units } from '../../lib/actor.ts'
import type { Heuristic } from './ranks.ts'

/** 0: a running task is left alone; 1: one that has just arrived may take its place; 2: any that waits, at any event. */
export const PREEMPTIONS = [0, 1, 2] as const
export type Preemption = (typeof PREEMPTIONS)[number]

export type SiteTerms = {
  readonly heuristic: Heuristic
  readonly preempt: Preemption
  /** The least slack of a task that is taken on, in units; null: all are. */
  readonly threshold: number | null
  /** What becomes of an award whose promise does not hold any more: taken on, to be paid what it is worth; or refused. */
  readonly stale: Stale
  /** How long an offer can be accepted; null: for ever. */
  readonly expiry: Time | null
  /** What a message and its answer may take: for the award of what is offered, and to each execution on a processor. */
  readonly allowance: Time
}

export const STALE = ['honour', 'renege'] as const
export type Stale = (typeof STALE)[number]

/** Which offer is best. */
export const PREFERENCES = ['earliest', 'cheapest'] as const
export type Preference = (typeof PREFERENCES)[number]

export type BrokerTerms = {
  readonly preference: Preference
  /** Is the next task's round opened before this one is decided? */
  readonly rounds: 'one by one' | 'all at once'
  /** How long to wait for sites to answer; null: until all have. */
  readonly wait: Time | null
  /** How often at most all sites are asked anew about a task, if none of those that offered keeps to it. */
  readonly rebids: number
}

/** Of everybody: where somebody may die or mail be lost, what is not answered is said again, and what matters written down. */
export type Caution = {
  /** How long an answer may take until whoever owes it is asked again, or given up; null: everybody lives, nothing is lost or doubled. */
  readonly patience: Time | null
}

/** Who has not been answered for so long only waits for news that somebody is back. */
export const LONGEST_PAUSE = units(1_000_000)
