/** The contracts market as a family: what commands and tests about every family need of it. */
import { UNIT } from '../../lib/core/time.ts'
import { ATTEMPTS, type Family, faultPlans, PROCESSORS } from '../family.ts'
import { KINDS, planOf } from './faults/plans.ts'
import { contractsRun } from './run.ts'

export const contracts: Family = {
  name: 'contracts',
  source: 'Irwin, Grit and Chase 2004',
  scenarios: {
    'contracts/run': contractsRun,
  },
  machines: ['contracts/broker', 'contracts/client', 'contracts/site', 'processor/processor'],
  studies: [
    ['contracts/faults/study', 'toll'],
    ['contracts/negotiation/setting', 'runPoint'],
    ['contracts/study/point', 'runPoint'],
  ],
  trace: { timeline: PROCESSORS, renamed: ATTEMPTS },
  faultPlans: [
    faultPlans('contracts', KINDS, (kind, seed) => {
      const plan = planOf(kind, seed)
      return {
        specification: contractsRun.specify(plan.market, plan.options, plan.faults),
        span: plan.market.tasks.at(-1)?.arrival ?? UNIT,
      }
    }),
  ],
}
