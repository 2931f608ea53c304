/** The demonstration of `scenarios/contracts/run.ts` without flags: the same tasks under several rules, side by side. */
import { figure } from '../../lib/core/table.ts'
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { Stage } from '../../lib/scenario/definition.ts'
import { ofRun, type Sentence, say } from '../../lib/scenario/page.ts'
import { sideBySide } from '../demonstration.ts'
import type { ContractsMarket } from './model.ts'
import type { Watch } from './oracle.ts'
import { type ContractsResults, resultsOf } from './results.ts'
import type { Options } from './setup.ts'
import { resultsTable } from './tables.ts'

/** Two sites with a few processors each, and more work than they can do in time. */
const SHOWN = { sites: 2, processors: 2, tasks: 120, load: 1.5 } satisfies Partial<Options>

const RULES: readonly (readonly [name: string, rule: Partial<Options>])[] = [
  ['FCFS', { heuristic: 'FCFS' }],
  ['FirstPrice', { heuristic: 'FirstPrice' }],
  ['FirstReward', {}],
  ['FirstReward with slack >= 180', { threshold: 180 }],
]

type Compared = Pick<ContractsResults, 'yield' | 'late' | 'accepted' | 'refused'>
type Runs = readonly (readonly [name: string, results: Compared])[]

const apart = (all: readonly Sentence[]): Sentence =>
  all.flatMap((one, i) => [i > 0 ? '; ' : '', ...(typeof one === 'string' ? [one] : one)])

/** Which rule earns most, and which breaks the fewest promises. */
export function comparisonOf(runs: Runs): Sentence[] {
  const ranked = (of: (results: Compared) => number, words: (results: Compared) => Sentence): Sentence[] =>
    runs
      .toSorted(([, one], [, other]) => of(one) - of(other))
      .map(([name, results]) => say`${ofRun(name, name)} ${words(results)}`)
  const [best = '', ...fewer] = ranked(
    (one) => -one.yield,
    (one) => `yields ${figure(one.yield)} dollars`,
  )
  const [most = '', ...more] = ranked(
    (one) => one.late / Math.max(1, one.accepted),
    ({ late, accepted, refused }) =>
      `breaks ${late} of its ${accepted} promises${refused > 0 ? ` and refuses ${refused} tasks` : ''}`,
  )
  return [
    say`${best}, which is most; ${apart(fewer)}.`,
    say`${most}, which is the smallest part; ${apart(more)}.`,
    'Each is one run with the same tasks: this is no proof that the rules differ.',
  ]
}

export function demonstrate(stage: Stage<Options, ContractsMarket, Watch>): Promise<CommandOutcome> {
  const { sites, processors, tasks, load } = SHOWN
  stage.note(`contracts/run: ${sites} sites of ${processors} processors, a thread for each actor, load ${load}`)
  return sideBySide(
    stage,
    RULES.map(([name, rule]) => [name, { ...SHOWN, ...rule }]),
    (run) => resultsOf(run.model, run),
    (all) => ({
      comparison: comparisonOf(all),
      tables: [
        resultsTable(
          all,
          `The same ${tasks} tasks, load ${load}; in the last column sites refuse tasks with a slack below 180`,
        ),
      ],
    }),
  )
}
