/**
 * Figures 4 and 5: users A to E with 100 base tickets each on four nodes; A runs a job of amount 1 on every node, B to E
 * one job each on nodes 1 to 4. Fluid shares: 1 is a node.
 */

export const USERS = ['A', 'B', 'C', 'D', 'E'] as const
export type User = (typeof USERS)[number]

/** What a user has of all nodes. */
export type Totals = Readonly<Record<User, number>>

const totals = (A: number, B: number, C: number, D: number, E: number): Totals => ({ A, B, C, D, E })

/** Whom the nodes know of: only their own jobs, everybody's, or node 1 only its own and the others not its. */
export const FIGURE_4 = {
  independent: totals(2, 1 / 2, 1 / 2, 1 / 2, 1 / 2),
  cooperating: totals(4 / 5, 4 / 5, 4 / 5, 4 / 5, 4 / 5),
  withoutFirst: totals(5 / 4, 1 / 2, 3 / 4, 3 / 4, 3 / 4),
} as const

export interface Segment {
  /** Milliseconds. */
  readonly from: number
  readonly until: number
  readonly totals: Totals
  /** A's part of node 1 and of each other node. */
  readonly ofA: readonly [first: number, other: number]
}

/**
 * Ticks every second on all nodes together, latency 1 ms, entries kept for three periods. A begins on node 1 and joins
 * the others at 2500; the first node's ticket server is dead from 10500 to 20500.
 */
export const TIMELINE: readonly Segment[] = [
  { from: 0, until: 2500, totals: totals(1 / 2, 1 / 2, 1, 1, 1), ofA: [1 / 2, 0] },
  { from: 2500, until: 4000, totals: totals(3 / 2, 1 / 2, 2 / 3, 2 / 3, 2 / 3), ofA: [1 / 2, 1 / 3] },
  { from: 4000, until: 11000, totals: totals(4 / 5, 4 / 5, 4 / 5, 4 / 5, 4 / 5), ofA: [1 / 5, 1 / 5] },
  { from: 11000, until: 14000, totals: totals(11 / 10, 1 / 2, 4 / 5, 4 / 5, 4 / 5), ofA: [1 / 2, 1 / 5] },
  { from: 14000, until: 22000, totals: totals(5 / 4, 1 / 2, 3 / 4, 3 / 4, 3 / 4), ofA: [1 / 2, 1 / 4] },
  { from: 22000, until: 26000, totals: totals(4 / 5, 4 / 5, 4 / 5, 4 / 5, 4 / 5), ofA: [1 / 5, 1 / 5] },
]
