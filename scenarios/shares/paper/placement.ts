/**
 * Section 4: where to run a job. The text gives the numbers of figure 6, except for nodes 1 and 2; the instances of
 * figures 7, 10 and 11 are ours. Shares are fluid: 1 is a node.
 */

export interface Choice {
  /** The base tickets and the number of jobs on nodes 1, 2, ... */
  readonly nodes: readonly (readonly [tickets: number, jobs: number])[]
  readonly byTickets: number
  readonly byLoad: number
}

/** The choices for a job of 300 tickets, which gets 3/5 by tickets and 1/2 by load. */
export const FIGURE_6: Choice = {
  nodes: [
    [350, 3],
    [350, 3],
    [200, 2],
    [300, 1],
  ],
  byTickets: 3,
  byLoad: 4,
}

/** Jobs, each with tickets on every node that it runs on, and their shares; a job's name begins with its user's. */
export interface Instance {
  readonly what: string
  readonly jobs: readonly Placed[]
  readonly shares: Readonly<Record<string, number>>
}

export interface Placed {
  readonly name: string
  readonly nodes: readonly number[]
  readonly tickets: number
}

const on = (name: string, nodes: readonly number[], tickets = 100): Placed => ({ name, nodes, tickets })

const THREE = [on('B', [1]), on('C', [2]), on('D', [3])]
const BALANCED = [...THREE, on('A1', [4], 50), on('A2', [4], 50)]
const GREEDY = [...THREE, on('A1', [4], 50), on('A2', [1], 50)]

export const FIGURE_7: readonly Instance[] = [
  { what: 'balanced', jobs: BALANCED, shares: { B: 1, C: 1, D: 1, A1: 1 / 2, A2: 1 / 2 } },
  { what: 'greedy', jobs: GREEDY, shares: { B: 2 / 3, A2: 1 / 3, C: 1, D: 1, A1: 1 } },
  {
    what: 'balanced, then E',
    jobs: [...BALANCED, on('E', [1])],
    shares: { B: 1 / 2, E: 1 / 2, C: 1, D: 1, A1: 1 / 2, A2: 1 / 2 },
  },
  {
    what: 'greedy, then E',
    jobs: [...GREEDY, on('E', [4])],
    shares: { B: 2 / 3, A2: 1 / 3, A1: 1 / 3, E: 2 / 3, C: 1, D: 1 },
  },
]

const FIVE = [
  ...[on('A', [1]), on('B', [2]), on('C', [3]), on('D', [3])],
  ...[on('E', [4]), on('G', [4]), on('H', [5]), on('I', [5])],
]

export const FIGURE_10: readonly Instance[] = [
  {
    what: 'Z on 1, 2, 3',
    jobs: [...FIVE, on('Z', [1, 2, 3])],
    shares: { C: 1 / 3, D: 1 / 3, Z: 1 / 3, E: 1 / 2, G: 1 / 2, H: 1 / 2, I: 1 / 2, A: 2 / 3, B: 2 / 3 },
  },
  {
    what: 'Z on 3, 4, 5',
    jobs: [...FIVE, on('Z', [3, 4, 5])],
    shares: { C: 1 / 3, D: 1 / 3, Z: 1 / 3, E: 1 / 3, G: 1 / 3, H: 1 / 3, I: 1 / 3, A: 1, B: 1 },
  },
]

const OTHERS = [on('B', [2]), on('C', [3]), on('D', [3]), on('Z', [1, 2, 3])]

export const FIGURE_11: readonly Instance[] = [
  {
    what: 'before',
    jobs: [...OTHERS, on('A', [1])],
    shares: { C: 1 / 3, D: 1 / 3, Z: 1 / 3, A: 2 / 3, B: 2 / 3 },
  },
  {
    what: 'A2 on 3 with 100 tickets more',
    jobs: [...OTHERS, on('A', [1]), on('A2', [3])],
    shares: { C: 1 / 4, D: 1 / 4, A2: 1 / 4, Z: 1 / 4, A: 3 / 4, B: 3 / 4 },
  },
  {
    what: "A2 on 3 with half of A's tickets",
    jobs: [...OTHERS, on('A', [1], 50), on('A2', [3], 50)],
    shares: { C: 2 / 7, D: 2 / 7, A2: 1 / 7, Z: 2 / 7, B: 5 / 7, A: 5 / 7 },
  },
]

/**
 * Figures 10 and 11 with quanta instead of fluid shares, by the name of the instance: Z's progress relative to its
 * progress alone, and the shares that A's jobs have of their nodes. Means of long runs with the standard parameters.
 */
export const PROGRESS_10: Readonly<Record<string, number>> = { 'Z on 1, 2, 3': 0.3386, 'Z on 3, 4, 5': 0.3013 }
export const USED_11: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  before: { A: 0.6273 },
  'A2 on 3 with 100 tickets more': { A: 0.7205 },
  "A2 on 3 with half of A's tickets": { A: 0.6808, A2: 0.1428 },
}

interface Queries {
  /** How many of 100 nodes are asked for each of 500 equal jobs. */
  readonly asked: number
  /** The most tickets of a node, and their standard deviation, both divided by the mean; means of many runs. */
  readonly most: number
  readonly deviation: number
  /** The tolerance of `most`. */
  readonly tolerance: number
}

export const QUERIES: readonly Queries[] = [
  { asked: 1, most: 2.32, deviation: 0.448, tolerance: 0.25 },
  { asked: 2, most: 1.37, deviation: 0.184, tolerance: 0.1 },
  { asked: 3, most: 1.22, deviation: 0.125, tolerance: 0.1 },
  { asked: 5, most: 1.2, deviation: 0.096, tolerance: 0.06 },
  { asked: 100, most: 1, deviation: 0, tolerance: 0 },
]
