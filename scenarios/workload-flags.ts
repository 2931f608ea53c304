/** The flags that all workloads share. */
import { indices, number, optional } from '../lib/cli/index.ts'

export const stretch = optional({
  group: 'workload',
  metavar: 'F',
  parse: number({ above: 0, max: 1e6 }),
  help: 'multiply the times between arrivals of a workload by F: 2 halves the load (default 1)',
})

/** The flag of a command that can leave out jobs; `of` is such as `of these tasks`. */
export const onlyFlag = (of: string) =>
  optional({
    group: 'workload',
    metavar: 'N,N,...',
    parse: indices,
    help: `${of}, run only those with these numbers, from 0 (the explorer prints them when it shrinks a run)`,
  })
