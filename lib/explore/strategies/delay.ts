/**
 * Delay bounding (Emmi, Qadeer and Rakamaric 2011): fifo, except for k randomly drawn decisions, where the next event is
 * delayed in favour of another. Few bugs need many delays, so counterexamples are short from the start.
 */
import { keyed } from '../../core/random.ts'
import type { Strategy } from './strategy.ts'

export const delay =
  (bound: number): Strategy =>
  ({ seed, run, decisions }) => {
    const delays = new Set(
      Array.from({ length: bound }, (_, i) => Math.floor(keyed(seed, 'delay', run, i) * decisions)),
    )
    let decision = 0
    return {
      next: ({ pending: things }) => (delays.has(decision++) ? (things.length > 1 ? 1 : -1) : 0),
      outcomeOf: () => 'once',
    }
  }
