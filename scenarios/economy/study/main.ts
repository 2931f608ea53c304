/** The command of a figure: its rows run side by side, each number held against what the model converges to. */
import { join } from 'node:path'
import {
  type Check,
  type Invocation,
  is,
  makeFolder,
  type Outcome,
  resultFile,
  runMain,
  type Scenario,
  UsageError,
  within,
  writeResult,
} from '../../../lib/cli.ts'
import { svgOf } from '../../../lib/experiment/chart.ts'
import { csvOf, markdownOf, plainOf, type ResultTable, textOf } from '../../../lib/experiment/report.ts'
import { type Case, type Figure, type Found, finder, foundOf } from './figure.ts'
import { FULL_SEEDS, FULL_SPAN, type StudyOptions, studyFlags } from './flags.ts'
import { runRows } from './rows.ts'
import { longTable, verdictTable } from './tables.ts'

function casesOf({ cases, quickLoads }: Figure, { full, loads, only }: StudyOptions): readonly Case[] {
  const all = [...new Set(cases.map(({ load }) => load))].toSorted((one, other) => one - other)
  const unknown = loads?.find((load) => !all.includes(load))
  if (unknown !== undefined) throw new UsageError('--loads', `loads of the figure: ${all.join(', ')}`, String(unknown))
  const wanted = loads ?? (full ? all : quickLoads)
  const chosen = cases.filter(({ load, labels }) => wanted.includes(load) && labels.join(' ').includes(only ?? ''))
  if (chosen.length === 0) throw new UsageError('--only', 'a part of the labels of a row', JSON.stringify(only))
  return chosen
}

/** Nothing was held against anything: a check of that could not fail. */
function checksOf(found: readonly Found[]): Check[] {
  const held = found.filter(({ agrees }) => agrees !== null)
  if (held.length === 0) return []
  const beyond = held.filter(({ agrees }) => !agrees)
  return [
    is(`values beyond the tolerance of what the model converges to, of ${held.length}`, beyond.length, 0),
    ...beyond.flatMap(({ labels, of, ours, converged, tolerance }) =>
      ours && converged && tolerance !== null
        ? [within([...labels, of].join(' '), ours.mean, converged.value, tolerance)]
        : [],
    ),
  ]
}

async function runFigure(figure: Figure, invocation: Invocation<StudyOptions>): Promise<Outcome> {
  const { options, note } = invocation
  const { full, csv, markdown, svg } = options
  const { seeds = full ? FULL_SEEDS : 3, span = full ? FULL_SPAN : 5000 } = options
  const cases = casesOf(figure, options)
  const writeCsv = resultFile(csv, '--csv')
  const writeMarkdown = resultFile(markdown, '--markdown')
  if (svg !== undefined) makeFolder(svg, '--svg')
  note(`${figure.name}, seed ${options.seed}: ${cases.length} rows, ${seeds} seeds, ${span} minutes of arrivals`)
  const rows = cases.flatMap((one) => one.rows.map((row) => ({ ...row, span })))
  const ran = await runRows(rows, { ...invocation, options: { ...options, seeds } })
  const found = cases.flatMap((one) =>
    one
      .quantities(...one.rows.map((row) => ran({ ...row, span })))
      .map((quantity) => foundOf(one, quantity, span, seeds)),
  )
  const all: ResultTable = { title: figure.title, ...longTable(figure.labels, found) }
  const verdicts = figure.verdicts(finder(found)).map((one) => (span === FULL_SPAN ? one : { ...one, holds: null }))
  const notes = notesOf(seeds, span)
  const tables = [...(figure.shown?.(found) ?? [all]), verdictTable(verdicts)]
  const distinct = new Set(rows.flatMap((row) => ran(row)))
  writeCsv(csvOf(all))
  writeMarkdown([...tables.map(markdownOf), ...notes, ''].join('\n'))
  if (svg !== undefined) {
    for (const { name, chart } of figure.charts(found)) writeResult(join(svg, `${name}.svg`), svgOf(chart), '--svg')
  }
  return {
    results: { values: plainOf(all), verdicts: [...verdicts], span, seeds },
    checks: checksOf(found),
    messages: [...distinct].reduce((sum, { messages }) => sum + messages, 0),
    text: [...tables.map(textOf), ...notes].join('\n'),
  }
}

const notesOf = (seeds: number, span: number): string[] => [
  `Ours: mean of ${seeds} seeds ± 95 %; arrivals for ${span} minutes, and every job counts.`,
  span === FULL_SPAN
    ? 'Converged: what another implementation of the same rules came to; the tolerance is three standard errors.'
    : `Nothing agrees or disagrees: runs of ${span} minutes are too short to be held against values of ${FULL_SPAN}.`,
]

/** A figure as a scenario of the command line. */
export const scenarioOf = (figure: Figure): Scenario<StudyOptions> => ({
  usage:
    'Every row is run with every seed; exit 1 if a promise is broken, or a value contradicts what the model converges to.',
  ...figure,
  flags: studyFlags,
  main: (invocation) => runFigure(figure, invocation),
})

/** A scenario's entry point. */
export const figureMain = (figure: Figure): Promise<void> => runMain(scenarioOf(figure))
