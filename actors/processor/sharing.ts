/** The sharing of a processor's time. Without it a processor runs one task at a time to completion. */
import { type Time, units } from '../../lib/actor.ts'

export type Sharing = {
  /** How long a process runs at a time, > 0. */
  readonly quantum: Time
  /** The time to switch to another process, or to one that has slept. */
  readonly switching: Time
  /** Where a new client's pass starts beyond the global pass: at one stride, or at zero. */
  readonly start: 'stride' | 'zero'
  /** The stride of one ticket. */
  readonly stride1: number
  readonly credit: Credit
  /** Whether a process that wakes takes the processor from one with a larger pass. */
  readonly preempt: boolean
  /**
   * Whether a client that leaves with a pass below the global pass loses that advantage; otherwise its negative lag
   * is kept.
   */
  readonly clamp: boolean
  /** The base tickets that fund each user's currency. */
  readonly funding: Readonly<Record<string, number>>
  /** When to report to the machine's ticket server; null: never, the processor schedules independently. */
  readonly tick: { readonly every: Time /** How long to wait for its table. */; readonly patience: Time } | null
}

/** The compensation of a job for the time that it slept (paper, section 3.2). */
export type Credit =
  | { readonly policy: 'none' }
  /** The tickets of a sleeping client are lent to others, and repaid over `catchUp` times its sleep. */
  | { readonly policy: 'loan'; readonly catchUp: number }
  /** The system creates exhaustible tickets for it. */
  | {
      readonly policy: 'system'
      /** The catch-up time as a multiple of the sleep, or adapted to the last burst. */
      readonly catchUp: number | 'adaptive'
      /** The largest share while credited, in percent; below 100. */
      readonly cap: number
      /**
       * The tickets that count as T: the base tickets of all jobs of the machine (resident), or all tickets of the
       * jobs that are awake (active).
       */
      readonly competing: 'resident' | 'active'
    }

/**
 * The stride of one ticket by default: lcm(1..20) * 5 * 2. Tickets up to 20, and any of 25, 30, 40, 50, 75, 100, 200,
 * 300 or 400, then have whole strides. Passes are sums of whole numbers, exact in doubles, and equal passes are
 * equal. This holds while quanta are whole and clients that join meet a total that is such a number, too; after that,
 * rounding may decide between equal passes.
 */
export const STRIDE1 = 2_327_925_600

/** The standard parameters of the study of coscheduling (section 8); times in units of a millisecond. */
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

/** A quantum that never ends: the first process runs until it is done. */
export const RUN_TO_COMPLETION: Sharing = {
  ...STANDARD,
  quantum: Number.POSITIVE_INFINITY,
  switching: 0,
  start: 'zero',
  credit: { policy: 'none' },
  preempt: false,
}
