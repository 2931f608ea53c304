/** The contracts market as a family: what commands and tests about every family need of it. */
import { systemOptions } from '../../lib/cli/index.ts'
import { UNIT } from '../../lib/core/time.ts'
import { ATTEMPTS, explorable, type Family, faultPlans, PROCESSORS } from '../family.ts'
import { enough } from '../patience.ts'
import { KINDS, planOf } from './faults/plans.ts'
import { flags } from './flags.ts'
import { setUp } from './setup.ts'
import { contractsSpecification } from './specification.ts'

export const contracts: Family = {
  name: 'contracts',
  source: 'Irwin, Grit and Chase 2004',
  scenarios: {
    'contracts/run': explorable(
      flags,
      (options, actors) => {
        const { market, faults, about } = setUp(options)
        return contractsSpecification({ market: { ...market, actors }, faults, options: systemOptions(options, about) })
      },
      enough,
    ),
  },
  machines: ['contracts/broker', 'contracts/client', 'contracts/site', 'processor/processor'],
  studies: [
    ['contracts/faults/study', 'toll'],
    ['contracts/study/point', 'runPoint'],
  ],
  trace: { timeline: PROCESSORS, renamed: ATTEMPTS },
  faultPlans: [
    faultPlans('contracts', KINDS, (kind, seed) => {
      const plan = planOf(kind, seed)
      return { specification: contractsSpecification(plan), span: plan.market.tasks.at(-1)?.arrival ?? UNIT }
    }),
  ],
}
