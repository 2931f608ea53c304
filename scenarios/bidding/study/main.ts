/** The command of a study: runs its cells in parallel, and compares each with the converged and the printed value. */
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
} from '../../../lib/cli/index.ts'
import { svgOf } from '../../../lib/experiment/chart.ts'
import { csvOf, markdownOf, plainOf, textOf } from '../../../lib/experiment/report.ts'
import { agreement, linesOf, tolerance } from './agreement.ts'
import { messagesOf } from './cell.ts'
import type { StudyOptions } from './flags.ts'
import type { Found } from './found.ts'
import { measureAll, pointOf } from './points.ts'
import type { Study } from './study.ts'
import { statementTable, tablesOf } from './tables.ts'

/**
 * The checks of a study: runs that are long enough must agree with the converged values. The paper's values are not
 * checked.
 */
function checksOf(found: readonly Found[]): Check[] {
  const held = found.filter(({ isLong, converged }) => isLong && converged !== null)
  // without any comparison the check could not fail
  if (held.length === 0) return []
  const beyond = held.filter(({ asConverged }) => asConverged === 'NO')
  return [
    is(`cells further than twice the joint interval from the converged value, of ${held.length}`, beyond.length, 0),
    ...beyond.flatMap(({ labels, ours, converged }) =>
      converged === null ? [] : [within(labels.join(' '), ours.mean, converged.mean, tolerance(ours, converged))],
    ),
  ]
}

async function runStudy<O extends StudyOptions>(study: Study<O>, invocation: Invocation<O>): Promise<Outcome> {
  const { options, note } = invocation
  const { quick, full, only, csv, markdown, svg } = options
  if (quick && full) throw UsageError.conflicts('--quick', '--full')
  const cells = study.cells(options).filter(({ labels }) => only === undefined || labels.join(' ').includes(only))
  if (cells.length === 0) throw UsageError.invalid('--only', 'a part of the labels of a cell', JSON.stringify(only))
  const writeCsv = resultFile(csv, '--csv')
  const writeMarkdown = resultFile(markdown, '--markdown')
  if (svg !== undefined) makeFolder(svg, '--svg')
  const points = cells.map((cell) => ({ cell, point: pointOf(cell, study.sizes, options) }))
  const tasks = points.reduce((sum, { point }) => sum + point.tasks, 0)
  note(`${study.name}, seed ${options.seed}: ${cells.length} cells, ${tasks} tasks`)
  const found = await measureAll(points, invocation)
  const { all, shown } = tablesOf(study, found)
  const statements = only === undefined ? (study.statements?.(found) ?? []) : []
  const tables = [...shown, ...(statements.length > 0 ? [statementTable(statements)] : [])]
  const counts = agreement(found, study.groupOf ?? (() => ''))
  writeCsv(csvOf(all))
  writeMarkdown([...tables.map(markdownOf), ...linesOf(counts), ''].join('\n'))
  if (svg !== undefined) {
    for (const { name, chart } of study.charts(found)) writeResult(join(svg, `${name}.svg`), svgOf(chart), '--svg')
  }
  return {
    results: { cells: plainOf(all), agreement: counts.map((count) => ({ ...count })), statements: [...statements] },
    checks: checksOf(found),
    messages: found.reduce((sum, { ours, point }) => sum + messagesOf(ours) * point.tasks, 0),
    text: [...tables.map(textOf), ...linesOf(counts)].join('\n'),
    exhibits: { tables, charts: study.charts(found).map(({ chart }) => chart) },
  }
}

/** The scenario of a study, for the command line. */
export const scenarioOf = <O extends StudyOptions>(study: Study<O>): Scenario<O> => ({
  usage: 'Every cell is a separate run; exit 1 if one contradicts the converged value of the model.',
  ...study,
  main: (invocation) => runStudy(study, invocation),
})

/** The entry point of a study's command. */
export const studyMain = <O extends StudyOptions>(study: Study<O>): Promise<void> => runMain(scenarioOf(study))
