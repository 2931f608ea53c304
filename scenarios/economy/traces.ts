/** The jobs of a log under the three policies: waits, bounded slowdowns, utilisation, and fairness between users. */
import { POLICIES, PRESETS } from '../../actors/economy/terms.ts'
import { toUnits } from '../../lib/actor.ts'
import { duration, integer, is, type OptionsOf, optional, seedFlags, toggle, UsageError } from '../../lib/cli/index.ts'
import { figure as figureText, plainOf, type ResultTable } from '../../lib/core/table.ts'
import { tallyText } from '../../lib/core/tally.ts'
import type { Axis, Chart } from '../../lib/experiment/chart.ts'
import type { Case, Drawing, Figure, Measured } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'
import { flags as one } from './flags.ts'
import { type Comparable, jobsFrom, type Source } from './traces/source.ts'
import { type Ran, type Row, runner } from './traces/study.ts'

/** The minutes of generated arrivals, by scale. */
const SPANS = { quick: 2000, standard: 6000, full: 60_000 } as const

/** The jobs of a log that `--quick` takes. */
const QUICK_JOBS = 500

const flags = {
  ...seedFlags,
  quick: toggle(`generate jobs for a short time (--span), or take the first ${QUICK_JOBS} of a log (--jobs)`),
  full: toggle('generate jobs for a long time (--span); a log is always taken as a whole'),
  workload: one.workload,
  stretch: one.stretch,
  jobs: one.jobs,
  processors: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 10_000 }),
    help: 'processors of the machine (default: those of the head of the log, or as many as the widest job needs)',
  }),
  load: one.load,
  span: optional({
    metavar: 'T',
    parse: duration,
    help: `minutes of arrivals, without --workload (default ${SPANS.standard}, with --quick ${SPANS.quick}, with --full ${SPANS.full})`,
  }),
  ...sweepFlags,
  ...reportFlags,
}

type Options = OptionsOf<typeof flags>

function sourceOf({ workload, stretch, jobs, seed, load, span, quick, full }: Options): Source {
  if (workload === undefined && (stretch ?? jobs) !== undefined) {
    throw UsageError.requires(stretch === undefined ? '--jobs' : '--stretch', '--workload')
  }
  const first = jobs ?? (quick && workload !== undefined ? QUICK_JOBS : null)
  const file = { file: workload ?? null, first, stretch: stretch ?? 1 }
  const standard = SPANS[full ? 'full' : quick ? 'quick' : 'standard']
  return { ...file, seed, load, span: span === undefined ? standard : toUnits(span) }
}

/** A case for each policy, and two for ECON. */
const casesOf = ({ seed: _, ...source }: Source, processors: number): Case<Row, Ran>[] =>
  POLICIES.flatMap((policy) => {
    const presets = policy === 'ECON' ? PRESETS : PRESETS.slice(0, 1)
    return presets.map((preset) => ({
      labels: [policy === 'ECON' ? `${policy}, ${preset}` : policy],
      rows: [{ ...source, processors, policy, preset }],
      quantities: () => [],
    }))
  })

const tableOf = (title: string, measured: readonly Measured<Case<Row, Ran>, Ran>[]): ResultTable => ({
  title,
  columns: [
    { name: 'policy' },
    { name: 'jobs' },
    { name: 'mean wait', unit: 'min', digits: 2 },
    { name: 'bounded slowdown', digits: 2 },
    { name: 'utilisation', unit: '%', digits: 1 },
    { name: "Jain's index", digits: 3 },
    { name: 'worst user', digits: 2 },
  ],
  rows: measured.flatMap(({ case: { labels }, ran: [ran = []] }) =>
    ran.map(({ jobs, wait, slowdown, utilisation, jain, worst }) => [
      ...labels,
      jobs,
      wait,
      slowdown,
      100 * utilisation,
      jain,
      worst,
    ]),
  ),
  notes: [
    'Bounded slowdown: the mean of max(1, response / max(service, 10 seconds)). Of the users with such means of their own,',
    "Jain's index is 1 if all are equal and 1 / users if one has it all. Worst user: the largest mean over the median.",
    'Every user receives 100 dollars a minute. Utilisation is measured up to the end of the last job.',
  ],
})

/** A chart of some numbers of each run, by policy. */
const chartOf = (
  title: string,
  y: Axis,
  measured: readonly Measured<Case<Row, Ran>, Ran>[],
  series: Readonly<Record<string, (ran: Ran) => number | null>>,
): Chart => ({
  title,
  x: { label: '', names: measured.map(({ case: { labels } }) => labels.join()) },
  y,
  series: Object.entries(series).map(([name, of]) => ({
    name,
    points: measured.flatMap(({ ran: [ran = []] }, i) => ran.map((one) => ({ x: i + 1, y: of(one) }))),
  })),
})

const chartsOf = (measured: readonly Measured<Case<Row, Ran>, Ran>[]): readonly Drawing[] => [
  {
    name: 'wait',
    chart: chartOf('Mean wait by policy', { label: 'wait', unit: 'minutes', min: 0 }, measured, {
      'mean wait': ({ wait }) => wait,
    }),
  },
  {
    name: 'slowdown',
    chart: chartOf('Bounded slowdown by policy', { label: 'ratio', min: 0 }, measured, {
      'bounded slowdown': ({ slowdown }) => slowdown,
      'worst user over the median': ({ worst }) => worst,
    }),
  },
]

/** Under which policy jobs wait least, and how much they wait under the others. */
function answerOf(measured: readonly Measured<Case<Row, Ran>, Ran>[]): string[] {
  const waits = measured.flatMap(({ case: { labels }, ran: [ran = []] }) =>
    ran.flatMap(({ wait }) => (wait === null ? [] : [{ name: labels.join(), wait }])),
  )
  const [least, ...others] = waits.toSorted((one, other) => one.wait - other.wait)
  if (!least) return []
  const rest = others.map(({ name, wait }) => `${name} ${figureText(wait)}`)
  return [
    `Jobs wait least under ${least.name}: ${figureText(least.wait)} minutes on average${rest.length > 0 ? `; ${rest.join(', ')}` : ''}.`,
  ]
}

function describe({ jobs, users, processors }: Comparable, { file }: Source, size: number): string {
  const from = file === null ? 'generated as in the paper' : file
  const was = processors === size ? '' : ` (the machine of the log had ${processors})`
  return `${jobs.length} jobs of ${users.length} users on ${size} processors${was}, ${from}`
}

const figure: Figure<Options, Row, Ran> = {
  name: 'economy/traces',
  summary: 'The jobs of a log under FCFS, RES and ECON: waits, bounded slowdowns, utilisation, fairness between users.',
  usage: 'Without --workload the jobs are generated. A run ends at its first broken promise.',
  flags,
  runner,
  plan: (options) => {
    const source = sourceOf(options)
    const comparable = jobsFrom(source)
    const { dropped, odd, jobs } = comparable
    const { processors = comparable.processors } = options
    const wide = jobs.filter((job) => job.processors > processors).length
    if (wide === jobs.length)
      throw UsageError.invalid('--processors', 'at least as many as some job needs', String(processors))
    const title = describe(comparable, source, processors)
    return {
      about: title,
      cases: casesOf(source, processors),
      show: (measured) => {
        const table = tableOf(title, measured)
        return {
          tables: [table],
          values: table,
          charts: chartsOf(measured),
          answer: answerOf(measured),
          notes: [
            ...(dropped.size > 0 ? [`dropped: ${tallyText(dropped)}`] : []),
            ...(odd.size > 0 ? [`odd: ${tallyText(odd)}`] : []),
          ],
          results: { table: plainOf(table), dropped: Object.fromEntries(dropped), odd: Object.fromEntries(odd) },
          checks: measured.flatMap(({ case: { labels }, ran: [ran = []] }) =>
            ran.map(({ refused }) => is(`${labels.join()}: jobs refused because they are too wide`, refused, wide)),
          ),
        }
      },
    }
  },
}

await figureMain(figure)
