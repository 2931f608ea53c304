/** Selects the jobs of a log, and counts left-out entries and oddities. */
import { decimal, MAX_UNITS, timeOf } from '../core/format.ts'
import { add } from '../core/tally.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Reading } from './reading.ts'
import { type Entry, type Log, processorsOf } from './swf.ts'

const FAILED = 0
/** The status of a job that its user or the system cancelled. */
const CANCELLED = 5
/** Statuses of the parts of a job that was checkpointed or swapped; its whole has a line of its own. */
const PARTS: ReadonlySet<number> = new Set([2, 3, 4])

/** The reason why an entry is no job that ran; undefined if it is one. */
function reasonAgainst(entry: Entry): string | undefined {
  if (PARTS.has(entry.status)) return 'part of another job'
  if (entry.status === CANCELLED && entry.run <= 0) return 'cancelled before the start'
  if (entry.run < 0) return 'without a run time'
  if (entry.submit < 0) return 'without a submit time'
  if (processorsOf(entry) <= 0) return 'without a number of processors'
  return undefined
}

/** Says whether a job ended before its work was done. */
export const isCutShort = ({ status }: Entry): boolean => status === FAILED || status === CANCELLED

/** The difference between the number of rows and the count in the header; 0 if the header has no count. */
function excessOf({ header, entries }: Log): number {
  // MaxRecords counts the parts of jobs too, which have rows of their own
  const said = decimal(header.get('MaxRecords')?.[0] ?? header.get('MaxJobs')?.[0] ?? '')
  return said === undefined ? 0 : entries.length - said
}

/** The kind of jobs that a log is read for. */
export interface Kind {
  /** The name of the kind in errors, such as `serial job`. */
  readonly name: string
  /** The reason why a job that ran is not of this kind; undefined if it is. */
  readonly reasonAgainst: (entry: Entry) => string | undefined
}

export interface Selection {
  /** The selected jobs by submit time, at least one. */
  readonly entries: readonly Entry[]
  readonly dropped: Map<string, number>
  readonly odd: Map<string, number>
  /** The arrival of an entry: its time after the first submit of a selected job. */
  readonly arrivalOf: (entry: Entry) => Time
  /** Converts seconds of the log to a time; errors name `entry`. */
  readonly timeOf: (seconds: number, entry: Entry) => Time
}

/**
 * Takes the jobs of a kind, by submit time, up to the `first`.
 *
 * @throws UsageError if none is left or a job number comes twice; `arrivalOf` and `timeOf`, for more time than a run can hold
 */
export function select(
  log: Log,
  source: string,
  kind: Kind,
  { first = Infinity, stretch = 1, logUnit = 1 }: Reading = {},
): Selection {
  const dropped = new Map<string, number>()
  const seen = new Set<number>()
  const entries: Entry[] = []
  for (const entry of [...log.entries].sort((a, b) => a.submit - b.submit)) {
    const reason =
      reasonAgainst(entry) ??
      kind.reasonAgainst(entry) ??
      (entries.length >= first ? `beyond the first ${first}` : undefined)
    if (reason !== undefined) {
      add(dropped, reason)
      continue
    }
    if (seen.has(entry.number)) throw new UsageError(`${source} has the job number ${entry.number} twice`)
    seen.add(entry.number)
    entries.push(entry)
  }
  const origin = entries[0]?.submit
  if (origin === undefined)
    throw UsageError.requires(source, `at least one ${kind.name}, but has none among ${log.entries.length} jobs`)
  const inUnits = (seconds: number, { number }: Entry): Time => {
    const time = timeOf(seconds / logUnit)
    if (time === undefined)
      throw new UsageError(`${source} has a time of more than ${MAX_UNITS} units in job ${number}`)
    return time
  }
  const excess = excessOf(log)
  const odd = new Map<string, number>()
  if (excess) odd.set(`rows ${excess > 0 ? 'more' : 'fewer'} than the header counts`, Math.abs(excess))
  return {
    entries,
    dropped,
    odd,
    arrivalOf: (entry) => inUnits((entry.submit - origin) * stretch, entry),
    timeOf: inUnits,
  }
}
