/**
 * A portfolio: strategies take turns, since none is the best for all bugs (swarm verification, Holzmann, Joshi and Groce 2008).
 * Partial-order sampling holds many events back, which most bugs in the order of messages need. A random walk holds few back, which
 * bugs need that show only if a fault strikes at the right moment. So runs with faults are walks more often than runs without.
 * Priorities let some actors starve; the number of their changes grows with the number of runs (iterative deepening), so nobody
 * has to choose a depth.
 */
import { pct } from './pct.ts'
import { pos } from './pos.ts'
import { random } from './random.ts'
import type { Strategy } from './strategy.ts'

/** One run of so many is by priorities, which take the most time. */
const TURN = 10
/** Of the others one of so many is a random walk. */
const WALKS = { withFaults: 2, withoutFaults: 4 }
/** The runs of the first level; each level is twice as long as the one before. */
const LEVEL = 3 * TURN
/** The deepest level. */
const DEEPEST = 6

export const portfolio: Strategy = (input) => {
  const { run, hasFaults } = input
  if (run % TURN === TURN - 1) return pct(2 + Math.min(DEEPEST, Math.floor(Math.log2(1 + run / LEVEL))))(input)
  const every = hasFaults ? WALKS.withFaults : WALKS.withoutFaults
  return run % every === every - 1 ? random(input) : pos(input)
}
