/** A parallel machine and its economy (Stoica et al. 1995). Without flags it compares the three policies. */
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { type Invocation, type Outcome, resultFile, runMain, systemOptions } from '../../lib/cli/index.ts'
import { tallyText } from '../../lib/core/tally.ts'
import { mishapsOf } from '../mishaps.ts'
import { checksOf } from '../promises.ts'
import { demonstrate } from './demonstration.ts'
import { flags } from './flags.ts'
import { comingJobs } from './model.ts'
import { runEconomy } from './one-run.ts'
import { jobsCsv, resultsOf } from './results.ts'
import { type Options, setUp } from './setup.ts'
import { resultsTable } from './tables.ts'

async function runOnce(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note, progress, onSystem } = invocation
  const { economy, faults, about, dropped, odd } = setUp(options)
  if (dropped.size > 0) note(`dropped: ${tallyText(dropped)}`)
  if (odd.size > 0) note(`odd: ${tallyText(odd)}`)
  const writeJobs = resultFile(options.jobsOut, '--jobs-out')
  const how = systemOptions(options, about)
  const { seed, policy, preset, processors } = options
  const name = policy === 'ECON' ? `${policy}, ${preset}` : policy
  const coming = comingJobs(economy).length
  note(`economy/run, ${name}, seed ${seed}: ${coming} jobs on ${processors} processors`)
  if (economy.patience !== null && options.loss > 0 && !options.reliable) {
    note('lost mail is not repeated: a wide job may fail and begin again without end; --reliable prevents this')
  }
  const run = await runEconomy(economy, how, faults, {
    onSystem,
    onDone: (done) => progress(done, coming, `${done} jobs`),
  })
  writeJobs(jobsCsv(economy, run))
  const results = resultsOf(economy, run)
  return {
    results: {
      ...results,
      ...mishapsOf(run),
      dropped: Object.fromEntries(dropped),
      odd: Object.fromEntries(odd),
    },
    checks: checksOf(run),
    messages: run.messages,
    text: resultsTable(economy, run, results),
  }
}

await runMain({
  name: 'economy/run',
  summary: 'Users buy sets of processors of a parallel machine: ECON, RES and FCFS of Stoica et al. 1995.',
  flags,
  timeline: processorTimeline(),
  main: (invocation) => (invocation.isDemonstration ? demonstrate(invocation) : runOnce(invocation)),
})
