/** The demonstration of `scenarios/contracts/run.ts` without flags: the same tasks under several rules, side by side. */
import { type Check, type Invocation, named, type Outcome, systemOptions } from '../../lib/cli/index.ts'
import { checksOf } from '../promises.ts'
import { runContracts } from './one-run.ts'
import { type ContractsResults, resultsOf } from './results.ts'
import { type Options, setUp } from './setup.ts'
import { resultsTable } from './tables.ts'

/** Two sites with a few processors each, and more work than they can do in time. */
const SHOWN = { sites: 2, processors: 2, tasks: 120, load: 1.5 } satisfies Partial<Options>

const RULES: readonly (readonly [name: string, rule: Partial<Options>])[] = [
  ['FCFS', { heuristic: 'FCFS' }],
  ['FirstPrice', { heuristic: 'FirstPrice' }],
  ['FirstReward', {}],
  ['FirstReward, slack >= 180', { threshold: 180 }],
]

interface Shown {
  readonly name: string
  readonly results: ContractsResults
  readonly checks: readonly Check[]
  readonly messages: number
}

async function showOne(name: string, rule: Partial<Options>, invocation: Invocation<Options>): Promise<Shown> {
  const { options, progress, onSystem } = invocation
  const { market, faults, about } = setUp({ ...options, ...SHOWN, ...rule })
  const run = await runContracts(market, systemOptions(options, about), faults, {
    onSystem,
    onDone: (done) => progress(done, market.tasks.length, `${name}: ${done} tasks`),
  })
  return { name, results: resultsOf(market, run), checks: checksOf(run).map(named(name)), messages: run.messages }
}

export async function demonstrate(invocation: Invocation<Options>): Promise<Outcome> {
  const { sites, processors, tasks, load } = SHOWN
  invocation.note(`contracts/run: ${sites} sites of ${processors} processors, a thread for each actor, load ${load}`)
  const shown: Shown[] = []
  for (const [name, rule] of RULES) shown.push(await showOne(name, rule, invocation))
  const text = resultsTable(
    '',
    shown.map(({ name, results }) => [name, results]),
  )
  return {
    results: Object.fromEntries(shown.map(({ name, results }) => [name, results])),
    checks: shown.flatMap(({ checks }) => checks),
    messages: shown.reduce((sum, { messages }) => sum + messages, 0),
    text: `The same ${tasks} tasks, load ${load}; in the last column sites refuse tasks with a slack below 180\n\n${text}\n`,
  }
}
