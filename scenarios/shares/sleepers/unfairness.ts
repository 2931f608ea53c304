/**
 * How fair a processor is to a client that sleeps (paper, section 3.2.2, figure 3): 1 is fair; above 1 the client
 * gets too little.
 */

interface Life {
  readonly ran: number
  readonly slept: number
  /** How long the client was ready, without the processor. */
  readonly waited: number
}

/** The tickets of a client, and of all clients of the processor together. */
interface Standing {
  readonly tickets: number
  readonly total: number
}

/**
 * The time without the processor over the time with it, times the client's tickets over those of the others: `(W +
 * S)/R * t/(T - t)`.
 */
export const unfairness = ({ ran, slept, waited }: Life, { tickets, total }: Standing): number =>
  ((waited + slept) / ran) * (tickets / (total - tickets))

/** The unfairness for bursts and sleeps of given lengths if quanta are infinitely small. */
export type Curve = (life: Omit<Life, 'waited'>, standing: Standing) => number

/** The ideal: a client that sleeps so much that its share is more than it can use never waits. */
export const ideal: Curve = (life, standing) => Math.max(1, unfairness({ ...life, waited: 0 }, standing))

/** Without credit: the sleep is not compensated, and afterwards the client shares as before. */
export const uncredited: Curve = (life, standing) => 1 + unfairness({ ...life, waited: 0 }, standing)

/**
 * With credit for as long as it slept, by loans or by the system: meanwhile the client's share is 2t/T, which makes
 * up for the sleep unless its burst is over sooner.
 */
export const credited: Curve = ({ ran, slept }, { tickets, total }) => {
  const share = (2 * tickets) / total
  return ran >= share * slept ? 1 : unfairness({ ran, slept, waited: ran / share - ran }, { tickets, total })
}
