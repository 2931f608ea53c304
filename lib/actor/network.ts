/** The simulated network between machines: a pure function of seed, link and message number. */
import { mix } from '../core/random.ts'
import { instantAfter, type Time } from '../core/time.ts'

export type NetworkOptions = {
  /** The constant part of every delay between two machines. */
  readonly latency: Time
  /** The random part of a delay: uniform between 0 and this, drawn for each message. */
  readonly jitter: Time
  /** Probability that a message is lost. */
  readonly loss: number
  /** Probability that a message arrives twice. */
  readonly duplicate: number
}

export const PERFECT_NETWORK: NetworkOptions = { latency: 0, jitter: 0, loss: 0, duplicate: 0 }

const NEVER: readonly Time[] = []

/**
 * The delays after which copies of message number `n` on the link arrive: none if it is lost, two if it is
 * duplicated. `link` names the ordered pair by two integers.
 */
export function copies(
  options: NetworkOptions,
  seed: number,
  from: number,
  incarnation: number,
  to: number,
  n: number,
): readonly Time[] {
  const { latency, jitter, loss, duplicate } = options
  if (loss > 0 && chance(seed, from, incarnation, to, n, 0) < loss) return NEVER
  const first = jitter === 0 ? latency : latency + Math.floor(chance(seed, from, incarnation, to, n, 2) * (jitter + 1))
  if (duplicate === 0 || chance(seed, from, incarnation, to, n, 1) >= duplicate) return [first]
  return [first, latency + Math.floor(chance(seed, from, incarnation, to, n, 3) * (jitter + 1))]
}

/** When the copies of a message arrive, one or two. */
export type Arrivals = readonly [Time, ...Time[]]

/**
 * When copies with these delays arrive, on a link whose latest mail is due at `lastDue`. Later mail does not overtake
 * that, nor the second copy the first.
 *
 * @throws OutOfRange for a message that would arrive after the largest time
 */
export function arrivals(lastDue: Time, now: Time, first: Time, second: Time | undefined): Arrivals {
  const due = Math.max(lastDue, instantAfter(now, first, MESSAGE))
  return second === undefined ? [due] : [due, Math.max(due, instantAfter(now, second, MESSAGE))]
}

const MESSAGE = 'a message (option network.latency, network.jitter)'

/** A draw in [0, 1); `purpose` tells the draws of one message apart. */
const chance = (seed: number, from: number, incarnation: number, to: number, n: number, purpose: number): number =>
  mix(seed, from, incarnation, to, n, purpose) / 0x1_0000_0000
