/** The results of a study as tables: one with all columns for programs, and narrower ones to print. */
import { type Column, type ResultTable, textColumn, type Value } from '../../../lib/core/table.ts'
import { AGREES, agreesColumn } from '../../study/tables.ts'
import type { Verdict } from './agreement.ts'
import { messagesOf, TYPES_WITHOUT_FAULTS } from './cell.ts'
import type { Figure, Found } from './figure.ts'
import type { StudyOptions } from './flags.ts'

/** A column and its value for a cell. */
interface Field {
  readonly column: Column
  readonly value: (cell: Found) => Value
}

const field = (column: Column, value: (cell: Found) => Value): Field => ({ column, value })
const flow = (name: string): Column => ({ name, unit: 'units', digits: 2 })
const perTask = (name: string): Column => ({ name, digits: 2 })

const tableOf = (fields: readonly Field[], found: readonly Found[], about: Partial<ResultTable>): ResultTable => ({
  ...about,
  columns: fields.map(({ column }) => column),
  rows: found.map((cell) => fields.map(({ value }) => value(cell))),
})

const ours = field(flow('ours'), ({ ours: { mean, halfWidth } }) => ({ mean, halfWidth }))

/** A verdict for people: a run that is too short has none. */
const judged = (verdict: Verdict | null, { isLong }: Found): string =>
  verdict === null ? '' : isLong ? verdict : AGREES.short

/** The cells that can be judged, then the others. */
const judgedFirst = (found: readonly Found[]): Found[] =>
  [true, false].flatMap((isLong) => found.filter((cell) => cell.isLong === isLong))

interface Tables {
  readonly all: ResultTable
  readonly shown: readonly ResultTable[]
}

export function tablesOf<O extends StudyOptions>(figure: Figure<O>, found: readonly Found[]): Tables {
  const { title, labels, beside = [], notes = [] } = figure
  const names = labels.map((column, i) => field(column, (cell) => cell.labels[i] ?? null))
  const remarks = [...new Set(found.flatMap(({ known }) => known ?? []))]
  const isPrinted = found.some(({ paper }) => paper !== null)
  const isShort = found.some(({ isLong }) => !isLong)

  const comparison = (wordOf: (verdict: Verdict | null, cell: Found) => string): Field[] => [
    ours,
    field(flow('converged'), ({ converged }) => converged),
    field(agreesColumn('agrees'), (cell) => wordOf(cell.asConverged, cell)),
    ...(isPrinted
      ? [
          field(flow('paper'), ({ paper }) => paper),
          field(agreesColumn('agrees with paper'), (cell) => wordOf(cell.asPaper, cell)),
        ]
      : []),
    ...beside.map((column, i) => field(column, (cell) => cell.beside?.[i] ?? null)),
  ]
  const sent = TYPES_WITHOUT_FAULTS.map((type) => field(perTask(type), ({ ours: { sent } }) => sent[type] ?? null))
  const costs = [
    ...sent,
    field(perTask('all'), (cell) => messagesOf(cell.ours)),
    field(perTask('restarts'), (cell) => cell.ours.restarts),
    field(perTask('bumps'), (cell) => cell.ours.bumps),
    field({ ...perTask('wasted'), unit: 'units' }, (cell) => cell.ours.wasted),
  ]
  const markOf = ({ known }: Found): string => (known === undefined ? '' : `(${remarks.indexOf(known) + 1})`)

  return {
    all: tableOf(
      [
        ...names,
        ...comparison((verdict) => verdict ?? ''),
        field({ name: 'tasks' }, ({ point }) => point.tasks),
        field(textColumn('long enough'), ({ isLong }) => (isLong ? 'yes' : 'no')),
        ...costs,
        field(textColumn('known'), ({ known }) => known ?? ''),
      ],
      found,
      { title },
    ),
    shown: [
      tableOf(
        [...names, ...comparison(judged), ...(remarks.length > 0 ? [field(textColumn('note'), markOf)] : [])],
        judgedFirst(found),
        {
          title,
          notes: [
            'Mean flow times with 90 % intervals (40 batch means). Agrees: inside the joint interval; nearly: within twice that.',
            'Cells of one load share their random numbers, as in the paper, so their deviations are correlated.',
            ...(isShort ? ['Too short: the interval of so short a run is too narrow; a longer run decides.'] : []),
            ...notes,
            ...remarks.map((remark, i) => `(${i + 1}) ${remark}`),
          ],
        },
      ),
      tableOf([...names, ours, ...costs], found, { title: 'Messages between clients and contractors, per task' }),
    ],
  }
}
