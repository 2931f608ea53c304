/** The demonstration of `scenarios/contracts/run.ts` without flags: the same tasks under several rules, side by side. */
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { Stage } from '../../lib/scenario/definition.ts'
import { sideBySide } from '../demonstration.ts'
import type { ContractsMarket } from './model.ts'
import type { Watch } from './oracle.ts'
import { resultsOf } from './results.ts'
import type { Options } from './setup.ts'
import { resultsTable } from './tables.ts'

/** Two sites with a few processors each, and more work than they can do in time. */
const SHOWN = { sites: 2, processors: 2, tasks: 120, load: 1.5 } satisfies Partial<Options>

const RULES: readonly (readonly [name: string, rule: Partial<Options>])[] = [
  ['FCFS', { heuristic: 'FCFS' }],
  ['FirstPrice', { heuristic: 'FirstPrice' }],
  ['FirstReward', {}],
  ['FirstReward, slack >= 180', { threshold: 180 }],
]

export function demonstrate(stage: Stage<Options, ContractsMarket, Watch>): Promise<CommandOutcome> {
  const { sites, processors, tasks, load } = SHOWN
  stage.note(`contracts/run: ${sites} sites of ${processors} processors, a thread for each actor, load ${load}`)
  return sideBySide(
    stage,
    RULES.map(([name, rule]) => [name, { ...SHOWN, ...rule }]),
    (run) => resultsOf(run.model, run),
    (all) => ({
      tables: [
        resultsTable(
          all,
          `The same ${tasks} tasks, load ${load}; in the last column sites refuse tasks with a slack below 180`,
        ),
      ],
    }),
  )
}
