/**
 * A random walk: the next event is drawn uniformly among those that are due, and sometimes all of them are held back until
 * another event has come. Simple, and hard to beat (Thomson, Donaldson and Betts 2014).
 */
import { keyedDraws } from '../../core/random.ts'
import type { Strategy } from './strategy.ts'

/** The share of decisions that hold all due events back. */
const HOLDS = 1 / 16

export const random: Strategy = ({ seed, run }) => {
  const draw = keyedDraws(seed, 'random walk', run)
  return {
    next: ({ pending: things }) => (draw() < HOLDS ? -1 : Math.floor(draw() * things.length)),
    outcomeOf: () => 'once',
  }
}
