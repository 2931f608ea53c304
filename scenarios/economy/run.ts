/** A parallel machine and its economy (Stoica et al. 1995). Without flags it compares the three policies. */
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { runProgram } from '../../lib/cli/index.ts'
import type { ScenarioRun } from '../../lib/scenario/definition.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Hooks } from '../../lib/scenario/run-scenario.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import type { SystemInit } from '../../lib/system.ts'
import { enough } from '../patience.ts'
import { demonstrate } from './demonstration.ts'
import { flags } from './flags.ts'
import { addressesOf, comingJobs, type Economy, open } from './model.ts'
import { Watch } from './oracle.ts'
import { jobsCsv, resultsOf } from './results.ts'
import { aboutOf, setUp } from './setup.ts'
import { resultsTable } from './tables.ts'

export const economyRun = defineScenario({
  name: 'economy/run',
  summary: 'Users buy sets of processors of a parallel machine: ECON, RES and FCFS of Stoica et al. 1995.',
  flags,
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
  patience: enough,
  notes: (economy, { seed, policy, preset, processors, loss, reliable }) => [
    `economy/run, ${policy === 'ECON' ? `${policy}, ${preset}` : policy}, seed ${seed}: ${comingJobs(economy).length} jobs on ${processors} processors`,
    ...(economy.patience !== null && loss > 0 && !reliable
      ? ['lost mail is not repeated: a wide job may fail and begin again without end; --reliable prevents this']
      : []),
  ],
  results: ({ model, ...run }) => {
    const seen = seenIn(run)
    const values = resultsOf(model, seen)
    return { values, text: resultsTable(model, seen, values) }
  },
  jobs: ({ model, oracle }) => jobsCsv(model, oracle),
  timeline: processorTimeline(),
  demonstration: demonstrate,
})

export type EconomyRun = ScenarioRun<Watch> & Pick<Watch, 'ledger' | 'money' | 'audit'>

/** A run with what its oracle saw. */
function seenIn(run: ScenarioRun<Watch>): EconomyRun {
  const { ledger, money, audit } = run.oracle
  return { ...run, ledger, money, audit }
}

/** Runs an economy until nothing is left to do, and stops it. A job counts as done when its user hears of the end. */
export const runEconomy = async (
  economy: Economy,
  options: SystemInit,
  faults?: readonly Fault[],
  hooks?: Hooks,
): Promise<EconomyRun> => seenIn(await economyRun.run(economy, options, faults, hooks))

await runProgram(economyRun, import.meta.url)
