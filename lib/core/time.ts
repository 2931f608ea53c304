import { OutOfRange } from './error.ts'

/**
 * Model time: an integer number of millionths of a scenario's unit (a paper's minute or millisecond).
 * Integers, because with doubles a bid sent at t+d can arrive after the timer set for t+2d.
 */
export type Time = number

/** Millionths in a unit. */
export const UNIT = 1_000_000

/** The largest time: model time stays an integer that a double holds exactly. About 9,007,199,254 units. */
export const TIME_MAX: Time = Number.MAX_SAFE_INTEGER

/**
 * The instant that comes `delay` after `now`.
 *
 * @param what names it in the error, such as `timer retry`
 * @throws OutOfRange for an instant after TIME_MAX
 */
export function instantAfter(now: Time, delay: Time, what: string): Time {
  const instant = now + delay
  if (instant <= TIME_MAX) return instant
  throw new OutOfRange(
    `${what} would be due ${toUnits(delay)} units after ${toUnits(now)}, beyond the largest time TIME_MAX, ${toUnits(TIME_MAX)} units: choose a shorter delay`,
  )
}

/** Says whether a value is a time >= 0. */
export const isTime = (value: unknown): value is Time =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/**
 * Rounds a duration or an instant given in units, once, on entry.
 *
 * @throws OutOfRange for anything but a finite number
 */
export function units(amount: number): Time {
  if (!Number.isFinite(amount)) throw new OutOfRange(`units takes a number of units, not ${String(amount)}`)
  return Math.round(amount * UNIT)
}

/** Converts a time to units, for output. */
export const toUnits = (time: Time): number => time / UNIT

/**
 * The phases of an instant, in order. A timer fires in the phase of its kind: `outside` (planned faults and calls
 * from outside; the system's alone), `completion` (work that ends), `arrival` (work that comes), then all mail,
 * round after round, then `protocol` timers, whose mail opens new rounds.
 */
export const PHASES = ['outside', 'completion', 'arrival', 'mail', 'protocol'] as const
export type Phase = (typeof PHASES)[number]
/** The phase of an instant in which a timer fires; by default `protocol`, after all mail of the instant. */
export type TimerKind = Exclude<Phase, 'outside' | 'mail'>
export const TIMER_KINDS: readonly TimerKind[] = ['completion', 'arrival', 'protocol']

export const isTimerKind = (value: unknown): value is TimerKind =>
  value === 'completion' || value === 'arrival' || value === 'protocol'
