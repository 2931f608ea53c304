/** The economy as a family: what commands and tests about every family need of it. */
import { systemOptions } from '../../lib/cli/index.ts'
import { UNIT } from '../../lib/core/time.ts'
import { ATTEMPTS, explorable, type Family, faultPlans, PROCESSORS } from '../family.ts'
import { enough } from '../patience.ts'
import { KINDS, planOf } from './faults/plans.ts'
import { flags } from './flags.ts'
import { setUp } from './setup.ts'
import { economySpecification } from './specification.ts'

export const economy: Family = {
  name: 'economy',
  source: 'Stoica et al. 1995',
  scenarios: {
    'economy/run': explorable(
      flags,
      (options, actors) => {
        const { economy: model, faults, about } = setUp(options)
        return economySpecification({ economy: { ...model, actors }, faults, options: systemOptions(options, about) })
      },
      enough,
    ),
  },
  machines: ['economy/bank', 'economy/scheduler', 'economy/user', 'processor/processor'],
  studies: [
    ['economy/faults/study', 'toll'],
    ['economy/study/point', 'runPoint'],
    ['economy/traces/study', 'compare'],
  ],
  trace: { timeline: PROCESSORS, renamed: ATTEMPTS },
  faultPlans: [
    faultPlans('economy', KINDS, (kind, seed) => {
      const plan = planOf(kind, seed)
      return { specification: economySpecification(plan), span: plan.economy.jobs.at(-1)?.arrival ?? UNIT }
    }),
  ],
}
