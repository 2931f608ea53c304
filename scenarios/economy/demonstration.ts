/** The demonstration of `scenarios/economy/run.ts` without flags: the three policies with the same jobs, side by side. */
import { CLASSES } from '../../actors/economy/messages.ts'
import { POLICIES } from '../../actors/economy/terms.ts'
import { units } from '../../lib/actor.ts'
import { figure, percent } from '../../lib/core/table.ts'
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { Stage } from '../../lib/scenario/definition.ts'
import { listOf, ofRun, type Sentence, say } from '../../lib/scenario/page.ts'
import { sideBySide } from '../demonstration.ts'
import type { Economy } from './model.ts'
import type { Watch } from './oracle.ts'
import { type EconomyResults, type Measures, resultsOf } from './results.ts'
import type { Options } from './setup.ts'

const INCOMES = [50, 200]

/** A machine of a few processors, in a run that is long enough for the policies to differ. */
const SHOWN = { processors: 8, users: INCOMES.length, incomes: INCOMES, load: 0.9, span: units(6000) }

type Row = readonly [name: string, of: (results: EconomyResults) => string]

const meansOf = (name: string, of: keyof Measures): Row[] => [
  [`${name}, all jobs`, ({ all }) => figure(all[of])],
  ...CLASSES.map((l): Row => [`  class ${l}`, ({ classes }) => figure(classes[l][of])]),
]

const ROWS: readonly Row[] = [
  ...meansOf('response', 'response'),
  ...meansOf('response / service', 'slowdown'),
  ...meansOf('wait', 'wait'),
  ...INCOMES.map((income, i): Row => {
    const name = `u${i + 1}`
    return [`  ${name}, earning ${income}`, ({ users }) => figure(users[name]?.wait ?? null)]
  }),
  ['offered load', ({ offeredLoad }) => percent(offeredLoad)],
  ['utilisation', ({ utilisation }) => percent(utilisation)],
  ['income of the system', ({ income }) => (income > 0 ? figure(income, 0) : '-')],
]

type Waits = Pick<EconomyResults, 'income'> & {
  readonly all: Pick<Measures, 'jobs' | 'wait'>
  readonly users: { readonly [name: string]: Pick<Measures, 'wait'> }
}

type Runs = readonly (readonly [name: string, results: Waits])[]

/** How long users wait under each policy, and who of them waits less because of money. */
export function comparisonOf(runs: Runs): Sentence[] {
  const waits = runs
    .flatMap(([name, { all }]) => (all.wait === null ? [] : [{ name, wait: all.wait }]))
    .toSorted((one, other) => one.wait - other.wait)
  const [least, ...others] = waits
  if (!least || others.length === 0) return []
  const rest = listOf(others.map(({ name, wait }) => say`${figure(wait)} under ${ofRun(name, name)}`))
  return [
    say`Users wait least under ${ofRun(least.name, least.name)}: ${figure(least.wait)} minutes per job on average, against ${rest}.`,
    ...runs.filter(([, { income }]) => income > 0).map(([name, { users }]) => moneyIn(name, users)),
    `Each is one run with the same ${runs[0]?.[1].all.jobs ?? 0} jobs: this is no proof that the policies differ.`,
  ]
}

function moneyIn(run: string, users: Waits['users']): Sentence {
  const waits = INCOMES.map((income, i) => {
    const user = `u${i + 1}`
    const wait = ofRun(run, figure(users[user]?.wait ?? null), { object: `user ${user}` })
    return say`user ${user}, who earns ${income} dollars a minute, waits ${wait} minutes`
  })
  return say`Under ${ofRun(run, run)} ${listOf(waits)}.`
}

export function demonstrate(stage: Stage<Options, Economy, Watch>): Promise<CommandOutcome> {
  const { processors, users, load } = SHOWN
  stage.note(`economy/run: ${processors} processors and ${users} users, a thread for each actor, load ${load}`)
  return sideBySide(
    stage,
    POLICIES.map((policy) => [policy, { ...SHOWN, policy }]),
    (run) => resultsOf(run.model, run),
    (all) => ({
      comparison: comparisonOf(all),
      tables: [
        {
          title: `The same ${all[0]?.[1].all.jobs ?? 0} jobs on ${processors} processors, load ${load}`,
          columns: ['minutes', ...POLICIES].map((name) => ({ name })),
          rows: ROWS.map(([name, of]) => [name, ...all.map(([, results]) => of(results))]),
        },
      ],
    }),
  )
}
