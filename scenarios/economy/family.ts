/** The economy as a family: what commands and tests about every family need of it. */
import { UNIT } from '../../lib/core/time.ts'
import { ATTEMPTS, type Family, faultPlans, PROCESSORS } from '../family.ts'
import { KINDS, planOf } from './faults/plans.ts'
import { economyRun } from './run.ts'

export const economy: Family = {
  name: 'economy',
  source: 'Stoica et al. 1995',
  scenarios: {
    'economy/run': economyRun,
  },
  machines: ['economy/bank', 'economy/scheduler', 'economy/user', 'processor/processor'],
  studies: [
    ['economy/faults/study', 'toll'],
    ['economy/starvation/study', 'runPoint'],
    ['economy/study/point', 'runPoint'],
    ['economy/traces/study', 'runPoint'],
  ],
  trace: { timeline: PROCESSORS, renamed: ATTEMPTS },
  faultPlans: [
    faultPlans('economy', KINDS, (kind, seed) => {
      const plan = planOf(kind, seed)
      return {
        specification: economyRun.specify(plan.economy, plan.options, plan.faults),
        span: plan.economy.jobs.at(-1)?.arrival ?? UNIT,
      }
    }),
  ],
}
