/** The results of a run on a mesh as tables and drawings. */
import type { Mesh } from '../../actors/mesh/mesh.ts'
import { textOf } from '../../actors/mesh/rectangle.ts'
import type { ResultTable } from '../../lib/core/table.ts'
import { gridOf } from './drawing.ts'
import type { Arrived, StepResult } from './results.ts'

/** The partitions after a step, in a line and drawn. */
export function stepText(mesh: Mesh, { op, partitions }: StepResult): string {
  const line = partitions.map((partition) => `${partition.job}: ${textOf(partition)}`).join(' | ')
  const grid = gridOf(mesh, partitions) ?? []
  return [op, line || 'no jobs', ...grid.map((row) => `  ${row}`), ''].join('\n')
}

export function arrivedTable(policy: string, { measures, ...counts }: Arrived): ResultTable {
  const classes = (['all', 'short', 'long'] as const).map((name) => ({ name, of: measures[name] }))
  return {
    title: `${policy}: response times in seconds, and over the time alone`,
    columns: [
      { name: 'jobs', align: 'left' },
      { name: 'counted' },
      { name: 'response', digits: 2 },
      { name: 'blow-up', digits: 3 },
      { name: 'variation', digits: 3 },
    ],
    rows: classes.map(({ name, of }) => [
      ...[name, of?.jobs ?? 0, of?.response ?? null, of?.blowUp ?? null, of?.variation ?? null],
    ]),
    notes: [
      'Without the first 5 % of the jobs; ± 90 % from 40 batches, if there are enough jobs. Variation: standard deviation of blow-ups over their mean.',
      `At most ${counts.most} jobs at once, ${counts.swaps} swaps; per job ${counts.movesPerJob.toFixed(2)} moves and ${counts.messagesPerJob.toFixed(2)} messages.`,
      ...(counts.unfinished > 0 ? [`Jobs without an end: ${counts.unfinished} of ${counts.jobs}.`] : []),
    ],
  }
}
