/** What a command can give its page beside its text. */
import { type Chart, describe, svgOf } from '../experiment/chart.ts'
import { gridOf, isLeft, type ResultTable } from '../experiment/report.ts'
import type { Recorded } from './model.ts'
import type { ShownChart, ShownTable } from './types.ts'

export interface Exhibits {
  /** As the command prints them. */
  readonly tables?: readonly ResultTable[]
  /** To be drawn, or drawn already. */
  readonly charts?: readonly (Chart | ShownChart)[]
  /** Runs that no system of this process has recorded. */
  readonly runs?: readonly Recorded[]
}

export function shownTable(table: ResultTable): ShownTable {
  const [head = [], ...rows] = gridOf(table)
  return { title: table.title ?? '', head, rows, left: table.columns.map(isLeft), notes: table.notes ?? [] }
}

export const shownChart = (chart: Chart | ShownChart): ShownChart =>
  'svg' in chart ? chart : { title: chart.title, says: describe(chart), svg: svgOf(chart) }
