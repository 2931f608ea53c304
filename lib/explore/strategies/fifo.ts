/** The order of sending, without deviations. All other schedules are written as deviations from it. */
import type { Strategy } from './strategy.ts'

export const fifo: Strategy = () => ({ next: () => 0, outcomeOf: () => 'once' })
