/**
 * Mutants that change nothing that anybody could notice, each with the reason. A test checks that they exist; a line that
 * changed has to be judged again.
 */

/** The reasons by the names of mutants. */
export const EQUIVALENTS: ReadonlyMap<string, string> = new Map([
  [
    'contracts/sorted.ts :: isBefore :: comparison swapped :: one.rank === other.rank ? one.number < other.number : one.rank > other.rank :: 2',
    'The ranks differ where they are compared, so > and >= say the same.',
  ],
  [
    'contracts/site.ts :: onAward :: call dropped :: forget(it, task)',
    'A site never forgets a task that it has taken, and looks for no offer of such a task: this one only takes memory.',
  ],
  [
    'economy/jobs.ts :: overdue :: comparison swapped :: const price = smoothed(best, work > 0 ? money / work : 0, alpha, minutes)',
    'A running job has been sold the time of its own work, so the work is above 0.',
  ],
])
