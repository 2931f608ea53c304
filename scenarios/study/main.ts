/** The command of a figure: runs its rows in parallel, compares each number with its converged value, and shows them. */
import { join } from 'node:path'
import {
  type Check,
  type Command,
  type Invocation,
  is,
  makeFolder,
  none,
  type Outcome,
  resultFile,
  runMain,
  toggle,
  UsageError,
  within,
  writeResult,
} from '../../lib/cli/index.ts'
import { csvOf, markdownOf, plainOf } from '../../lib/core/table.ts'
import { sum } from '../../lib/core/tally.ts'
import type { Claim } from '../../lib/experiment/claim.ts'
import { svgOf } from '../../lib/experiment/drawing.ts'
import type { SeedOptions } from '../../lib/scenario/run-flags.ts'
import {
  type Case,
  type Drawing,
  type Figure,
  type FigureOptions,
  type Found,
  foundOf,
  type Verdict,
} from './figure.ts'
import { type PlainRow, type Result, type Runs, runPoints } from './points.ts'
import { agreementIn, claimsOf, failedIn, tallyOf, verdictTable } from './tables.ts'

/** The checks of the values. Without any comparison there is none, since it could not fail. */
export function valueChecks(found: readonly Found[]): Check[] {
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

/** The check that our numbers support the settled verdicts. */
export function verdictChecks(verdicts: readonly Verdict[], claims: readonly Claim[]): Check[] {
  const settled = new Set(claims.flatMap(({ says, verdict }) => (verdict === undefined ? [] : [says])))
  const told = verdicts.filter(({ says, holds }) => settled.has(says) && typeof holds === 'boolean')
  if (told.length === 0) return []
  const contradicted = told.flatMap(({ says, holds }) => (holds === false ? [says] : []))
  return [none(`verdicts that our numbers contradict, of ${told.length}`, contradicted)]
}

/** Writes the charts into the folder `--svg`. If the flag names a file, it gets the only chart. */
function draw(path: string, charts: readonly Drawing[], isFile: boolean): void {
  if (!isFile) makeFolder(path, '--svg')
  for (const { name, chart } of charts) {
    const svg = 'svg' in chart ? chart.svg : svgOf(chart)
    writeResult(isFile ? path : join(path, `${name}.svg`), svg, '--svg')
  }
}

async function runFigure<O extends FigureOptions, Row extends PlainRow, Ran extends Result, C extends Case<Row, Ran>>(
  figure: Figure<O, Row, Ran, C>,
  invocation: Invocation<O>,
): Promise<Outcome> {
  const { options, note } = invocation
  const { seed = 0, quick, full, only = '', csv, markdown, svg } = options
  if (quick && full) throw UsageError.conflicts('--quick', '--full')
  const { name, flags, runner, claims = [] } = figure
  const { about, cases: all, show } = figure.plan(options)
  const cases = all.filter(({ labels }) => labels.join(' ').includes(only))
  if (cases.length === 0) throw UsageError.invalid('--only', 'a part of the labels of a row', JSON.stringify(only))
  let runs: Runs<Row, Ran> = { of: () => [], all: [] }
  if (runner) {
    note([`${name}, seed ${seed}: ${cases.length} rows`, ...(about === undefined ? [] : [about])].join(', '))
    const rows = cases.flatMap(({ rows, seeds = [seed] }) => rows.map((row) => ({ row, seeds })))
    runs = await runPoints(runner, rows, invocation)
  }
  const measured = cases.map((one) => {
    const ran = one.rows.map((row) => runs.of(row, one.seeds ?? [seed]))
    return { case: one, ran, found: one.quantities(...ran).map((quantity) => foundOf(one, quantity)) }
  })
  const {
    values,
    csv: written = [values],
    verdicts = [],
    charts = [],
    story = tallyOf(
      measured.flatMap(({ found }) => found),
      'full' in flags,
    ),
    agreement = agreementIn(measured.flatMap(({ found }) => found)),
    answer = [],
    notes = [],
    results,
    checks = [],
    ...shown
  } = show(measured)
  const shownClaims = claimsOf(verdicts, claims)
  const tables = [...shown.tables, ...(verdicts.length > 0 ? [verdictTable(verdicts, claims)] : [])]
  resultFile(csv, '--csv')(written.map(csvOf).join('\r\n'))
  resultFile(markdown, '--markdown')([...tables.map(markdownOf), ...story, ...notes, ''].join('\n'))
  if (svg !== undefined) draw(svg, charts, flags.svg?.file === 'result')
  return {
    results: {
      values: plainOf(values),
      verdicts: verdicts.map((one) => ({ ...one })),
      ...results,
    },
    checks: [...valueChecks(measured.flatMap(({ found }) => found)), ...verdictChecks(verdicts, claims), ...checks],
    messages: sum(runs.all, ({ messages }) => messages),
    tables,
    text: [...story, ...notes].join('\n'),
    exhibits: {
      charts: charts.map(({ chart }) => chart),
      claims: shownClaims,
      values: agreement,
      story: [...answer, ...story, ...failedIn(shownClaims)],
      // the page has the story and the claims at its top
      tables: shown.tables,
      text: notes.join('\n'),
    },
  }
}

/** The flags of a figure with one scale, which takes `--quick` and `--full` as any other figure does. */
const oneScaleFlags = (why: string) => ({
  quick: toggle(`changes nothing, since there is one scale: ${why}`),
  full: toggle('changes nothing either'),
})

const CALCULATES = 'Calculates without running actors, so that no run can be kept or given to hosts.'

/** A figure as a scenario of the command line. */
export const scenarioOf = <
  O extends FigureOptions & SeedOptions,
  Row extends PlainRow,
  Ran extends Result,
  C extends Case<Row, Ran>,
>(
  figure: Figure<O, Row, Ran, C>,
): Command<O> => {
  const why = figure.oneScale ?? (figure.runner ? undefined : 'all numbers are calculated')
  return {
    ...figure,
    usage: figure.runner
      ? (figure.usage ??
        'Runs every row with every seed; exit 1 if a promise is broken, or a value contradicts the converged value.')
      : `${CALCULATES} ${figure.usage ?? 'Exit 1 if a value or a fact differs from the known one.'}`,
    flags: why === undefined ? figure.flags : { ...figure.flags, ...oneScaleFlags(why) },
    main: (invocation) => runFigure(figure, invocation),
  }
}

/** The entry point of a figure's command. */
export const figureMain = <
  O extends FigureOptions & SeedOptions,
  Row extends PlainRow,
  Ran extends Result,
  C extends Case<Row, Ran>,
>(
  figure: Figure<O, Row, Ran, C>,
): Promise<void> => runMain(scenarioOf(figure))
