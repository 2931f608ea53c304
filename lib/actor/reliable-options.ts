/** The options of reliable delivery: timeouts, exponential backoff and limits. */

import { type Time, UNIT } from '../core/time.ts'
import type { NetworkOptions } from './network.ts'

export type ReliableOptions = {
  /** The time from the first attempt to the second; it doubles with each later attempt (exponential backoff). */
  readonly timeout: Time
  /** The longest time between two attempts. */
  readonly cap: Time
  /** The message is given up after this many unacknowledged attempts. */
  readonly attempts: number
  /** The most unacknowledged messages from one actor to another; more become dead letters. */
  readonly window: number
}

/** The default number of attempts. With 20 % loss a message is lost 16 times in a row once in 10^11. */
const ATTEMPTS = 16
/** The cap, in first timeouts. */
const CAP = 16
const WINDOW = 10_000
/** The least margin of a timeout in real time, in milliseconds, since threads are not always scheduled at once. */
const MARGIN_MS = 50

/**
 * Completes the options from those of the network. The first timeout is the longest round trip and one unit more (in real
 * time at least 50 ms more), so that a message is retransmitted only if it was lost or an actor was paused.
 */
export function completeReliable(
  given: boolean | Partial<ReliableOptions> | null,
  { latency, jitter }: NetworkOptions,
  real: { readonly scale: number } | null,
): ReliableOptions | null {
  if (!given) return null
  const margin = real ? Math.max(UNIT, Math.ceil((MARGIN_MS / real.scale) * UNIT)) : UNIT
  const asked = given === true ? {} : given
  const timeout = asked.timeout ?? 2 * (latency + jitter) + margin
  return { timeout, cap: CAP * timeout, attempts: ATTEMPTS, window: WINDOW, ...asked }
}

/** The timeout after attempt number `n`, from 1. */
export function timeoutAfter(n: number, { timeout, cap }: ReliableOptions): Time {
  let wait = timeout
  for (let i = 1; i < n && wait < cap; i++) wait *= 2
  return Math.min(wait, cap)
}

/** The time from the first attempt at a message until it is given up. */
export function patience(options: ReliableOptions): Time {
  let sum = 0
  for (let n = 1; n <= options.attempts; n++) sum += timeoutAfter(n, options)
  return sum
}

/** The time from the first attempt to the last. A partition that is shorter than this loses no message. */
export const bridges = (options: ReliableOptions): Time => patience(options) - timeoutAfter(options.attempts, options)
