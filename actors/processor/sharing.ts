/** How a time-shared processor divides its time; without it a processor runs one task at a time to completion. */
import { type Time, units } from '../../lib/actor.ts'

export type Sharing = {
  /** > 0. */
  readonly quantum: Time
  /** What it costs to put another process, or one that has slept, on the processor. */
  readonly switching: Time
  /** Where a new client's pass starts beyond the global pass: one stride, or nothing. */
  readonly start: 'stride' | 'zero'
  /** The stride of one ticket. */
  readonly stride1: number
  readonly credit: Credit
  /** Does a process that wakes take the processor from one with a larger pass? */
  readonly preempt: boolean
  /** Forgive a client that leaves behind the global pass (else its negative remain is kept). */
  readonly clamp: boolean
  /** Base tickets that fund a currency: one for each user. */
  readonly funding: Readonly<Record<string, number>>
  /** When to report to the machine's ticket server; null: schedule independently. */
  readonly tick: { readonly every: Time /** How long to wait for its table. */; readonly patience: Time } | null
}

/** What a job gets for the time that it slept (paper, section 3.2). */
export type Credit =
  | { readonly policy: 'none' }
  /** Its tickets are lent while it sleeps and repaid over `catchUp` times its sleep. */
  | { readonly policy: 'loan'; readonly catchUp: number }
  /** Exhaustible tickets from nowhere. */
  | {
      readonly policy: 'system'
      /** Catch-up time as a multiple of the sleep, or what the last burst suggests. */
      readonly catchUp: number | 'adaptive'
      /** The largest share while credited, in percent; below 100. */
      readonly cap: number
      /** Whose tickets are T: the base tickets of all jobs of the machine, or those, also exhaustible, of who is awake. */
      readonly competing: 'resident' | 'active'
    }

/**
 * A stride for which tickets up to 20, and any of 25, 30, 40, 50, 75, 100, 200, 300 or 400, give whole strides: passes
 * are then sums of whole numbers, exact in doubles, and ties are ties. So they are while quanta are whole and those who
 * come or come back meet a total that is such a number too; after that a tie may be decided by rounding.
 * lcm(1..20) * 5 * 2.
 */
export const STRIDE1 = 2_327_925_600

/** Section 8 of the study of coscheduling; times in units of a millisecond. */
export const STANDARD: Sharing = {
  quantum: units(20),
  switching: units(0.1),
  start: 'stride',
  stride1: STRIDE1,
  credit: { policy: 'system', catchUp: 1, cap: 95, competing: 'resident' },
  preempt: true,
  clamp: false,
  funding: {},
  tick: null,
}

/** A quantum that never ends: whoever came first stays until it is done. */
export const RUN_TO_COMPLETION: Sharing = {
  ...STANDARD,
  quantum: Number.POSITIVE_INFINITY,
  switching: 0,
  start: 'zero',
  credit: { policy: 'none' },
  preempt: false,
}
