/** Drawings of partitions: rows of processors from top to bottom, columns from left to right. */
import { columnsOf, type Mesh, meshText, rowsOf } from '../../actors/mesh/mesh.ts'
import { textOf } from '../../actors/mesh/rectangle.ts'
import { element, escaped, PAPER_STYLE } from '../../lib/experiment/svg.ts'
import type { Owned, StepResult } from './results.ts'

/** The largest mesh that is drawn as text. */
const SIDE_MAX = 64

/**
 * A text with a line for each row and a job number for each processor, `.` if it is free; null if the mesh is too
 * large.
 */
export function gridOf(mesh: Mesh, partitions: readonly Owned[]): readonly string[] | null {
  const [rows, columns] = [rowsOf(mesh), columnsOf(mesh)]
  if (Math.max(rows, columns) > SIDE_MAX) return null
  const grid = Array.from({ length: rows }, () => new Array<string>(columns).fill('.'))
  for (const { job, row, column, rows: height, columns: width } of partitions) {
    for (const line of grid.slice(row, row + height)) line.fill(String(job), column, column + width)
  }
  const digits = Math.max(1, ...partitions.map(({ job }) => String(job).length))
  return grid.map((line) => line.map((cell) => cell.padStart(digits)).join(' '))
}

const [PANEL, GAP, HEAD, ACROSS] = [200, 24, 44, 4] as const
/** The colours of a partition that its job keeps, and of one that it moves to: as in the map and the timeline of a page. */
const [KEPT, MOVED] = ['#0072b2', '#e69f00'] as const

/** The most panels: viewers cannot open larger files. */
const PANELS_MAX = 400

/** An SVG document with a panel for each step; only the first steps of a longer script. */
export function svgOfSteps(mesh: Mesh, policy: string, all: readonly StepResult[]): string {
  const steps = all.slice(0, PANELS_MAX)
  const cell = PANEL / Math.max(rowsOf(mesh), columnsOf(mesh))
  const height = cell * rowsOf(mesh)
  const panels = steps.map(({ op, partitions }, i) => {
    const before = new Map(steps[i - 1]?.partitions.map((one) => [one.job, textOf(one)]))
    const [left, top] = [GAP + (i % ACROSS) * (PANEL + GAP), HEAD + Math.floor(i / ACROSS) * (height + HEAD)]
    return element(
      'g',
      { transform: `translate(${left} ${top})` },
      element('text', { x: 0, y: -8 }, escaped(op)),
      element('rect', { width: cell * columnsOf(mesh), height, class: 'panel ink' }),
      ...partitions.map((one) => partitionOf(one, cell, before.get(one.job) === textOf(one) ? KEPT : MOVED)),
    )
  })
  const [across, down] = [Math.min(ACROSS, Math.max(1, steps.length)), Math.ceil(steps.length / ACROSS)]
  const size = { width: GAP + across * (PANEL + GAP), height: HEAD + down * (height + HEAD) + HEAD / 2 }
  const said = 'Orange: moved in this operation. Blue: kept.'
  const legend = element('text', { x: GAP, y: size.height - HEAD / 2 }, said)
  const title = `${policy} on ${meshText(mesh)}`
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${size.width} ${size.height}`, ...size, role: 'img' },
    element('title', {}, escaped(title)),
    PAPER_STYLE,
    element('rect', { ...size, class: 'paper' }),
    element('g', { 'font-family': 'system-ui, sans-serif', 'font-size': 12 }, ...panels, legend),
  )}\n`
}

function partitionOf({ job, row, column, rows, columns }: Owned, cell: number, fill: string): string {
  const [x, y, width, height] = [column, row, columns, rows].map((count) => count * cell)
  return element(
    'g',
    {},
    element('rect', { x, y, width, height, fill, 'fill-opacity': 0.35, class: 'ink' }),
    element(
      'text',
      { x: (column + columns / 2) * cell, y: (row + rows / 2) * cell + 4, 'text-anchor': 'middle' },
      escaped(String(job)),
    ),
  )
}
