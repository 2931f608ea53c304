/** A market of contracts (Irwin, Grit and Chase 2004). Without flags it compares several rules with the same tasks. */
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { type Invocation, type Outcome, resultFile, runMain, systemOptions } from '../../lib/cli/index.ts'
import { tallyText } from '../../lib/core/tally.ts'
import { mishapsOf, missedLines } from '../mishaps.ts'
import { checksOf } from '../promises.ts'
import { demonstrate } from './demonstration.ts'
import { flags } from './flags.ts'
import type { ContractsMarket } from './model.ts'
import { runContracts } from './one-run.ts'
import { jobsCsv, resultsOf } from './results.ts'
import { type Options, setUp } from './setup.ts'
import { resultsTable } from './tables.ts'

const lossText = ({ patience }: ContractsMarket): string =>
  patience === null
    ? 'without patience an actor may wait for ever for an answer'
    : 'a long task may be given up and begin again without end'

async function runOnce(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note, progress, onSystem } = invocation
  const { market, faults, labels, about, dropped } = setUp(options)
  if (dropped.size > 0) note(`dropped: ${tallyText(dropped)}`)
  if (options.loss > 0 && !options.reliable)
    note(`lost mail is not repeated: ${lossText(market)}; --reliable prevents this`)
  const writeJobs = resultFile(options.jobsOut, '--jobs-out')
  const how = systemOptions(options, about)
  const { seed, heuristic, sites, processors } = options
  const coming = market.tasks.length
  note(`contracts/run, ${heuristic}, seed ${seed}: ${coming} tasks, sites ${sites}, processors of each ${processors}`)
  const run = await runContracts(market, how, faults, {
    onSystem,
    onDone: (done) => progress(done, coming, `${done} tasks`),
  })
  writeJobs(jobsCsv(market, labels, run))
  const results = resultsOf(market, run)
  return {
    results: {
      ...results,
      ...mishapsOf(run),
      dropped: Object.fromEntries(dropped),
    },
    checks: checksOf(run),
    messages: run.messages,
    text: [resultsTable('', [[heuristic, results]]), ...missedLines(run), ''].join('\n'),
  }
}

await runMain({
  name: 'contracts/run',
  summary:
    'Clients have tasks whose value decays; sites promise a completion time and a price, or refuse the task: Irwin, Grit and Chase 2004.',
  flags,
  timeline: processorTimeline(),
  main: (invocation) => (invocation.isDemonstration ? demonstrate(invocation) : runOnce(invocation)),
})
