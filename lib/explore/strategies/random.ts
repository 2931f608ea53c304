/**
 * A random walk: who comes next is drawn evenly among what is due, and now and then all of it is held back until
 * something else has come. Simple, and hard to beat (Thomson, Donaldson and Betts 2014).
 */
import { keyedDraws } from '../../core/random.ts'
import type { Strategy } from './strategy.ts'

/** Of its decisions the share that holds everything back. */
const HOLDS = 1 / 16

export const random: Strategy = ({ seed, run }) => {
  const draw = keyedDraws(seed, 'random walk', run)
  return {
    next: ({ pending: things }) => (draw() < HOLDS ? -1 : Math.floor(draw() * things.length)),
    outcomeOf: () => 'once',
  }
}
