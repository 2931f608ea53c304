/** The wait of a job that all others outbid: the bound of section 3 as printed, the corrected bound, and real waits. */
import { PRESETS, type PresetName, policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { toUnits, units } from '../../lib/actor.ts'
import {
  type Check,
  duration,
  type Invocation,
  integer,
  named,
  none,
  number,
  type OptionsOf,
  type Outcome,
  resultFile,
  runMain,
  seedFlags,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { csvOf, markdownOf, plainOf, type ResultTable, textOf } from '../../lib/core/table.ts'
import { checksOf } from '../../lib/scenario/verdict.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'
import type { Economy } from './model.ts'
import { economyRun } from './run.ts'
import { type Bound, boundOf } from './starvation/bound.ts'
import { type Case, casesOf } from './starvation/cases.ts'
import { Purses } from './starvation/purses.ts'

const flags = {
  ...seedFlags,
  processors: value({
    metavar: 'N',
    fallback: '16',
    parse: integer({ min: 2, max: 128 }),
    help: 'processors of the machine in the cases with generated jobs',
  }),
  span: value({
    metavar: 'T',
    fallback: '10000',
    parse: duration,
    help: 'minutes of arrivals in these cases',
  }),
  margin: value({
    metavar: 'D',
    fallback: '1',
    parse: number({ above: 0, max: 1e9 }),
    help: 'dollars per processor-minute by which the job outbids the others (delta of equation 6)',
  }),
  csv: sweepFlags.csv,
  markdown: reportFlags.markdown,
}

type Options = OptionsOf<typeof flags>

interface Found {
  readonly case: Case
  readonly preset: PresetName
  /** Minutes from its arrival to its start; null: it did not start. */
  readonly wait: number | null
  /** The bound as printed: `funds` are all savings when the job can pay the price (equation 7). */
  readonly printed: Bound
  /** The corrected bound: `funds` also include the balances of the expense accounts of others. */
  readonly corrected: Bound
  readonly checks: readonly Check[]
  readonly messages: number
}

async function observe(one: Case, preset: PresetName, margin: number, { onSystem, options }: Invocation<Options>) {
  const { processors, users, jobs, rate } = one
  const economy: Economy = {
    processors,
    users,
    jobs,
    policy: policyOf('ECON', preset),
    market: { sharing: STANDARD_SHARING, statistics: null },
    patience: null,
    durable: false,
    overrun: null,
  }
  const job = jobs[one.job]
  if (!job) throw new Error(`${one.name}: there is no job ${one.job}`)
  const circumstances = {
    total: processors,
    processors: job.processors,
    service: toUnits(job.service),
    rate,
    margin,
    longest: toUnits(jobs.reduce((longest, { service }) => Math.max(longest, service), 0)),
    incomes: Object.values(users).reduce((sum, { income }) => sum + income, 0),
  }
  const { saving } = boundOf({ ...circumstances, funds: 0 })
  const purses = new Purses(users, job.arrival + units(saving))
  const run = await economyRun.run(economy, { seed: options.seed, runtime: 'inline' }, [], {
    onSystem: (system) => {
      onSystem(system)
      system.onFact((fact, { who, at }) => purses.fold(fact, who, at))
    },
  })
  const start = run.oracle.ledger.jobs.get(job.id)?.started?.at
  const names = Object.keys(users)
  const savings = names.reduce((sum, user) => sum + purses.of(user).savings, 0)
  const expenses = names.reduce((sum, user) => sum + (user === job.user ? 0 : purses.of(user).expenses), 0)
  const found: Found = {
    case: one,
    preset,
    messages: run.messages,
    wait: start === undefined ? null : toUnits(start - job.arrival),
    printed: boundOf({ ...circumstances, funds: savings }),
    corrected: boundOf({ ...circumstances, funds: savings + expenses }),
    checks: checksOf(run).map(named(`${one.name}, ${preset}`)),
  }
  return found
}

const holds = (wait: number | null, { total }: Bound): boolean => wait !== null && wait <= total

const verdict = (wait: number | null, bound: Bound): string => (holds(wait, bound) ? 'holds' : 'fails')

const tableOf = (all: readonly Found[]): ResultTable => ({
  title: 'The wait of a job that all others outbid, in minutes',
  columns: [
    { name: 'case' },
    { name: 'preset', align: 'left' },
    { name: 'waited', digits: 1 },
    { name: 'bound as printed', digits: 1 },
    { name: 'printed', align: 'left' },
    { name: 'bound corrected', digits: 1 },
    { name: 'corrected', align: 'left' },
  ],
  rows: all.map(({ case: { name }, preset, wait, printed, corrected }) => [
    ...[name, preset, wait],
    ...[printed.total, verdict(wait, printed), corrected.total, verdict(wait, corrected)],
  ]),
  notes: notesOf(all),
})

/** Notes on the failures of the printed bound. Section 3 assumes that all that others can spend is in their savings. */
function notesOf(all: readonly Found[]): string[] {
  const failed = [...new Set(all.flatMap(({ case: { name }, wait, printed }) => (holds(wait, printed) ? [] : [name])))]
  if (failed.length === 0) return []
  return [
    `The printed bound fails: ${failed.join('; ')}.`,
    'M of equation 7 counts savings alone. But when the job can pay the price of equation 6, jobs of others may already hold',
    'money on their expense accounts. With these balances in M the bound holds. If users move no lump sums, the balances',
    'are at most the sum of all incomes since the beginning.',
  ]
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, progress, note } = invocation
  const { seed, processors, span, margin } = options
  if (span === 0) throw UsageError.invalid('--span', 'a time > 0', '"0"')
  const write = [resultFile(options.csv, '--csv'), resultFile(options.markdown, '--markdown')] as const
  const cases = casesOf({ seed, processors, span: toUnits(span) })
  note(`economy/starvation, seed ${seed}: ${cases.length} cases under both presets`)
  const all: Found[] = []
  for (const one of cases) {
    for (const preset of PRESETS) {
      all.push(await observe(one, preset, margin, invocation))
      progress(all.length, cases.length * PRESETS.length, `${all.length} runs`)
    }
  }
  const table = tableOf(all)
  write[0](csvOf(table))
  write[1](markdownOf(table))
  const beyond = all.flatMap(({ case: { name }, preset, wait, corrected }) =>
    holds(wait, corrected) ? [] : [`${name}, ${preset}: ${wait}, at most ${corrected.total}`],
  )
  return {
    results: { table: plainOf(table) },
    checks: [
      ...all.flatMap(({ checks }) => checks.filter(({ ok }) => !ok)),
      none('waits beyond the corrected bound', beyond),
    ],
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
    text: textOf(table),
    exhibits: { tables: [table] },
  }
}

await runMain({
  name: 'economy/starvation',
  summary:
    'The bound on the wait of a job (Stoica et al. 1995, section 3): as printed and as corrected, compared with real waits.',
  usage: 'Exit 1 if a job waits longer than the corrected bound, or a run violates an invariant.',
  flags,
  main,
})
