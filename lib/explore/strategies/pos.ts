/**
 * Partial-order sampling (Yuan, Yang and Gu 2018): events have random priorities, the highest comes first, and the events that race
 * with it draw new ones. All events of an actor race. The next one to arrive races too, so it counts as one of them: n due events and
 * the one to come are equally likely. If that one is drawn, the due events are held back until it has come.
 */
import { keyedDraws } from '../../core/random.ts'
import type { Strategy } from './strategy.ts'

export const pos: Strategy = ({ seed, run }) => {
  const draw = keyedDraws(seed, 'pos', run)
  return {
    next: ({ pending }) => Math.floor(draw() * (pending.length + 1)) - 1,
    outcomeOf: () => 'once',
  }
}
