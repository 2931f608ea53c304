/** Figure 5: the shares of the users of figure 4 while A arrives and a ticket server is dead. */
import { type Totals, totals } from '../../../scenarios/shares/paper/figure-4.ts'

interface Segment {
  /** Milliseconds. */
  readonly from: number
  readonly until: number
  readonly totals: Totals
  /** A's share of node 1, and of each other node. */
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
