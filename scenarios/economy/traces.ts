/** The jobs of a log under the three policies: waits, bounded slowdowns, utilisation, and fairness between users. */
import { POLICIES, PRESETS } from '../../actors/economy/terms.ts'
import { toUnits } from '../../lib/actor.ts'
import {
  duration,
  type Invocation,
  integer,
  is,
  type OptionsOf,
  type Outcome,
  optional,
  resultFile,
  runMain,
  seedFlags,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { csvOf, markdownOf, plainOf, type ResultTable, textOf } from '../../lib/core/table.ts'
import { tallyText } from '../../lib/core/tally.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { placeFlags, reportFlags, sweepFlags } from '../sweep-flags.ts'
import { sweeping } from '../sweeping.ts'
import { flags as one } from './flags.ts'
import { type Comparable, jobsFrom, type Source } from './traces/source.ts'
import { type Compared, comparedIn, type TracePoint } from './traces/study.ts'

const flags = {
  ...seedFlags,
  workload: one.workload,
  stretch: one.stretch,
  jobs: one.jobs,
  processors: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 10_000 }),
    help: 'processors of the machine (default: those of the head of the log, or as many as the widest job needs)',
  }),
  load: one.load,
  span: value({
    metavar: 'T',
    fallback: '6000',
    parse: duration,
    help: 'minutes of arrivals, without --workload',
  }),
  ...placeFlags,
  csv: sweepFlags.csv,
  markdown: reportFlags.markdown,
}

type Options = OptionsOf<typeof flags>

function sourceOf({ workload, stretch, jobs, seed, load, span }: Options): Source {
  if (workload === undefined && (stretch ?? jobs) !== undefined) {
    throw UsageError.requires(stretch === undefined ? '--jobs' : '--stretch', '--workload')
  }
  const file = { file: workload ?? null, first: jobs ?? null, stretch: stretch ?? 1 }
  return { ...file, seed, load, span: toUnits(span) }
}

const pointsOf = (source: Source, processors: number): TracePoint[] =>
  POLICIES.flatMap((policy) => {
    const presets = policy === 'ECON' ? PRESETS : PRESETS.slice(0, 1)
    return presets.map((preset) => ({ ...source, processors, policy, preset }))
  })

const nameOf = ({ policy, preset }: TracePoint): string => (policy === 'ECON' ? `${policy}, ${preset}` : policy)

const tableOf = (title: string, points: readonly TracePoint[], found: readonly Compared[]): ResultTable => ({
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
  rows: found.map(({ jobs, wait, slowdown, utilisation, jain, worst }, i) => {
    const point = points[i]
    return [point ? nameOf(point) : '', jobs, wait, slowdown, 100 * utilisation, jain, worst]
  }),
  notes: [
    'Bounded slowdown: the mean of max(1, response / max(service, 10 seconds)). Of the users with such means of their own,',
    "Jain's index is 1 if all are equal and 1 / users if one has it all. Worst user: the largest mean over the median.",
    'Every user receives 100 dollars a minute. Utilisation is measured up to the end of the last job.',
  ],
})

function describe({ jobs, users, processors }: Comparable, { file }: Source, size: number): string {
  const from = file === null ? 'generated as in the paper' : file
  const was = processors === size ? '' : ` (the machine of the log had ${processors})`
  return `${jobs.length} jobs of ${users.length} users on ${size} processors${was}, ${from}`
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note } = invocation
  const writeCsv = resultFile(options.csv, '--csv')
  const writeMarkdown = resultFile(options.markdown, '--markdown')
  const source = sourceOf(options)
  const comparable = jobsFrom(source)
  const { dropped, odd, jobs } = comparable
  const processors = options.processors ?? comparable.processors
  if (jobs.every((job) => job.processors > processors)) {
    throw UsageError.invalid('--processors', 'at least as many as some job needs', String(processors))
  }
  if (dropped.size > 0) note(`dropped: ${tallyText(dropped)}`)
  if (odd.size > 0) note(`odd: ${tallyText(odd)}`)
  const title = describe(comparable, source, processors)
  note(`economy/traces: ${title}`)
  const points = pointsOf(source, processors)
  const measured = await sweep({
    module: new URL('./traces/study.ts', import.meta.url),
    export: 'compare',
    points,
    ...sweeping(invocation, (done, total) => `${done} of ${total} policies`),
  })
  const found = measured.map(comparedIn)
  const table = tableOf(title, points, found)
  writeCsv(csvOf(table))
  writeMarkdown(markdownOf(table))
  const wide = jobs.filter((job) => job.processors > processors).length
  return {
    results: { table: plainOf(table), dropped: Object.fromEntries(dropped), odd: Object.fromEntries(odd) },
    checks: found.map(({ refused }, i) =>
      is(`${points[i] ? nameOf(points[i]) : i}: jobs refused because they are too wide`, refused, wide),
    ),
    messages: found.reduce((sum, { messages }) => sum + messages, 0),
    text: textOf(table),
    exhibits: { tables: [table] },
  }
}

await runMain({
  name: 'economy/traces',
  summary: 'The jobs of a log under FCFS, RES and ECON: waits, bounded slowdowns, utilisation, fairness between users.',
  usage: 'Without --workload the jobs are generated. A run ends at its first broken promise.',
  flags,
  main,
})
