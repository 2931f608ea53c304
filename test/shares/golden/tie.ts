import type { Choice } from '../../../scenarios/shares/paper/placement.ts'

/** A tie of tickets on all machines: the machine with the fewest jobs wins, then the first. */
export const TIE: Choice = {
  nodes: [
    [100, 3],
    [100, 1],
    [100, 1],
  ],
  byTickets: 2,
  byLoad: 2,
}
