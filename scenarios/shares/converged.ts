/**
 * Compares coscheduling with the values that the same model converges to, row by row: dedicated rates, slowdowns and
 * progress.
 */
import {
  type Invocation,
  is,
  type OptionsOf,
  type Outcome,
  optional,
  resultFile,
  runMain,
  text,
  toggle,
  UsageError,
} from '../../lib/cli/index.ts'
import type { Interval } from '../../lib/experiment/interval.ts'
import { csvOf, type ResultTable, textOf } from '../../lib/experiment/report.ts'
import {
  agreesWith,
  meanOf,
  outcomeOf,
  type Ran,
  type Row,
  ratioAt,
  runRows,
  seedsOf,
  studyFlags,
} from './coscheduling/study.ts'
import { DEDICATED, PROGRESS, SLOWDOWNS, type Tolerated } from './paper/converged.ts'
import { verdicts } from './paper/facts.ts'
import { DEFAULTS, type Parameters, SPINS } from './paper/parameters.ts'

const SEEDS = { quick: 3, full: 5 }

const flags = {
  ...studyFlags(SEEDS),
  full: toggle(
    'run all rows, for --warm-up and --measure or as long as the known values: 60 s after 10 s (below 5 ms between barriers always 1.5 s after 0.5 s)',
  ),
  only: optional({ metavar: 'TEXT', parse: text, help: 'run only the rows whose name contains TEXT' }),
}
type Options = OptionsOf<typeof flags>

/** A value that a row should reach. */
interface Target {
  readonly what: string
  readonly of: (ran: Ran) => number
  readonly value: Tolerated
}

interface Case {
  readonly name: string
  readonly tickets: readonly number[]
  readonly parameters: Parameters
  readonly targets: readonly Target[]
}

/** The name of a row: the parameters that differ from the defaults. */
function nameOf(parameters: Parameters): string {
  const said = Object.entries(parameters).flatMap(([key, value]) => {
    const byDefault: unknown = Object.entries(DEFAULTS).find(([name]) => name === key)?.[1]
    if (value === byDefault) return []
    return [`${key} ${typeof value === 'object' ? `${value.switches}W+${value.spread}vg` : value}`]
  })
  return said.join(', ') || 'defaults'
}

const spinName = ({ spin }: Parameters) => Object.entries(SPINS).find(([, one]) => one === spin)?.[0] ?? 'other'

const CASES: readonly Case[] = [
  ...DEDICATED.map(
    ({ parameters, rate }): Case => ({
      name: `alone: ${nameOf(parameters)}`,
      tickets: [1],
      parameters,
      targets: [{ what: 'barriers/s', of: ({ rates }) => rates[0] ?? 0, value: [rate, rate / 100] }],
    }),
  ),
  ...SLOWDOWNS.map(({ parameters, slowdown }): Case => {
    const { switching, granularity, imbalance, credit } = parameters
    return {
      name: `1:1:1: W ${switching}, g ${granularity}, v ${imbalance}, ${spinName(parameters)}, credit ${credit}`,
      tickets: [1, 1, 1],
      parameters,
      targets: [{ what: 'slowdown', of: (ran) => ran.slowdown, value: slowdown }],
    }
  }),
  ...PROGRESS.map(
    ({ parameters, progress: [second, third], slowdown }): Case => ({
      name: `1:2:3: ${nameOf(parameters)}`,
      tickets: [1, 2, 3],
      parameters,
      targets: [
        { what: 'second', of: ratioAt(1), value: second },
        { what: 'third', of: ratioAt(2), value: third },
        { what: 'slowdown', of: (ran) => ran.slowdown, value: slowdown },
      ],
    }),
  ),
]

/** Granularities below this make a run of a minute take an hour. */
const FINE = 5
/** Whether a default run includes a row: those with few messages. */
const isCheap = ({ parameters: { nodes, granularity } }: Case) => nodes / granularity <= 0.8

interface Found extends Target {
  readonly name: string
  readonly ours: Interval
  readonly agrees: boolean
}

const foundOf = ({ name, targets }: Case, ran: readonly Ran[], measure: number): Found[] =>
  targets.map((target) => {
    const ours = meanOf(ran, target.of)
    return { ...target, name, ours, agrees: agreesWith(ours, target.value, measure) }
  })

const tableOf = (found: readonly Found[], seeds: number): ResultTable => ({
  columns: [
    { name: 'row' },
    { name: 'of', align: 'left' },
    { name: 'ours', digits: 3 },
    { name: 'converged', digits: 3 },
    { name: 'tolerance', digits: 3 },
    { name: 'agrees' },
  ],
  rows: found.map(({ name, what, ours, value: [value, tolerance], agrees }) => [
    ...[name, what, ours, value, tolerance],
    agrees ? 'yes' : 'NO',
  ]),
  notes: [
    `ours: mean of ${seeds} seeds ± 95 %; a row shorter than the values took may differ by that half-width more`,
    ...verdicts('P15'),
  ],
})

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note } = invocation
  const { full, only, csv, runtime } = options
  const cases = CASES.filter((one) => (full || only !== undefined || isCheap(one)) && one.name.includes(only ?? ''))
  if (cases.length === 0) throw UsageError.invalid('--only', 'a part of the name of a row', JSON.stringify(only))
  const seeds = seedsOf(options, SEEDS)
  const writeCsv = resultFile(csv, '--csv')
  const rows = cases.map(({ parameters, tickets }): Row => {
    const isFine = parameters.granularity < FINE
    const warmUp = isFine ? 500 : (options.warmUp ?? (full ? 10_000 : 1000))
    const measure = isFine ? 1500 : (options.measure ?? (full ? 60_000 : 5000))
    return { parameters, tickets, scheduler: 'implicit', servers: false, runtime, warmUp, measure }
  })
  note(`shares/converged, seed ${options.seed}: ${rows.length} rows of ${seeds} seeds`)
  const ran = await runRows(rows, { ...invocation, options: { ...options, seeds } })
  const found = cases.flatMap((one, i) => foundOf(one, ran[i] ?? [], rows[i]?.measure ?? 0))
  const table = tableOf(found, seeds)
  writeCsv(csvOf(table))
  const beyond = found.filter(({ agrees }) => !agrees)
  const check = is(`values beyond tolerance, of ${found.length}`, beyond.length, 0)
  return outcomeOf({ rows: table, text: textOf(table), checks: [check] }, ran)
}

await runMain({
  name: 'shares/converged',
  summary:
    'Compares implicit coscheduling with the converged values of the same model (Arpaci-Dusseau & Culler 1997, section 5.2).',
  usage: 'Without flags: some rows, for a short time. Exit 1 if a value differs from the converged value of the model.',
  flags,
  main,
})
