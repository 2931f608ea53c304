/** A flag that all workloads share. */
import { number, optional } from '../lib/cli/index.ts'

export const stretch = optional({
  group: 'workload',
  metavar: 'F',
  parse: number({ above: 0, max: 1e6 }),
  help: 'multiply the times between arrivals of a workload by F: 2 halves the load (default 1)',
})
