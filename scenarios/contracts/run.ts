/** A market of contracts (Irwin, Grit and Chase 2004). Without flags it compares several rules with the same tasks. */
import { runProgram } from '../../lib/cli/index.ts'
import type { ScenarioRun } from '../../lib/scenario/definition.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import { enough } from '../patience.ts'
import { demonstrate } from './demonstration.ts'
import { FAULT_PLANS } from './fault-plans.ts'
import { flags } from './flags.ts'
import { addressesOf, type ContractsMarket, open } from './model.ts'
import { isOver, Watch } from './oracle.ts'
import { contractsPage } from './page.ts'
import { jobsCsv, resultsOf } from './results.ts'
import { aboutOf, setUp } from './setup.ts'
import { resultsTable } from './tables.ts'

/** The scenario of contracts. */
export const contractsRun = defineScenario({
  name: 'contracts/run',
  summary:
    'Clients have tasks whose value decays; sites promise a completion time and a price, or refuse the task: Irwin, Grit and Chase 2004.',
  flags,
  // with patience, an expiry and a threshold, preemptions, refusals and declined awards are within reach
  small: {
    sites: 2,
    processors: 1,
    tasks: 6,
    batch: 2,
    load: 2,
    latency: 1,
    patience: 20,
    preempt: 1,
    threshold: 0,
    expiry: 9,
  },
  setUp,
  about: aboutOf,
  addresses: addressesOf,
  open,
  oracle: (market, circumstances) => new Watch(market, circumstances),
  tasks: {
    of: ({ tasks }) => tasks.map(({ task }) => task),
    only: (market, numbers) => ({ ...market, tasks: market.tasks.filter(({ task }) => numbers.includes(task)) }),
  },
  isDone: isOver,
  sometimes: [
    sometime('task refused', 'site', 'refused'),
    sometime('award reneged on', 'site', 'reneged'),
    sometime('running task preempted', 'site', 'preempted'),
    sometime('execution lost', 'site', 'failed'),
    sometime('site passed over', 'broker', 'passed'),
    sometime('site given up', 'client', 'lost'),
    sometime('contract voided', 'site', 'voided'),
  ],
  patience: enough,
  faultPlans: FAULT_PLANS,
  notes: ({ tasks, patience }, { seed, heuristic, sites, processors, loss, reliable }) => [
    ...(loss > 0 && !reliable ? [`lost mail is not repeated: ${lossText(patience)}; --reliable prevents this`] : []),
    `contracts/run, ${heuristic}, seed ${seed}: ${tasks.length} tasks, sites ${sites}, processors of each ${processors}`,
  ],
  results: ({ model, options, ...run }) => {
    const values = resultsOf(model, run)
    return { values, tables: [resultsTable([[options.heuristic, values]])] }
  },
  jobs: ({ model, oracle }) => jobsCsv(model, oracle),
  page: contractsPage,
  demonstration: demonstrate,
})

const lossText = (patience: ContractsMarket['patience']): string =>
  patience === null
    ? 'without patience an actor may wait for ever for an answer'
    : 'a long task may be given up and begin again without end'

export type ContractsRun = ScenarioRun<Watch>

await runProgram(contractsRun, import.meta.url)
