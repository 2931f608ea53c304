/**
 * The fluid model of proportional share: the shares of jobs if quanta are infinitely small. These are weighted max-min
 * shares. A parallel job runs on all its nodes at the rate of the slowest. The time that it leaves elsewhere goes to
 * the other jobs there, by tickets.
 */
import { add, totalsOf } from '../../lib/core/tally.ts'

export interface Demand {
  /** The name of the job; unique. */
  readonly name: string
  /** The nodes of the job, without repetition; a sequential job has one. */
  readonly nodes: readonly (string | number)[]
  /** The base tickets of the job on each of its nodes, > 0. */
  readonly tickets: number
}

/**
 * By name, the part of each of its nodes that a job gets. Nodes are used up in the order of what is left per ticket
 * (progressive filling: Bertsekas & Gallager 1992, section 6.5.2).
 */
export function fluidShares(demands: readonly Demand[]): Map<string, number> {
  const shares = new Map<string, number>()
  const left = new Map(demands.flatMap(({ nodes }) => nodes.map((node) => [node, 1])))
  let open = demands
  while (open.length > 0) {
    const { node, level } = scarcest(open, left)
    for (const { name, nodes, tickets } of open.filter(({ nodes }) => nodes.includes(node))) {
      const share = tickets * level
      shares.set(name, share)
      for (const each of nodes) add(left, each, -share)
    }
    open = open.filter(({ nodes }) => !nodes.includes(node))
  }
  return shares
}

/** The node that has the least left per ticket, of those with jobs that compete. */
function scarcest(demands: readonly Demand[], left: ReadonlyMap<string | number, number>) {
  const issued = totalsOf(demands.flatMap(({ nodes, tickets }) => nodes.map((node) => [node, tickets] as const)))
  const levels = [...issued].map(([node, tickets]) => ({ node, level: (left.get(node) ?? 0) / tickets }))
  return levels.reduce((least, other) => (other.level < least.level ? other : least))
}
