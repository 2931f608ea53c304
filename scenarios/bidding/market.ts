/**
 * The market of task bidding (Malone et al. 1986). Without flags it runs the demonstration, which shows two markets.
 */

import { MESSAGE_TYPES } from '../../actors/bidding/messages.ts'
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { type Invocation, type Outcome, resultFile, runMain, systemOptions } from '../../lib/cli/index.ts'
import { tallyText } from '../../lib/core/tally.ts'
import { jobsCsv } from '../../lib/workload/jobs-out.ts'
import { mishapsOf } from '../mishaps.ts'
import { demonstrate } from './demonstration.ts'
import { flags } from './flags.ts'
import { comingTasks } from './model.ts'
import { runMarket } from './one-run.ts'
import { checksOf, isLossy } from './oracle.ts'
import { resultsOf, rowsOf } from './results.ts'
import { type Options, setUp } from './setup.ts'
import { resultsTable } from './tables.ts'

async function runOnce(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note, progress, onSystem, byHand } = invocation
  const { market, faults, about, dropped, odd } = setUp(options)
  if (dropped.size > 0) note(`dropped: ${tallyText(dropped)}`)
  if (odd.size > 0) note(`odd: ${tallyText(odd)}`)
  const { seed, protocol, speeds, jobsOut } = options
  const writeJobs = resultFile(jobsOut, '--jobs-out')
  const how = systemOptions(options, about)
  note(`bidding/market, ${protocol}, seed ${seed}: ${comingTasks(market).length} tasks, speeds ${speeds.join()}`)
  const run = await runMarket(market, { ...how, count: MESSAGE_TYPES }, faults, {
    onSystem,
    onDone: (done) => progress(done, comingTasks(market).length, `${done} tasks`),
  })
  writeJobs(jobsCsv(rowsOf(market, run)))
  const results = resultsOf(market, run)
  return {
    results: {
      ...results,
      ...mishapsOf(run),
      dropped: Object.fromEntries(dropped),
      odd: Object.fromEntries(odd),
    },
    checks: checksOf(market, run, isLossy(how, [...faults, ...byHand()])),
    messages: run.messages,
    text: resultsTable(market, run, results),
  }
}

await runMain({
  name: 'bidding/market',
  summary: 'Tasks find machines by bidding: the three protocols of Malone et al. 1986.',
  flags,
  timeline: processorTimeline(),
  main: (invocation) => (invocation.isDemonstration ? demonstrate(invocation) : runOnce(invocation)),
})
