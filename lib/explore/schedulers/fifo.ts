/** The order of sending: the schedule that all others deviate from. */
import type { Scheduler } from '../../schedule.ts'

export const fifo = (): Scheduler => ({ next: () => 0, passes: () => 'once' })
