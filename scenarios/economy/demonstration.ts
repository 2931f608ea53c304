/** The demonstration of `scenarios/economy/run.ts` without flags: the three policies with the same jobs, side by side. */
import { CLASSES } from '../../actors/economy/messages.ts'
import { POLICIES, type PolicyName } from '../../actors/economy/terms.ts'
import { units } from '../../lib/actor.ts'
import { type Check, type Invocation, named, type Outcome, systemOptions } from '../../lib/cli/index.ts'
import { figure, percent, table } from '../../lib/core/table.ts'
import { checksOf } from '../promises.ts'
import { comingJobs } from './model.ts'
import { runEconomy } from './one-run.ts'
import { type EconomyResults, type Measures, resultsOf } from './results.ts'
import { type Options, setUp } from './setup.ts'

const INCOMES = [50, 200]

/** A machine of a few processors, in a run that is long enough for the policies to differ. */
const SHOWN = { processors: 8, users: INCOMES.length, incomes: INCOMES, load: 0.9, span: units(6000) }

interface Shown {
  readonly policy: PolicyName
  readonly results: EconomyResults
  readonly checks: readonly Check[]
  readonly messages: number
}

async function showOne(policy: PolicyName, { options, progress, onSystem }: Invocation<Options>): Promise<Shown> {
  const { economy, faults, about } = setUp({ ...options, ...SHOWN, policy })
  const coming = comingJobs(economy).length
  const run = await runEconomy(economy, systemOptions(options, about), faults, {
    onSystem,
    onDone: (done) => progress(done, coming, `${policy}: ${done} jobs`),
  })
  const checks = checksOf(run).map(named(policy))
  return { policy, results: resultsOf(economy, run), checks, messages: run.messages }
}

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

export async function demonstrate(invocation: Invocation<Options>): Promise<Outcome> {
  const { processors, users, load } = SHOWN
  invocation.note(`economy/run: ${processors} processors and ${users} users, a thread for each actor, load ${load}`)
  const shown: Shown[] = []
  for (const policy of POLICIES) shown.push(await showOne(policy, invocation))
  const jobs = shown[0]?.results.all.jobs ?? 0
  const text = table(
    ['minutes', ...POLICIES],
    ROWS.map(([name, of]) => [name, ...shown.map(({ results }) => of(results))]),
  )
  return {
    results: Object.fromEntries(shown.map(({ policy, results }) => [policy, results])),
    checks: shown.flatMap(({ checks }) => checks),
    messages: shown.reduce((sum, { messages }) => sum + messages, 0),
    text: `The same ${jobs} jobs on ${processors} processors, load ${load}\n\n${text}\n`,
  }
}
