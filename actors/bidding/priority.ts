/**
 * Priorities as policy: a client ranks its tasks, contractors only compare the numbers, smaller first. What a policy
 * may go by is the task and the points that its client has left.
 */
import type { Time } from '../../lib/actor.ts'

/** What a client knows of a task beforehand. */
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
