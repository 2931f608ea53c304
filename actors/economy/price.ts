/** What a job offers, and what time costs (section 2.3). */

/**
 * Price over a time to come: near the best offer now for a short one, near the estimate for a long one (equation 2).
 * Prices in dollars per processor-minute, `minutes` >= 0, `alpha` > 0 per minute.
 */
export const smoothed = (best: number, estimate: number, alpha: number, minutes: number): number =>
  estimate + (best - estimate) * Math.exp(-alpha * minutes)

/** Offers nearer to each other than this are equal: then who came first is first. */
const EVEN = 1 + 1e-9

/** Is one price really higher than the other? */
export const isHigher = (one: number, other: number): boolean => one > other * EVEN
