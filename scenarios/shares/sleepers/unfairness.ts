/** How fair a processor is to somebody who sleeps (paper, section 3.2.2, figure 3): 1 is fair, more is too little for it. */

export interface Life {
  readonly ran: number
  readonly slept: number
  /** Ready, without the processor. */
  readonly waited: number
}

/** Its tickets, and those of all with whom it shares the processor, itself included. */
export interface Standing {
  readonly tickets: number
  readonly total: number
}

/** The time without the processor over that with it, times the tickets over those of the others: `(W + S)/R * t/(T - t)`. */
export const unfairness = ({ ran, slept, waited }: Life, { tickets, total }: Standing): number =>
  ((waited + slept) / ran) * (tickets / (total - tickets))

/** What it is for bursts and sleeps of these lengths where quanta are infinitely small. */
export type Curve = (life: Omit<Life, 'waited'>, standing: Standing) => number

/** Who sleeps so much that its share is more than it can use never waits. */
export const ideal: Curve = (life, standing) => Math.max(1, unfairness({ ...life, waited: 0 }, standing))

/** A sleep counts for nothing: afterwards it shares as before. */
export const uncredited: Curve = (life, standing) => 1 + unfairness({ ...life, waited: 0 }, standing)

/**
 * Credited for as long as it slept, by loans or by the system: meanwhile its share is 2t/T, which makes up for the sleep
 * unless its burst is over sooner.
 */
export const credited: Curve = ({ ran, slept }, { tickets, total }) => {
  const share = (2 * tickets) / total
  return ran >= share * slept ? 1 : unfairness({ ran, slept, waited: ran / share - ran }, { tickets, total })
}
