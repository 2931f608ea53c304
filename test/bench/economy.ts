/** The parallel machine of Stoica et al. 1995, whose processors are threads, under ECON at load 0.9. */
import type { Measure } from './measure.ts'
import { threadsBesideInline } from './one-run.ts'

export const economy: readonly Measure[] = [
  threadsBesideInline({
    name: 'economy',
    runs: 'until all jobs are done',
    program: new URL('economy-one.ts', import.meta.url),
    args: (quick) => (quick ? ['--processors', '8', '--span', '500'] : ['--span', '5000']),
  }),
]
