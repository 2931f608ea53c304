/**
 * Delay bounding (Emmi, Qadeer and Rakamaric 2011): fifo, but for k drawn decisions at which the thing whose turn it is
 * has to let another go first. Few bugs need many delays, so a found one is short from the start.
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
