/** What a command adds to its page: an answer, tables, charts and runs. */

import { gridOf, isLeft, type ResultTable } from '../core/table.ts'
import { type Chart, valuesOf } from '../experiment/chart.ts'
import { inlineSvgOf } from '../experiment/drawing.ts'
import { digitsOf } from '../experiment/plot.ts'
import type { Sentence, Tile } from '../scenario/page.ts'
import type { Recorded } from './model.ts'
import type { ShownAgreement, ShownChart, ShownClaim, ShownImage, ShownPlot, ShownTable } from './types.ts'

export interface Exhibits {
  /** Sentences before all others, such as that a fault never struck. */
  readonly lead?: readonly Sentence[] | undefined
  /** The answer in a few sentences, and its numbers. Default: those of the run, if there is one. */
  readonly story?: readonly Sentence[] | undefined
  readonly tiles?: readonly Tile[] | undefined
  /** What a comparison of several runs shows, in a few sentences above the answer of each run. */
  readonly comparison?: readonly Sentence[] | undefined
  /** The tiles of the same run without its faults. */
  readonly withoutFaults?: readonly Tile[] | undefined
  /** The tables as the command prints them. */
  readonly tables?: readonly ResultTable[] | undefined
  /** The claims of a paper and what became of them. */
  readonly claims?: readonly ShownClaim[] | undefined
  /** How many values agree with those of a paper, or with the converged ones. */
  readonly values?: ShownAgreement | undefined
  /** The text of the page (default: that of the command). */
  readonly text?: string | undefined
  /** The charts as data, and pictures as SVG. */
  readonly charts?: readonly (Chart | ShownImage)[] | undefined
  /** Runs that no system of this process has recorded. */
  readonly runs?: readonly Recorded[] | undefined
  /** Which of these runs are compared with each other. */
  readonly pairs?: readonly ComparedRuns[] | undefined
}

/** Runs that are compared, and what is told of them. */
export interface ComparedRuns {
  readonly name: string
  readonly story: readonly Sentence[]
  /** The command that repeats the run that the story is about. */
  readonly repeat?: string | undefined
  /** The places of the runs, and of the one that the story is about. */
  readonly runs: readonly number[]
  readonly about: number
}

export function shownTable(table: ResultTable): ShownTable {
  const [head = [], ...rows] = gridOf(table)
  const { title = '', columns, notes = [] } = table
  const hasTones = columns.some(({ tones }) => tones)
  const tones = columns.map((column) => column.tones ?? {})
  return { title, head, rows, left: columns.map(isLeft), ...(hasTones && { tones }), notes }
}

/** Says whether a chart has any point. Rows that were not run leave gaps, and a chart may consist of gaps alone. */
export const isSeen = (chart: Chart | ShownImage): boolean => 'svg' in chart || seriesSeen(chart).length > 0

const seriesSeen = ({ series }: Chart): Chart['series'] =>
  series.filter(({ points }) => points.some(({ y }) => y !== null))

export const shownChart = (chart: Chart | ShownImage): ShownChart =>
  'svg' in chart ? chart : drawn({ ...chart, series: seriesSeen(chart) })

/** The sizes of a chart on a page, in pixels: letters are as large on a phone as on a desk. */
const [WIDE, NARROW] = [
  { width: 660, height: 320 },
  { width: 342, height: 250 },
] as const

const drawn = (chart: Chart): ShownPlot => ({
  title: chart.title,
  wide: inlineSvgOf(chart, WIDE.width, WIDE.height),
  narrow: inlineSvgOf(chart, NARROW.width, NARROW.height),
  values: shownTable(valuesOf(chart, digitsOf(chart))),
})
