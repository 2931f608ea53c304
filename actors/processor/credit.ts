/**
 * System credit: exhaustible tickets for a client that slept (paper, section 3.2.2). The cap is ours, because the
 * paper's formula has a pole at T = 2t.
 */

export interface Claim {
  /** The sleeper's base tickets, > 0. */
  readonly tickets: number
  /** The base tickets of all competitors, including the sleeper. */
  readonly total: number
  /** The time that it slept. */
  readonly slept: number
  /** The catch-up time: the time that its credit lasts, unless the cap lengthens it. */
  readonly catchUp: number
  /** The largest share while credited, in percent. */
  readonly cap: number
}

export interface Credited {
  /** The exhaustible tickets, >= 0. */
  readonly extra: number
  /** How long they last; 0 if there are none. */
  readonly lasts: number
}

const NONE: Credited = { extra: 0, lasts: 0 }

/**
 * `e = tTS / (CT - (S + C)t)` gives the share (S + C)t / (CT) for C after a sleep of S. If that exceeds the cap, the
 * catch-up time is stretched until it does not. A client that is alone on the machine, or nearly so, has nothing to
 * catch up. For whole numbers each result comes from a single division, so it is the double nearest to the exact
 * value.
 */
export function systemCredit({ tickets, total, slept, catchUp, cap }: Claim): Credited {
  const room = cap * total - 100 * tickets
  if (room <= 0 || slept === 0) return NONE
  const shortest = (100 * slept * tickets) / room
  if (catchUp <= shortest) return { extra: room / (100 - cap), lasts: shortest }
  return { extra: (tickets * total * slept) / (catchUp * total - (slept + catchUp) * tickets), lasts: catchUp }
}

/**
 * The catch-up time that moves the knee of figure 3 back to the ideal: as much as a burst like the last one (`ran`)
 * can use.
 */
export const adaptiveCatchUp = ({ tickets, total, slept, cap }: Omit<Claim, 'catchUp'>, ran: number): number =>
  Math.min(slept, Math.max((ran * total) / tickets - slept, (100 * ran) / cap))
