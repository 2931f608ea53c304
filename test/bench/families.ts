/** The measures of each family of protocols. test/families.test.ts compares its names with those of all families. */
import { contracts } from './contracts.ts'
import { coscheduling } from './coscheduling.ts'
import { economy } from './economy.ts'
import { figure3 } from './figure-3.ts'
import { market } from './market.ts'
import type { Measure } from './measure.ts'
import { mesh } from './mesh.ts'
import { passes } from './passes.ts'
import { quanta } from './quanta.ts'
import { tickets } from './tickets.ts'
import type { WholeRun } from './whole-runs.ts'

interface FamilyMeasures {
  /** Compared by `npm run bench`. */
  readonly measures: readonly Measure[]
  /** A command whose CPU time `npm run curves` measures against the size of its workload. */
  readonly whole: WholeRun
}

/** The quantum of the cluster and the most time between two jobs of the economy, in their units. */
const [QUANTUM, GAP] = [20, 20]

export const FAMILY_MEASURES: Readonly<Record<string, FamilyMeasures>> = {
  bidding: {
    measures: market,
    whole: { scenario: 'bidding/market', of: 'tasks', flags: (size) => ['--tasks', `${size}`] },
  },
  shares: {
    measures: [...quanta, ...tickets, ...coscheduling],
    whole: { scenario: 'shares/cluster', of: 'quanta', flags: (size) => ['--until', `${QUANTUM * size}`] },
  },
  economy: {
    measures: [...passes, ...economy, ...figure3],
    whole: {
      scenario: 'economy/run',
      of: 'jobs',
      flags: (size) => ['--span', `${GAP * size}`, '--jobs', `${size}`],
    },
  },
  contracts: {
    measures: contracts,
    // at the default load of 1 the queue of the site, and so each decision, grows with the run
    whole: { scenario: 'contracts/run', of: 'tasks', flags: (size) => ['--load', '0.8', '--tasks', `${size}`] },
  },
  mesh: { measures: mesh, whole: { scenario: 'mesh/run', of: 'jobs', flags: (size) => ['--jobs', `${size}`] } },
}
