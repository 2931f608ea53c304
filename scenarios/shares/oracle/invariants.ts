/** What every run is held to. */
import type { Violation } from '../../../lib/scenario/specification.ts'

const INVARIANTS = {
  I1: 'T is what all hold that compete',
  I2: 'one process runs at a time, and one does whenever one can',
  I3: 'T stays as it is through sleep, waking and expiry',
  I4: 'all jobs are worth what their currencies are, once all machines know of all jobs',
  I5: 'who has the least pass runs, for a quantum at most',
  I8: 'credit keeps within its cap and ends in time',
  I9: 'on its own a machine goes by its own jobs',
} as const

export type Invariant = keyof typeof INVARIANTS

export const violationOf = (invariant: Invariant, what: string): Violation => ({
  property: INVARIANTS[invariant],
  text: `${invariant}: ${what}`,
})
