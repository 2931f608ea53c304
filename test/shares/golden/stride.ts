/** Schedules worked out by hand, quantum by quantum; the first pass of a client is its stride. */

/** Equal tickets; A uses its quantum, B a quarter of it. */
export const QUARTERS = {
  stride1: 2,
  schedule: 'ABBBBABBBBAB',
  cpu: { A: 3, B: 9 / 4 },
  passes: { A: 8, B: 13 / 2 },
} as const

/** B leaves after the third quantum and comes back after the seventh. */
export const ABSENCE = {
  stride1: 6,
  tickets: { A: 3, B: 2, C: 1 },
  before: { schedule: 'ABA', pass: 6, globalPass: 3 },
  remain: 3,
  away: { schedule: 'ACAA', pass: 12, globalPass: 9 },
  after: { schedule: 'ABCABA', pass: 18, globalPass: 15 },
} as const

/** B has 4 tickets from the third quantum on. */
export const RICHER = {
  stride1: 12,
  tickets: { A: 2, B: 1 },
  before: { schedule: 'AA', globalPass: 8, pass: 12 },
  amount: 4,
  after: { pass: 9, schedule: 'BBBABB' },
} as const

/** A holds 2 exhaustible tickets for 8 quanta; both have one ticket. */
export const EXPIRY = {
  stride1: 60,
  extra: 2,
  before: 'AAABAAAB',
  after: 'ABABAB',
  cpu: { A: 9, B: 5 },
} as const
