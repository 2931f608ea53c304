import type { Choice } from '../../../scenarios/shares/paper/placement.ts'

/** As many tickets everywhere: fewest jobs, then the first. */
export const TIE: Choice = {
  nodes: [
    [100, 3],
    [100, 1],
    [100, 1],
  ],
  byTickets: 2,
  byLoad: 2,
}
