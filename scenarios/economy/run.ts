/** A parallel machine and its economy (Stoica et al. 1995). Without flags it compares the three policies. */
import { runProgram } from '../../lib/cli/index.ts'
import type { ScenarioRun } from '../../lib/scenario/definition.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import { enough } from '../patience.ts'
import { demonstrate } from './demonstration.ts'
import { FAULT_PLANS } from './fault-plans.ts'
import { flags } from './flags.ts'
import { addressesOf, comingJobs, open } from './model.ts'
import { Watch } from './oracle.ts'
import { economyPage } from './page.ts'
import { jobsCsv, resultsOf } from './results.ts'
import { aboutOf, setUp } from './setup.ts'
import { resultTables } from './tables.ts'

/** The reachability goals of a search. Without faults, overruns or reservations, some cannot be met. */
const SOMETIMES = [
  sometime('processor taken for lost', 'scheduler', 'lost'),
  sometime('lost processor is back', 'scheduler', 'found'),
  sometime('attempt failed', 'scheduler', 'failed'),
  sometime('job refused', 'scheduler', 'refused'),
  sometime('extra time sold', 'scheduler', 'extended'),
  sometime('extra time declined', 'bank', 'booked', ({ what }) => what === 'declined'),
  sometime('reserved job started', 'scheduler', 'started', ({ kind }) => kind === 'reserved'),
  sometime('job started before a reservation', 'scheduler', 'started', ({ kind }) => kind === 'backfill'),
]

/** The scenario of the economy. */
export const economyRun = defineScenario({
  name: 'economy/run',
  summary: 'Users buy sets of processors of a parallel machine: ECON, RES and FCFS of Stoica et al. 1995.',
  flags,
  // jobs wait for room and are reserved for, actors ask again, and a job whose end is heard late pays for extra time
  small: {
    processors: 4,
    users: 2,
    widest: 3,
    load: 3,
    span: 300,
    jobs: 7,
    latency: 1,
    patience: 20,
    overrun: 5,
    savings: 2000,
  },
  setUp,
  about: aboutOf,
  addresses: addressesOf,
  open,
  oracle: (economy, circumstances) => new Watch(economy, circumstances),
  tasks: {
    name: 'job',
    of: (economy) => comingJobs(economy).map(({ id }) => id),
    only: (economy, only) => ({ ...economy, only }),
  },
  isDone: ({ type }) => type === 'heard',
  sometimes: SOMETIMES,
  patience: enough,
  faultPlans: FAULT_PLANS,
  notes: (economy, { seed, policy, preset, processors, loss, reliable }) => [
    `economy/run, ${policy === 'ECON' ? `${policy}, ${preset}` : policy}, seed ${seed}: ${comingJobs(economy).length} jobs on ${processors} processors`,
    ...(economy.patience !== null && loss > 0 && !reliable
      ? ['lost mail is not repeated: a wide job may fail and begin again without end; --reliable prevents this']
      : []),
  ],
  results: ({ model, ...run }) => {
    const values = resultsOf(model, run)
    return { values, tables: resultTables(model, values) }
  },
  jobs: ({ model, oracle }) => jobsCsv(model, oracle),
  page: economyPage,
  demonstration: demonstrate,
})

export type EconomyRun = ScenarioRun<Watch>

await runProgram(economyRun, import.meta.url)
