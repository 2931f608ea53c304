/**
 * Logs of real machines in the Standard Workload Format 2.2 of the Parallel Workloads Archive (Feitelson):
 * 18 columns per job, times in seconds, -1 for what is not known, comments and header after `;`.
 */
import { decimal, MAX_UNITS, quoted } from '../text.ts'
import { units } from '../time.ts'
import { UsageError } from '../usage.ts'
import { type Limits, MAX_ROWS } from './csv.ts'
import type { Job, Workload } from './job.ts'
import { linesOf } from './lines.ts'

const FIELDS = [
  'number',
  'submit',
  'wait',
  'run',
  'allocated',
  'cpu',
  'memory',
  'requested',
  'requestedTime',
  'requestedMemory',
  'status',
  'user',
  'group',
  'executable',
  'queue',
  'partition',
  'preceding',
  'thinkTime',
] as const
type Field = (typeof FIELDS)[number]

/** One line of a log: every field as it stands there. `wait`, `run`, `requestedTime` in seconds, counts of processors. */
export type Entry = { readonly [F in Field]: number }

export interface Log {
  /** What the header says, by key; keys such as `Note` may repeat. */
  readonly header: ReadonlyMap<string, readonly string[]>
  readonly entries: readonly Entry[]
}

const HEADER_LINE = /^;\s*([A-Z][A-Za-z]+):\s*(.*?)\s*$/

const entryOf = (line: string, where: string): Entry => {
  const cells = line.trim().split(/\s+/)
  if (cells.length !== FIELDS.length) throw new UsageError(where, `${FIELDS.length} columns`, String(cells.length))
  const at = (column: number): number => {
    const cell = cells[column - 1] ?? ''
    const value = decimal(cell)
    if (value === undefined)
      throw new UsageError(`${where}, column ${column} (${FIELDS[column - 1]})`, 'a number', quoted(cell))
    return value
  }
  return {
    number: at(1),
    submit: at(2),
    wait: at(3),
    run: at(4),
    allocated: at(5),
    cpu: at(6),
    memory: at(7),
    requested: at(8),
    requestedTime: at(9),
    requestedMemory: at(10),
    status: at(11),
    user: at(12),
    group: at(13),
    executable: at(14),
    queue: at(15),
    partition: at(16),
    preceding: at(17),
    thinkTime: at(18),
  }
}

/**
 * Reads a log, strictly: 18 numbers per line. Counts in the header are not checked, since public copies were filtered
 * without rewriting them.
 *
 * @param source how errors name it, such as `--workload log.swf`
 * @throws UsageError with line and column
 */
export function readLog(content: string, source: string, { maxRows = MAX_ROWS }: Limits = {}): Log {
  const header = new Map<string, string[]>()
  const entries: Entry[] = []
  for (const { line, number } of linesOf(content)) {
    if (!line.trimStart().startsWith(';')) {
      entries.push(entryOf(line, `${source}, line ${number}`))
      if (entries.length > maxRows) throw new UsageError(source, `at most ${maxRows} rows`, 'more')
      continue
    }
    const [, key, said] = HEADER_LINE.exec(line.trimStart()) ?? []
    if (key !== undefined && said !== undefined) header.set(key, [...(header.get(key) ?? []), said])
  }
  return { header, entries }
}

/** The processors a job used, or else asked for. */
export const processorsOf = ({ allocated, requested }: Entry): number => (allocated > 0 ? allocated : requested)

/** Status of a job that its user or the system cancelled. */
const CANCELLED = 5
/** Statuses of the parts of a job that was checkpointed or swapped; its whole has a line of its own. */
const PARTS: ReadonlySet<number> = new Set([2, 3, 4])

/** Why an entry is no task; undefined if it is one. */
function reasonAgainst(entry: Entry): string | undefined {
  const processors = processorsOf(entry)
  if (PARTS.has(entry.status)) return 'part of another job'
  if (entry.status === CANCELLED && entry.run <= 0) return 'cancelled before the start'
  if (entry.run < 0) return 'without a run time'
  if (entry.submit < 0) return 'without a submit time'
  if (processors <= 0) return 'without a number of processors'
  if (processors !== 1) return 'not serial'
  return undefined
}

/**
 * The serial jobs of a log as tasks: the run time is the work at speed 1, the requested time the estimate (else the
 * run time), a unit is a second, and time starts at the first submit of a task. Ids are the log's job numbers.
 *
 * @throws UsageError if none is left, a job number comes twice, or the log spans more time than a run can hold
 */
export function serialTasks(log: Log, source: string, { first = Infinity }: Limits = {}): Workload {
  const dropped = new Map<string, number>()
  const drop = (reason: string): void => {
    dropped.set(reason, (dropped.get(reason) ?? 0) + 1)
  }
  const sorted = [...log.entries].sort((a, b) => a.submit - b.submit)
  const seen = new Set<number>()
  const tasks: Entry[] = []
  for (const entry of sorted) {
    const reason = reasonAgainst(entry)
    if (reason !== undefined) drop(reason)
    else if (tasks.length >= first) drop(`beyond the first ${first}`)
    else {
      if (seen.has(entry.number)) throw new UsageError(source, 'job numbers that differ', `${entry.number} twice`)
      seen.add(entry.number)
      tasks.push(entry)
    }
  }
  const origin = tasks[0]?.submit
  if (origin === undefined) throw new UsageError(source, 'at least one serial job', `none of ${log.entries.length}`)
  const jobs = tasks.map((entry): Job => {
    const { number, submit, run, requestedTime } = entry
    const estimate = requestedTime > 0 ? requestedTime : run
    if (Math.max(submit - origin, run, estimate) > MAX_UNITS)
      throw new UsageError(source, `times up to ${MAX_UNITS} seconds`, `more in job ${number}`)
    return { id: String(number), arrival: units(submit - origin), work: units(run), estimate: units(estimate) }
  })
  return { jobs, dropped }
}
