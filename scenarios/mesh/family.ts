/** The mesh as a family: what commands and tests about every family need of it. */
import { meshTimeline } from '../../actors/mesh/timeline.ts'
import { UNIT } from '../../lib/core/time.ts'
import { ATTEMPTS, type Family, faultPlans } from '../family.ts'
import { KINDS, planOf } from './faults/plans.ts'
import { comingJobs, plainModel } from './model.ts'
import { meshRun } from './run.ts'

export const mesh: Family = {
  name: 'mesh',
  source: 'McCann 1994',
  scenarios: {
    'mesh/run': meshRun,
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
    ['mesh/cost/point', 'runPoint'],
    ['mesh/faults/study', 'toll'],
    ['mesh/response/point', 'runPoint'],
  ],
  trace: { timeline: meshTimeline, renamed: ATTEMPTS },
  faultPlans: [
    faultPlans('mesh', KINDS, (kind, seed) => {
      const plan = planOf(kind, seed)
      const { multicomputer, options, faults } = plan
      const specification = meshRun.specify(plainModel(multicomputer), options, faults)
      return { specification, span: comingJobs(multicomputer).at(-1)?.arrival ?? UNIT }
    }),
  ],
}
