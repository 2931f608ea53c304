/** The command of a figure: runs its rows in parallel, and compares each number with its converged value. */
import { join } from 'node:path'
import type { Flags } from '../../lib/cli/flags.ts'
import {
  type Check,
  type Invocation,
  is,
  makeFolder,
  type Outcome,
  resultFile,
  type Scenario,
  UsageError,
  within,
  writeResult,
} from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { svgOf } from '../../lib/experiment/chart.ts'
import type { Claim } from '../../lib/experiment/claim.ts'
import { csvOf, markdownOf, plainOf, type ResultTable, textOf } from '../../lib/experiment/report.ts'
import { type Case, type Figure, type Found, finder, foundOf } from './figure.ts'
import type { FigureOptions } from './flags.ts'
import { type Runner, runRows } from './rows.ts'
import { csvTable, longTable, verdictTable } from './tables.ts'

/** The settings that the figures of one paper share. `Sized` is a row with the length of its run. */
export interface Study<O extends FigureOptions, Row, Sized extends Row, Ran> extends Runner<Sized, Ran> {
  readonly claims: readonly Claim[]
  readonly flags: Flags<O>
  readonly seeds: { readonly quick: number; readonly full: number }
  /** The sizes of runs: `full` is the size behind the converged values, `quick` the default. */
  readonly sizes: { readonly quick: number; readonly full: number }
  readonly sizeOf: (options: O) => number | undefined
  readonly sized: (row: Row, size: number) => Sized
  /** Names the intervals and the tolerance, if they do not come from the spread of seeds: `± 90 % by batches`. */
  readonly precision?: { readonly ours: string; readonly tolerance: string }
  /** Describes a size, such as `500 minutes of arrivals`. */
  readonly print: (size: number) => string
}

function casesOf<Row, Ran>(figure: Figure<Row, Ran>, { full, loads, only }: FigureOptions): Case<Row, Ran>[] {
  const { cases, isQuick } = figure
  const all = [...new Set(cases.map(({ load }) => load))].toSorted((one, other) => one - other)
  const unknown = loads?.find((load) => !all.includes(load))
  if (unknown !== undefined)
    throw UsageError.invalid('--loads', `among the loads of the figure (${all.join(', ')})`, String(unknown))
  const isWanted = (one: Case<Row, Ran>): boolean => (loads ? loads.includes(one.load) : full || isQuick(one))
  const chosen = cases.filter((one) => isWanted(one) && one.labels.join(' ').includes(only ?? ''))
  if (chosen.length === 0) throw UsageError.invalid('--only', 'a part of the labels of a row', JSON.stringify(only))
  return chosen
}

/** The checks of the values. Without any comparison there is none, since it could not fail. */
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

async function runFigure<
  O extends FigureOptions,
  Row,
  Sized extends Row & { readonly [key: string]: Plain },
  Ran extends { readonly messages: number },
>(study: Study<O, Row, Sized, Ran>, figure: Figure<Row, Ran>, invocation: Invocation<O>): Promise<Outcome> {
  const { options, note } = invocation
  const { full, csv, markdown, svg } = options
  const which = full ? 'full' : 'quick'
  const { seeds = study.seeds[which] } = options
  const size = study.sizeOf(options) ?? study.sizes[which]
  const isFull = size === study.sizes.full
  const cases = casesOf(figure, options)
  const writeCsv = resultFile(csv, '--csv')
  const writeMarkdown = resultFile(markdown, '--markdown')
  if (svg !== undefined) makeFolder(svg, '--svg')
  note(`${figure.name}, seed ${options.seed}: ${cases.length} rows, ${seeds} seeds, ${study.print(size)}`)
  const rows = cases.flatMap((one) => one.rows.map((row) => study.sized(row, size)))
  const ran = await runRows(study, rows, { ...invocation, options: { ...options, seeds } })
  const found = cases.flatMap((one) =>
    one
      .quantities(...one.rows.map((row) => ran(study.sized(row, size))))
      .map((quantity) => foundOf(one, quantity, isFull, seeds)),
  )
  const all: ResultTable = { title: figure.title, ...longTable(figure.labels, found) }
  const verdicts = figure.verdicts(finder(found)).map((one) => (isFull ? one : { ...one, holds: null }))
  const { ours, tolerance } = study.precision ?? { ours: '± 95 %', tolerance: 'three standard errors' }
  const notes = [
    `Ours: mean of ${seeds} seed${seeds === 1 ? '' : 's'} ${ours}; ${study.print(size)}.`,
    isFull
      ? `Converged: the result of another implementation of the same rules; the tolerance is ${tolerance}.`
      : `Not compared: the converged values are of ${study.print(study.sizes.full)}, and these runs are shorter.`,
  ]
  const tables = [...(figure.shown?.(found) ?? [all]), verdictTable(verdicts, study.claims)]
  const distinct = new Set(rows.flatMap((row) => ran(row)))
  writeCsv(csvOf(csvTable(figure.labels, found, verdicts)))
  writeMarkdown([...tables.map(markdownOf), ...notes, ''].join('\n'))
  if (svg !== undefined) {
    for (const { name, chart } of figure.charts(found)) writeResult(join(svg, `${name}.svg`), svgOf(chart), '--svg')
  }
  return {
    results: { values: plainOf(all), verdicts: [...verdicts], size, seeds },
    checks: checksOf(found),
    messages: [...distinct].reduce((sum, { messages }) => sum + messages, 0),
    text: [...tables.map(textOf), ...notes].join('\n'),
    exhibits: { tables, charts: figure.charts(found).map(({ chart }) => chart) },
  }
}

/** The figures of a study as scenarios of the command line. */
export const scenariosOf =
  <
    O extends FigureOptions,
    Row,
    Sized extends Row & { readonly [key: string]: Plain },
    Ran extends { readonly messages: number },
  >(
    study: Study<O, Row, Sized, Ran>,
  ) =>
  (figure: Figure<Row, Ran>): Scenario<O> => ({
    usage: 'Runs every row with every seed; exit 1 if a promise is broken, or a value contradicts the converged value.',
    ...figure,
    flags: study.flags,
    main: (invocation) => runFigure(study, figure, invocation),
  })
