/** Parallel jobs that coschedule themselves on 32 machines, with a thread for each processor, ticket server and barrier. */
import type { Measure } from './measure.ts'
import { threadsBesideInline } from './one-run.ts'

export const coscheduling: readonly Measure[] = [
  threadsBesideInline({
    name: 'coscheduling',
    runs: 'three jobs for a while',
    program: new URL('coscheduling-one.ts', import.meta.url),
    args: (quick) => (quick ? ['--machines', '4', '--span', '400'] : []),
  }),
]
