/** The invariants that every run must keep (spec, section 11). */
import type { Violation } from '../../../lib/scenario/oracle.ts'

const INVARIANTS = {
  I1: 'T is what all competing jobs hold',
  I2: 'one process runs at a time, and one runs whenever one can',
  I3: 'T stays as it is through sleep, waking and expiry',
  I4: 'all jobs are worth what their currencies are, once all machines know of all jobs',
  I5: 'the job with the least pass runs, for a quantum at most',
  I8: 'credit keeps within its cap and ends in time',
  I9: 'without its ticket server a machine counts only its own jobs',
} as const

export type Invariant = keyof typeof INVARIANTS

export const violationOf = (invariant: Invariant, what: string): Violation => ({
  property: INVARIANTS[invariant],
  text: `${invariant}: ${what}`,
})
