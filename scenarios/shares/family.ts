/** Proportional shares as a family: what commands and tests about every family need of it. */
import { faultsOf, systemOptions } from '../../lib/cli/index.ts'
import { explorable, type Family, faultPlans, PROCESSORS } from '../family.ts'
import { flags as mixFlags, mixOf } from './coscheduling/flags.ts'
import { aboutOf as aboutMix, addressesOfMix } from './coscheduling/one-run.ts'
import { specificationOf as mixSpecification } from './coscheduling/specification.ts'
import { KINDS, planOf } from './faults/plans.ts'
import { flags } from './flags.ts'
import { aboutOf, setUp } from './setup.ts'
import { clusterSpecification, specificationOf } from './specification.ts'

export const shares: Family = {
  name: 'shares',
  source: 'Arpaci-Dusseau and Culler 1997',
  scenarios: {
    'shares/cluster': explorable(flags, (given, actors) => {
      const setup = setUp(given)
      const { options, description, faults } = setup
      return specificationOf(setup, systemOptions(options, aboutOf(options, description, faults)), actors)
    }),
    'shares/coscheduling': explorable(mixFlags, (options, actors) => {
      const mix = mixOf(options)
      const faults = faultsOf(options, addressesOfMix(mix, options.seed))
      return mixSpecification({ mix, faults, options }, systemOptions(options, aboutMix(mix, faults)), actors)
    }),
  },
  machines: [
    'shares/barrier',
    'shares/gang',
    'shares/placer/placer',
    'shares/tickets/ticket-server',
    'shares/user',
    'processor/processor',
  ],
  studies: [
    ['shares/coscheduling/study', 'runPoint'],
    ['shares/faults/study', 'toll'],
    ['shares/sleepers/study', 'runPoint'],
  ],
  trace: { timeline: PROCESSORS },
  faultPlans: [
    faultPlans('shares', KINDS, (kind, seed) => {
      const plan = planOf(kind, seed)
      return { specification: clusterSpecification(plan), span: plan.until }
    }),
  ],
}
