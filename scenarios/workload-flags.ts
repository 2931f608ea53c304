/** The flags of workloads, whatever they consist of. */
import { indices, number, optional } from '../lib/cli/index.ts'

export const stretch = optional({
  metavar: 'F',
  parse: number({ above: 0, max: 1e6 }),
  help: 'multiply the gaps between arrivals of a workload: 2 halves the load (default 1)',
})

/** `of`: such as `of these tasks`. */
export const onlyFlag = (of: string) =>
  optional({
    metavar: 'N,N,...',
    parse: indices,
    help: `${of} only those of such numbers, from 0: what the explorer leaves of a run`,
  })
