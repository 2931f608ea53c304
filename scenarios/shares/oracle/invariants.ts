/** The invariants that every run must keep: those of the spec, section 11, and from I10 on its rules for each decision. */
import type { Violation } from '../../../lib/scenario/oracle.ts'

const INVARIANTS = {
  I1: 'T is what all competing jobs hold',
  I2: 'one process runs at a time, and one runs whenever one can',
  I3: 'T stays as it is through sleep, waking and expiry',
  I4: 'all jobs are worth what their currencies are, once all machines know of all jobs',
  I5: 'the job with the least pass runs, for a quantum at most',
  I8: 'credit keeps within its cap and ends in time',
  I9: 'without its ticket server a machine counts only its own jobs',
  I10: 'a job keeps its distance to the global pass, and pays for its time',
  I11: 'a switch to another job takes its time',
  I12: 'of equal passes the older job goes first',
  I13: 'a job has the processor for a quantum, until one with a smaller pass comes',
  I14: 'a sleeper gets the credit of the rule, until its end',
  I15: 'a process runs, spins and sleeps for as long as its program says',
  I16: 'a job is worth its part of its currency, by the last table of the ticket server',
  I17: 'a table has the last report of a peer, and the tickets between currencies that users asked for',
} as const

export type Invariant = keyof typeof INVARIANTS

export const violationOf = (invariant: Invariant, what: string): Violation => ({
  property: INVARIANTS[invariant],
  text: `${invariant}: ${what}`,
})
