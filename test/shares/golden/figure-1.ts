/** Figure 1: the schedule of three jobs with tickets 1:2:3, quantum by quantum; and the one for a first pass of 0. */

export const TICKETS = { A: 1, B: 2, C: 3 } as const

export interface Start {
  readonly start: 'stride' | 'zero'
  readonly schedule: string
  /** The passes of A, B and C after each quantum, if the stride of one ticket is 6. */
  readonly passes: readonly (readonly [number, number, number])[]
}

export const FIGURE_1: readonly Start[] = [
  {
    start: 'stride',
    schedule: 'CBCABCCBCABC',
    passes: [
      [6, 3, 4],
      [6, 6, 4],
      [6, 6, 6],
      [12, 6, 6],
      [12, 9, 6],
      [12, 9, 8],
      [12, 9, 10],
      [12, 12, 10],
      [12, 12, 12],
      [18, 12, 12],
      [18, 15, 12],
      [18, 15, 14],
    ],
  },
  {
    start: 'zero',
    schedule: 'ABCCBCABCCBC',
    passes: [
      [6, 0, 0],
      [6, 3, 0],
      [6, 3, 2],
      [6, 3, 4],
      [6, 6, 4],
      [6, 6, 6],
      [12, 6, 6],
      [12, 9, 6],
      [12, 9, 8],
      [12, 9, 10],
      [12, 12, 10],
      [12, 12, 12],
    ],
  },
]
