/**
 * A portfolio: strategies take turns, since none is the best for all bugs (swarm verification, Holzmann, Joshi and Groce 2008). A
 * random walk holds few events back, partial-order sampling holds many, and priorities let some actors starve. The number of
 * priority changes grows with the number of runs (iterative deepening), so nobody has to choose a depth.
 */
import { pct } from './pct.ts'
import { pos } from './pos.ts'
import { random } from './random.ts'
import type { Strategy } from './strategy.ts'

/** The runs of one turn, and of the first level; each level is twice as long as the one before. */
const TURN = 3
const LEVEL = 8 * TURN
/** The deepest level. */
const DEEPEST = 6

export const portfolio: Strategy = (input) => {
  const { run } = input
  const level = Math.min(DEEPEST, Math.floor(Math.log2(1 + run / LEVEL)))
  if (run % TURN === 1) return pos(input)
  if (run % TURN === 2) return pct(2 + level)(input)
  return random(input)
}
