/**
 * Figure 3 of Arpaci-Dusseau & Culler 1997: how fair a processor is to a job that sleeps, depending on its credit for
 * that.
 */
import { join } from 'node:path'
import {
  type Invocation,
  integer,
  makeFolder,
  type OptionsOf,
  type Outcome,
  oneOf,
  optional,
  resultFile,
  runMain,
  seedFlags,
  toggle,
  value,
  writeResult,
} from '../../lib/cli/index.ts'
import { type Chart, type Series, svgOf } from '../../lib/experiment/chart.ts'
import { csvOf, markdownOf, plainOf, textOf } from '../../lib/experiment/report.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'
import { sweeping } from '../sweeping.ts'
import { FIGURE_3 } from './paper/figure-3.ts'
import {
  type Found,
  foundIn,
  interactiveRuns,
  type LivesPoint,
  longRuns,
  manySleepers,
  RUNTIMES,
  shortRuns,
} from './sleepers/study.ts'
import {
  CURVE_NAMES,
  checksOf,
  crowdTable,
  curvesAt,
  figureTable,
  latencyTable,
  type Results,
  remarksOf,
} from './sleepers/tables.ts'

const flags = {
  ...seedFlags,
  full: toggle('run more cycles, and also bursts of three quanta, several sleepers and interactive clients'),
  cycles: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1000 }),
    help: 'cycles of sleeping and running in each setting (default 6, with --full 30)',
  }),
  runtime: value({
    metavar: RUNTIMES.join('|'),
    fallback: 'inline',
    parse: oneOf(...RUNTIMES),
    help: 'run each actor in a worker thread, or all in one thread: same numbers, several times faster',
  }),
  ...sweepFlags,
  ...reportFlags,
}

type Options = OptionsOf<typeof flags>

/** One table and the points that are run for it. */
interface Part {
  readonly name: string
  readonly points: readonly LivesPoint[]
  readonly results: (found: readonly (readonly Found[])[]) => Results
}

const QUICK = 6
const FULL = 30
const SERVED = 200

function partsOf(options: Options): readonly Part[] {
  const { runtime, seed, full, cycles = full ? FULL : QUICK } = options
  const chosen = { runtime, seed }
  const figure: Part = {
    name: 'figure 3',
    points: longRuns(chosen, cycles),
    results: (found) => figureTable('long', found),
  }
  if (!full) return [figure]
  return [
    figure,
    {
      name: 'short bursts',
      points: shortRuns(chosen, cycles),
      results: (found) => figureTable('short', found),
    },
    { name: 'several sleepers', points: manySleepers(chosen), results: crowdTable },
    { name: 'interactive', points: interactiveRuns(chosen, SERVED), results: latencyTable },
  ]
}

const PERCENT = Array.from({ length: 96 }, (_, percent) => percent)

function chartOf(found: readonly (readonly Found[])[]): Chart {
  const curves = CURVE_NAMES.map((name, i): Series => {
    return { name, points: PERCENT.map((x) => ({ x, y: curvesAt(x / 100)[i] ?? null })), marks: false }
  })
  const policies = found[0]?.map(({ policy }) => policy) ?? []
  const measured = policies.map((policy, i): Series => {
    const points = FIGURE_3.map(({ asleep }, row) => ({ x: 100 * asleep, y: found[row]?.[i]?.toSleeper ?? null }))
    return { name: policy, points, line: false }
  })
  return {
    title: 'Figure 3: unfairness to one of five that sleeps',
    x: { label: 'asleep', unit: '%', min: 0, max: 100 },
    y: { label: 'unfairness', min: 0 },
    series: [...curves, ...measured],
  }
}

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note } = invocation
  const { csv, markdown, svg } = options
  const writeCsv = resultFile(csv, '--csv')
  const writeMarkdown = resultFile(markdown, '--markdown')
  if (svg !== undefined) makeFolder(svg, '--svg')
  const parts = partsOf(options)
  // the longest runs first
  const points = parts.flatMap((part) => part.points).toSorted((one, other) => other.until - one.until)
  note(`shares/sleepers, seed ${options.seed}: ${points.length} settings`)
  const measured = await sweep({
    module: new URL('./sleepers/study.ts', import.meta.url),
    export: 'measure',
    points,
    ...sweeping(invocation, (done, total) => `${done} of ${total} settings`),
  })
  const foundAt = (point: LivesPoint) => foundIn(measured[points.indexOf(point)] ?? null)
  const ended = parts.map(({ name, points, results }) => {
    const found = points.map(foundAt)
    return { name, found, ...results(found) }
  })
  const figure = ended[0]?.found ?? []
  const remarks = remarksOf(figure)
  const tables = [...ended.map(({ table }) => table), remarks]
  writeCsv(ended.map(({ table }) => csvOf(table)).join('\r\n'))
  writeMarkdown(tables.map(markdownOf).join('\n'))
  if (svg !== undefined) writeResult(join(svg, 'figure-3.svg'), svgOf(chartOf(figure)), '--svg')
  return {
    results: { tables: ended.map(({ table }) => plainOf(table)), remarks: plainOf(remarks) },
    checks: ended.flatMap(({ name, held }) => checksOf(name, held)),
    messages: 0,
    text: tables.map(textOf).join('\n'),
    exhibits: { tables, charts: [chartOf(figure)] },
  }
}

await runMain({
  name: 'shares/sleepers',
  summary:
    'Figure 3 of Arpaci-Dusseau & Culler 1997: fairness of a processor to a job that sleeps, with and without credit.',
  usage: 'Times are in milliseconds of the model. Exit 1 if a value differs from the converged value of the model.',
  flags,
  main,
})
