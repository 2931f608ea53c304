/**
 * The market of task bidding (Malone et al. 1986). Without flags it runs the demonstration, which shows two markets.
 */

import { MESSAGE_TYPES } from '../../actors/bidding/messages.ts'
import { runProgram } from '../../lib/cli/index.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import { jobsCsv } from '../../lib/workload/jobs-out.ts'
import { demonstrate } from './demonstration.ts'
import { FAULT_PLANS } from './fault-plans.ts'
import { flags } from './flags.ts'
import { addressesOf, comingTasks, open } from './model.ts'
import { isClientFact } from './oracle/ledger.ts'
import { checksOf, isLossy, Watch } from './oracle.ts'
import { marketPage } from './page.ts'
import { resultsOf, rowsOf } from './results.ts'
import { aboutOf, setUp } from './setup.ts'
import { machineTable, remarkOn, resultsTable } from './tables.ts'

/** The reachability goals of a search. Without faults, or with one protocol alone, some cannot be met. */
const SOMETIMES = [
  sometime('late bid rejected', 'client', 'rejected'),
  sometime('late bid taken', 'client', 'moved'),
  sometime('task bumped', 'client', 'bumped'),
  sometime('task lost', 'client', 'failed'),
  sometime('no bid', 'client', 'repeated', undefined, 'dsp needs --retry 5'),
  sometime('bid given up', 'contractor', 'lapsed'),
]

/** The scenario of task bidding. */
export const biddingMarket = defineScenario({
  name: 'bidding/market',
  summary: 'Tasks find machines by bidding: the three protocols of Malone et al. 1986.',
  flags,
  // the clients take turns, since a draw may give all of so few tasks to one of them; silence tells each side that the other died
  small: {
    speeds: '1,1,2',
    load: 0.9,
    tasks: 6,
    clients: 2,
    deal: 'in-turn',
    latency: 1,
    lateBids: 0.1,
    query: 20,
    timeout: 10,
    silence: 40,
  },
  setUp,
  about: aboutOf,
  addresses: addressesOf,
  open,
  oracle: (market, circumstances) => new Watch(market, circumstances),
  tasks: {
    of: ({ jobs, only }) => only ?? [...jobs.keys()],
    only: (market, only) => ({ ...market, only }),
  },
  isDone: (fact, who) => isClientFact(fact, who) && fact.type === 'done',
  sometimes: SOMETIMES,
  count: MESSAGE_TYPES,
  faultPlans: FAULT_PLANS,
  notes: (market, { protocol, seed, speeds }) => [
    `bidding/market, ${protocol}, seed ${seed}: ${comingTasks(market).length} tasks, speeds ${speeds.join()}`,
  ],
  results: (run) => {
    const values = resultsOf(run.model, run)
    const tables = [machineTable(run.model, run), resultsTable(values)]
    return { values, tables, text: remarkOn(values, isLossy(run.how, run.faults)) }
  },
  jobs: (run) => jobsCsv(rowsOf(run.model, run)),
  checks: (run) => checksOf(run.model, run, isLossy(run.how, run.faults)),
  page: marketPage,
  demonstration: demonstrate,
})

await runProgram(biddingMarket, import.meta.url)
