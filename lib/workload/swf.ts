/**
 * Logs of real machines in the Standard Workload Format 2.2 of the Parallel Workloads Archive (Feitelson):
 * 18 columns per job, times in seconds, -1 for what is not known, comments and header after `;`.
 */
import { decimal, quoted } from '../core/format.ts'
import { UsageError } from '../core/usage-error.ts'
import { MAX_ROWS, type Reading } from './reading.ts'

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

/** A log in the Standard Workload Format. */
export interface Log {
  /** What the header says, by key; keys such as `Note` may repeat. */
  readonly header: ReadonlyMap<string, readonly string[]>
  readonly entries: readonly Entry[]
}

/** The lines of a text, however they end, with their numbers from 1; blank ones and a byte order mark are left out. */
function* linesOf(content: string): Generator<{ readonly line: string; readonly number: number }> {
  let number = 0
  for (const line of content.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    number++
    if (line.trim()) yield { line, number }
  }
}

const HEADER_LINE = /^;\s*([A-Z][A-Za-z]+):\s*(.*?)\s*$/

const entryOf = (line: string, where: string): Entry => {
  const cells = line.trim().split(/\s+/)
  if (cells.length !== FIELDS.length)
    throw new UsageError(`${where} must have ${FIELDS.length} columns, not ${cells.length}`)
  const at = (column: number): number => {
    const cell = cells[column - 1] ?? ''
    const value = decimal(cell)
    if (value === undefined)
      throw UsageError.invalid(`${where}, column ${column} (${FIELDS[column - 1]})`, 'a number', quoted(cell))
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
 * Reads a log, strictly: 18 numbers per line. A header that counts other rows is no error, since public copies were
 * filtered without rewriting it.
 *
 * @param source how errors name it, such as `--workload log.swf`
 * @throws UsageError with line and column
 */
export function readLog(content: string, source: string, { maxRows = MAX_ROWS }: Reading = {}): Log {
  const header = new Map<string, string[]>()
  const entries: Entry[] = []
  for (const { line, number } of linesOf(content)) {
    if (!line.trimStart().startsWith(';')) {
      entries.push(entryOf(line, `${source}, line ${number}`))
      if (entries.length > maxRows) throw UsageError.tooMany(source, `${maxRows} rows`)
      continue
    }
    const [, key, said] = HEADER_LINE.exec(line.trimStart()) ?? []
    if (key !== undefined && said !== undefined) header.set(key, [...(header.get(key) ?? []), said])
  }
  return { header, entries }
}

/** The processors a job used, or else asked for. */
export const processorsOf = ({ allocated, requested }: Entry): number => (allocated > 0 ? allocated : requested)
