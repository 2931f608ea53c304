/**
 * A random walk: who comes next is drawn evenly among what is due, and now and then all of it is held back until
 * something else has come. Simple, and a hard measure for the others (Thomson, Donaldson, Betts 2014).
 */
import { keyedDraws } from '../../random.ts'
import type { Scheduler } from '../../schedule.ts'

/** Of its decisions the share that holds everything back. */
const HOLDS = 1 / 16

export function random(seed: number): Scheduler {
  const draw = keyedDraws(seed, 'random walk', 0)
  return {
    next: ({ things }) => (draw() < HOLDS ? -1 : Math.floor(draw() * things.length)),
    passes: () => 'once',
  }
}
