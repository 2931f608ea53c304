/** What the figure compares: no credit, loans, and credit of the system with two catch-up times. */
import { type Credit, type Sharing, STANDARD } from '../../../actors/processor/sharing.ts'
import { type Time, units } from '../../../lib/actor.ts'

export const POLICIES = ['none', 'loan', 'system', 'adaptive'] as const
export type Policy = (typeof POLICIES)[number]

export const CAP = 95

const CREDITS: Readonly<Record<Policy, Credit>> = {
  none: { policy: 'none' },
  loan: { policy: 'loan', catchUp: 1 },
  system: { policy: 'system', catchUp: 1, cap: CAP, competing: 'resident' },
  adaptive: { policy: 'system', catchUp: 'adaptive', cap: CAP, competing: 'resident' },
}

export const QUANTUM: Time = units(10)

/** Nobody who wakes takes the processor from anybody. */
export const sharingOf = (policy: Policy): Sharing => ({
  ...STANDARD,
  quantum: QUANTUM,
  switching: 0,
  preempt: false,
  credit: CREDITS[policy],
})
