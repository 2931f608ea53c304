/** A study of the fault plans of a scenario: the plans of each kind in blocks on all cores, and their table. */
import { type Invocation, named, noneViolated, type Outcome, UsageError } from '../../../lib/cli/index.ts'
import { counted, listed, quoted } from '../../../lib/core/format.ts'
import { plainOf, type ResultTable } from '../../../lib/core/table.ts'
import { sum } from '../../../lib/core/tally.ts'
import { sweep } from '../../../lib/experiment/sweep.ts'
import { costValue, type Runtime } from '../../../lib/scenario/fault-plans.ts'
import type { Given } from '../../../lib/scenario/flags.ts'
import { sweeping } from '../../sweeping.ts'
import { isScript, requireOnHosts, type Subject } from '../subject.ts'
import { addTolls, type Block, type FailingPlan, NO_TOLL, tollIn } from './block.ts'
import { type FaultOptions, FULL } from './flags.ts'

/** The number of plans in one block. */
const BLOCK = 10

/** The most failing plans of a kind that are printed. */
const CASES = 3

/** The first failing plans of a kind, each with its faults and the command that runs it again. */
const casesText = (cases: readonly string[]): string =>
  cases
    .slice(0, CASES)
    .map((text) => `${text.replaceAll(/^/gm, '  ')}\n`)
    .join('')

/** What the columns mean that every scenario has. */
const NOTES = [
  'plans: those inline and those on threads; violations: of promises, of which one plan may break several.',
  'planned: timed faults; struck: those that hit a living actor, or brought back a dead one, before the run was over.',
  'lost: dead letters; messages: in times of the runs without faults.',
]

type Options = Omit<FaultOptions, 'scenario' | 'full' | 'shrinkSeconds'> & { readonly full?: boolean }

/** The outcome of a study, with the plans that broke a promise. */
export type FaultOutcome = Outcome & { readonly failing: readonly FailingPlan[] }

/** The blocks of `plans` plans of a kind; each ends before its `until`. */
function blocksOf(
  subject: Pick<Block, 'scenario' | 'given'>,
  kind: string,
  runtime: Runtime,
  options: Options,
): Block[] {
  const { seed, from: first, plans, threads } = options
  const all = runtime === 'threads' ? Math.min(threads, plans) : plans
  return Array.from({ length: Math.ceil(all / BLOCK) }, (_, i) => {
    const from = first + i * BLOCK
    return { ...subject, kind, runtime, seed, from, until: Math.min(from + BLOCK, first + all) }
  })
}

/** The flags of a scenario for its plans, each of which has a seed of its own. */
export const withoutSeed = (given: Given): Given => new Map([...given].filter(([key]) => key !== 'seed'))

/** @throws UsageError for flags that the scenario or its plans refuse */
export async function faultStudy(
  { name, path, scenario, given }: Pick<Subject, 'name' | 'path' | 'scenario' | 'given'>,
  invocation: Invocation<Options>,
): Promise<FaultOutcome> {
  const { only = '', full, seed } = invocation.options
  requireOnHosts({ path }, invocation.options)
  const options = { ...invocation.options, ...(full ? FULL : {}) }
  const own = withoutSeed(given)
  const { kinds, notes } = scenario.faultPlans(own)
  const chosen = kinds.filter((kind) => kind.includes(only))
  if (chosen.length === 0) throw UsageError.invalid('--only', `a part of ${listed(kinds)}`, quoted(only))
  const subject = { scenario: name, given: [...own] }
  const blocks = chosen.map((kind) => [
    ...blocksOf(subject, kind, 'inline', options),
    ...blocksOf(subject, kind, 'threads', options),
  ])
  const results = await sweep({
    module: new URL('./block.ts', import.meta.url),
    export: isScript(name) ? 'faultFile' : 'faultBlock',
    points: blocks.flat(),
    ...(await sweeping(invocation, (done, total) => `${name}: ${done} of ${total} blocks of plans`)),
  })
  const each = results.length / chosen.length
  const tolls = chosen.map((kind, i) => {
    return {
      kind,
      toll: results
        .slice(i * each, (i + 1) * each)
        .map(tollIn)
        .reduce(addTolls, NO_TOLL),
    }
  })
  const [first] = tolls
  const table: ResultTable = {
    title: `Costs of faults in ${name}, seed ${seed}`,
    columns: [
      ...[{ name: 'faults' }, { name: 'plans' }, { name: 'violations' }],
      ...(first?.toll.costs.map(({ column }) => column) ?? []),
    ],
    rows: tolls.map(({ kind, toll }) => [kind, toll.plans, toll.violations.length, ...toll.costs.map(costValue)]),
    notes: [...NOTES, ...notes],
  }
  const cases = tolls.flatMap(({ toll }) => toll.cases)
  return {
    results: { table: plainOf(table), ...(cases.length > 0 && { cases }) },
    checks: tolls.map(({ kind, toll }) =>
      named(kind)(noneViolated(toll.violations, `in ${counted(toll.plans, 'plan')}`)),
    ),
    messages: sum(tolls, ({ toll }) => toll.messages),
    tables: [table],
    text: tolls.map(({ toll }) => casesText(toll.cases)).join(''),
    failing: tolls.flatMap(({ toll }) => toll.failing),
  }
}
