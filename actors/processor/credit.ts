/** System credit by the sound rule (paper, section 3.2.2; the cap is ours: the paper's formula has a pole at T = 2t). */

export interface Claim {
  /** The sleeper's base tickets, > 0. */
  readonly tickets: number
  /** Base tickets of everybody it competes with, itself included. */
  readonly total: number
  /** How long it slept. */
  readonly slept: number
  /** How long it would like to take to catch up. */
  readonly catchUp: number
  /** The largest share while credited, in percent. */
  readonly cap: number
}

export interface Credited {
  /** Exhaustible tickets, >= 0. */
  readonly extra: number
  /** For how long; 0 when there are none. */
  readonly lasts: number
}

const NONE: Credited = { extra: 0, lasts: 0 }

/**
 * `e = tTS / (CT - (S + C)t)` gives the share (S + C)t / (CT) for C after a sleep of S. Where that would exceed the cap
 * the catch-up time is stretched until it does not; alone on the machine, or nearly so, there is nothing to catch up.
 * Of whole numbers each result is the double nearest to the exact one: a single division.
 */
export function systemCredit({ tickets, total, slept, catchUp, cap }: Claim): Credited {
  const room = cap * total - 100 * tickets
  if (room <= 0 || slept === 0) return NONE
  const shortest = (100 * slept * tickets) / room
  if (catchUp <= shortest) return { extra: room / (100 - cap), lasts: shortest }
  return { extra: (tickets * total * slept) / (catchUp * total - (slept + catchUp) * tickets), lasts: catchUp }
}

/** A catch-up time that moves the knee of figure 3 back to the ideal: what a burst like the last one (`ran`) can use. */
export const adaptiveCatchUp = ({ tickets, total, slept, cap }: Omit<Claim, 'catchUp'>, ran: number): number =>
  Math.min(slept, Math.max((ran * total) / tickets - slept, (100 * ran) / cap))
