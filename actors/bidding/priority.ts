/**
 * Priorities of tasks. A client ranks its tasks by a policy, which sees the task and the points that the client has
 * left. Contractors only compare the numbers; smaller goes first. Under some policies a priority costs points.
 */
import type { Time } from '../../lib/actor.ts'

/** The part of a task that a policy sees. */
export type Ranking = {
  readonly arrival: Time
  readonly estimate: Time
  /** Best-first search: the estimated distance from the goal. Markets of points: what the task is worth, in points. */
  readonly value?: number
}

/** The priority of a task for whose client `points` are left to spend. */
export type Policy = (task: Ranking, points: number) => number

const byPoints: Policy = ({ value = 0 }, points) => -Math.max(0, Math.min(value, points))

export const POLICY_NAMES = ['spt', 'lpt', 'fcfs', 'best-first', 'points', 'incentive'] as const
/** The name of a policy by which clients rank their tasks. */
export type PolicyName = (typeof POLICY_NAMES)[number]

/**
 * - `spt`, `lpt`: shortest, longest processing time first, by the estimate;
 * - `fcfs`: first come, first served;
 * - `best-first`: the search that looks where the goal seems nearest;
 * - `points`: the client spends what the task is worth to it, as far as it has that, and the most spent goes first;
 * - `incentive`: the same, and the owner of a machine earns what was spent on the tasks of others done there.
 */
export const POLICIES: Readonly<Record<PolicyName, Policy>> = {
  spt: ({ estimate }) => estimate,
  lpt: ({ estimate }) => -estimate,
  fcfs: ({ arrival }) => arrival,
  'best-first': ({ value = 0 }) => value,
  points: byPoints,
  incentive: byPoints,
}

/** The policies under which a priority costs points. */
export const isPaid = (name: PolicyName): boolean => name === 'points' || name === 'incentive'

/** A client's points. Every period brings new ones, and points do not expire. */
export type Purse = {
  /** Points that owners of other tasks spent on tasks done on this client's machine. */
  readonly earned: number
  /** Points spent on announced tasks. */
  readonly spent: number
}

export const EMPTY_PURSE: Purse = { earned: 0, spent: 0 }

/** The points that are left at `now`; the first period begins at 0. */
export const pointsLeft = (
  { earned, spent }: Purse,
  { points, period }: { readonly points: number; readonly period: Time },
  now: Time,
): number => points * (1 + Math.floor(now / period)) + earned - spent
