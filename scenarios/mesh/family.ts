/** The mesh as a family: what commands and tests about every family need of it. */
import { meshTimeline } from '../../actors/mesh/timeline.ts'
import { systemOptions } from '../../lib/cli/index.ts'
import { UNIT } from '../../lib/core/time.ts'
import { ATTEMPTS, explorable, type Family, faultPlans } from '../family.ts'
import { KINDS, planOf } from './faults/plans.ts'
import { flags } from './flags.ts'
import { patienceForFaults, setUp } from './setup.ts'
import { meshSpecification } from './specification.ts'

export const mesh: Family = {
  name: 'mesh',
  source: 'McCann 1994',
  scenarios: {
    'mesh/run': explorable(
      flags,
      (options, actors) => {
        const { multicomputer, faults, about } = setUp(options)
        return meshSpecification({
          multicomputer: { ...multicomputer, actors },
          faults,
          options: systemOptions(options, about),
        })
      },
      patienceForFaults,
    ),
  },
  machines: [
    'mesh/allocator/equi',
    'mesh/allocator/fold',
    'mesh/allocator/table',
    'mesh/clock',
    'mesh/job',
    'mesh/operator',
    'mesh/processor',
    'mesh/sentry',
    'mesh/user',
  ],
  studies: [
    ['mesh/faults/study', 'toll'],
    ['mesh/response/point', 'runPoint'],
  ],
  trace: { timeline: meshTimeline, renamed: ATTEMPTS },
  faultPlans: [
    faultPlans('mesh', KINDS, (kind, seed) => {
      const plan = planOf(kind, seed)
      const { work } = plan.multicomputer
      const last = 'jobs' in work ? work.jobs.at(-1) : undefined
      return { specification: meshSpecification(plan), span: last?.arrival ?? UNIT }
    }),
  ],
}
