/**
 * Figure 2: three jobs of one ticket each; C sleeps for quanta 6 to 11 and then catches up for 6. A does not borrow, B
 * does. The paper draws it; these are the quanta that the rules give.
 */

export const ASLEEP = { from: 6, until: 12, caughtUp: 18 } as const

export interface Policy {
  readonly policy: 'loan' | 'system'
  readonly schedule: string
  /** The quanta of A in each block of three. */
  readonly steady: readonly number[]
  /** The tickets that C holds beyond its own while it catches up, and those of B meanwhile. */
  readonly extra: { readonly C: number; readonly B: number }
}

export const FIGURE_2: readonly Policy[] = [
  { policy: 'loan', schedule: 'ABCABCBABBABCACCAC', steady: [1, 1, 1, 1, 1, 1], extra: { C: 1, B: -1 } },
  { policy: 'system', schedule: 'ABCABCABABABCCCABC', steady: [1, 1, 2, 1, 0, 1], extra: { C: 3, B: 0 } },
]
