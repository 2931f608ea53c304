/**
 * Reads tasks from a CSV file with a header `id,arrival,runtime,value,decay,bound`: times in units, value and bound in dollars,
 * decay in dollars per unit of delay, where a bound of `inf` means no limit. A column `shape` may follow: the shape of the value.
 */
import { SHAPES, type ShapeName, type Task, type Worth } from '../../../actors/contracts/values.ts'
import type { Tally } from '../../../lib/core/tally.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import { type FileReading, isLog, textOf } from '../../../lib/workload/file.ts'
import { firstOf } from '../../../lib/workload/job.ts'
import type { Reading } from '../../../lib/workload/reading.ts'
import { type Columns, type Row, readTable } from '../../../lib/workload/rows.ts'

export interface TaskWorkload {
  /** The tasks, numbered in order of arrival. Tasks that arrive together keep the order of the file. */
  readonly tasks: readonly Task[]
  /** The ids of the tasks in the file. */
  readonly labels: readonly string[]
  /** The number of rows that were left out, by reason. */
  readonly dropped: Tally
}

type Column = 'id' | 'arrival' | 'runtime' | 'value' | 'decay' | 'bound' | 'shape'

const COLUMNS: Columns<Column> = {
  required: ['id', 'arrival', 'runtime', 'value', 'decay', 'bound'],
  optional: ['shape'],
}

/** The largest amount in a file, in dollars or dollars per unit. */
const MOST = 1_000_000_000

const isShape = (name: string): name is ShapeName => Object.hasOwn(SHAPES, name)

function shapeIn(row: Row<Column>): ShapeName {
  const name = row.text('shape') || 'linear'
  return isShape(name) ? name : row.fail('shape', Object.keys(SHAPES).join(' or '))
}

const worthIn = (row: Row<Column>): Worth => ({
  shape: shapeIn(row),
  value: row.amount('value', MOST),
  decay: row.amount('decay', MOST),
  bound: row.text('bound') === 'inf' ? null : row.amount('bound', MOST, ', or inf'),
})

/**
 * Reads a CSV text. Rows are sorted by arrival.
 *
 * @param source the name of the text in errors, such as `--workload tasks.csv`
 * @throws UsageError with line and column
 */
export function readCsv(content: string, source: string, { first, maxRows, stretch }: Reading = {}): TaskWorkload {
  const rows = readTable(
    content,
    source,
    COLUMNS,
    (row) => ({
      label: row.text('id'),
      arrival: row.time('arrival', stretch),
      runtime: row.duration('runtime', 'units'),
      worth: worthIn(row),
    }),
    maxRows,
  )
  const { jobs, dropped } = firstOf(rows, first)
  const tasks = jobs.map(({ arrival, runtime, worth }, task): Task => ({ task, arrival, runtime, worth }))
  return { tasks, labels: jobs.map(({ label }) => label), dropped }
}

/**
 * Reads a workload from a CSV file. A log is refused, because it has no values.
 *
 * @throws UsageError that names the flag `--workload`, the file and, where there is one, line and column
 */
export function readWorkload(path: string, reading: FileReading = {}): TaskWorkload {
  const source = `--workload ${path}`
  if (isLog(path)) throw UsageError.invalid(source, 'a CSV file', 'a log', 'a log has no values')
  return readCsv(textOf(path, source, reading.maxBytes), source, reading)
}
