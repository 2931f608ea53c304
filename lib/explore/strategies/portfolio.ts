/**
 * A portfolio: strategies take turns, since none is the best for all bugs (swarm verification, Holzmann, Joshi and Groce 2008). Half
 * of the runs are random walks. The others have bounds that grow with the number of runs (iterative deepening): first one delay
 * or two priorities, and later more, so nobody has to choose a depth.
 */
import { delay } from './delay.ts'
import { pct } from './pct.ts'
import { random } from './random.ts'
import type { Strategy } from './strategy.ts'

/** The runs of one turn, and of the first level; each level is twice as long as the one before. */
const TURN = 4
const LEVEL = 8 * TURN
/** The deepest level. */
const DEEPEST = 6

export const portfolio: Strategy = (input) => {
  const { run } = input
  const level = Math.min(DEEPEST, Math.floor(Math.log2(1 + run / LEVEL)))
  if (run % TURN === 1) return delay(1 + level)(input)
  if (run % TURN === 3) return pct(2 + level)(input)
  return random(input)
}
