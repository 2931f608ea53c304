/** How stubborn the layer of reliable delivery is. */

import { type Time, UNIT } from '../core/time.ts'
import type { NetworkOptions } from './network.ts'

export type ReliableOptions = {
  /** From sending until sending again, for the first time; doubled each time after. */
  readonly timeout: Time
  /** The longest time between two attempts. */
  readonly cap: Time
  /** After so many attempts that nobody acknowledged, the message is given up. */
  readonly attempts: number
  /** Most unacknowledged messages from one actor to another; more become dead letters. */
  readonly window: number
}

/** With 20 % loss a message is lost 16 times in a row once in 10^11. */
const ATTEMPTS = 16
/** The cap, in first timeouts. */
const CAP = 16
const WINDOW = 10_000
/** Real time: threads take their time, which a timeout has to allow for. */
const MARGIN_MS = 50

/**
 * All that is not given follows from the network: the first timeout is a message and its acknowledgement at their
 * slowest and one unit more (in real time at least 50 ms more), so that nothing is sent twice unless something was
 * lost or stalled.
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

/** How long after attempt `n` (1, 2, ...) the next follows. */
export function timeoutAfter(n: number, { timeout, cap }: ReliableOptions): Time {
  let wait = timeout
  for (let i = 1; i < n && wait < cap; i++) wait *= 2
  return Math.min(wait, cap)
}

/** How long a message is tried before it is given up. */
export function patience(options: ReliableOptions): Time {
  let sum = 0
  for (let n = 1; n <= options.attempts; n++) sum += timeoutAfter(n, options)
  return sum
}

/** What loses every attempt for less than this, a cut or a death, loses no message: the last attempt comes so late. */
export const bridges = (options: ReliableOptions): Time => patience(options) - timeoutAfter(options.attempts, options)
