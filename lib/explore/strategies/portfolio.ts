/**
 * A portfolio: strategies take turns, since none is the best for all bugs (swarm verification, Holzmann, Joshi and Groce 2008).
 * Without faults most runs are partial-order sampling, which holds many events back: most bugs in the order of messages need that. With
 * faults all strategies have equal turns. There most bugs show only if a fault strikes at the right moment, and many holds lead a run away
 * from it. The priority changes of `pct` grow with the number of runs (iterative deepening), so nobody has to choose a depth.
 */
import { delay } from './delay.ts'
import { pct } from './pct.ts'
import { pos } from './pos.ts'
import { random } from './random.ts'
import type { Strategy } from './strategy.ts'

/** The runs of the first level; each level is twice as long as the one before. */
const LEVEL = 30
/** The deepest level. */
const DEEPEST = 6

const deepening: Strategy = (input) => pct(2 + Math.min(DEEPEST, Math.floor(Math.log2(1 + input.run / LEVEL))))(input)

const TURNS = {
  withFaults: [pos, random, delay(2), deepening],
  withoutFaults: [pos, pos, pos, random, pos, pos, pos, random, pos, deepening],
} as const

export const portfolio: Strategy = (input) => {
  const turns = input.hasFaults ? TURNS.withFaults : TURNS.withoutFaults
  return (turns[input.run % turns.length] ?? pos)(input)
}
