/** The order of sending: what all others deviate from. */
import type { Strategy } from './strategy.ts'

export const fifo: Strategy = () => ({ next: () => 0, outcomeOf: () => 'once' })
