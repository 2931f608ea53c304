/** The mesh as a family: what commands and tests about every family need of it. */
import { ATTEMPTS, type Family } from '../family.ts'
import { meshRun } from './run.ts'

/** The mesh of McCann (1994): its scenarios, and what commands need of them. */
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
    ['mesh/response/point', 'runPoint'],
  ],
  trace: { renamed: ATTEMPTS },
  picture: { flags: '--jobs 14 --load 6 --short 0.3 --long-mean 400 --mesh 8x8 --interval 20 --leaders 6'.split(' ') },
  figure: 'mesh/efficiency',
}
