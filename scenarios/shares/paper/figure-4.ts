/**
 * Figures 4 and 5: users A to E with 100 base tickets each on four nodes; A runs a job of amount 1 on every node, B to E
 * one job each on nodes 1 to 4. Fluid shares: 1 is a node.
 */

export const USERS = ['A', 'B', 'C', 'D', 'E'] as const
type User = (typeof USERS)[number]

/** Each user's share of all nodes. */
export type Totals = Readonly<Record<User, number>>

export const totals = (A: number, B: number, C: number, D: number, E: number): Totals => ({ A, B, C, D, E })

/**
 * The shares, depending on which jobs the nodes know: only their own; all jobs; or node 1 only its own, and the
 * others all but those of node 1.
 */
export const FIGURE_4 = {
  independent: totals(2, 1 / 2, 1 / 2, 1 / 2, 1 / 2),
  cooperating: totals(4 / 5, 4 / 5, 4 / 5, 4 / 5, 4 / 5),
  withoutFirst: totals(5 / 4, 1 / 2, 3 / 4, 3 / 4, 3 / 4),
} as const
