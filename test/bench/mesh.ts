/** A mesh whose processors are threads, for a day of model time. */
import type { Measure } from './measure.ts'
import { threadsBesideInline } from './one-run.ts'

export const mesh: readonly Measure[] = [
  threadsBesideInline({
    name: 'mesh',
    runs: 'a day',
    program: new URL('mesh-one.ts', import.meta.url),
    args: (quick) => ['--exponent', quick ? '2' : '4', '--load', '0.15'],
  }),
]
