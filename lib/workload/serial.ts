/** The serial jobs of a log as tasks; what is left out and what is odd is counted. */
import { decimal, MAX_UNITS, timeOf } from '../text.ts'
import type { Time } from '../time.ts'
import { UsageError } from '../usage.ts'
import type { Job, Workload } from './job.ts'
import type { Reading } from './reading.ts'
import { type Entry, type Log, processorsOf } from './swf.ts'
import { count } from './tally.ts'

const FAILED = 0
/** Its user or the system cancelled it. */
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

/** What a reader of results should know about an entry that is a task all the same. */
function odditiesOf({ run, requestedTime, status }: Entry): string[] {
  const odd: string[] = []
  if (run === 0) odd.push('with zero run time')
  if (requestedTime <= 0) odd.push('without a requested time (the estimate is the run time)')
  else if (run > requestedTime) odd.push('ran longer than requested')
  if (status === FAILED || status === CANCELLED) odd.push('failed or cancelled while they ran')
  return odd
}

/** How many rows the log has beyond those that its header counts; undefined if it counts none. */
function excessOf({ header, entries }: Log): number | undefined {
  // MaxRecords counts the parts of jobs too, which have rows of their own
  const said = decimal(header.get('MaxRecords')?.[0] ?? header.get('MaxJobs')?.[0] ?? '')
  return said === undefined ? undefined : entries.length - said
}

/** Takes the entries that are tasks, by submit time, up to the `first`. */
function choose(entries: readonly Entry[], first: number, dropped: Map<string, number>, source: string): Entry[] {
  const seen = new Set<number>()
  const tasks: Entry[] = []
  for (const entry of [...entries].sort((a, b) => a.submit - b.submit)) {
    const reason = reasonAgainst(entry) ?? (tasks.length >= first ? `beyond the first ${first}` : undefined)
    if (reason !== undefined) {
      count(dropped, reason)
      continue
    }
    if (seen.has(entry.number)) throw new UsageError(source, 'job numbers that differ', `${entry.number} twice`)
    seen.add(entry.number)
    tasks.push(entry)
  }
  return tasks
}

/**
 * The serial jobs of a log as tasks: the run time is the work at speed 1, the requested time the estimate (else the
 * run time), and time starts at the first submit of a task. Ids are the log's job numbers.
 *
 * @throws UsageError if none is left, a job number comes twice, or the log spans more time than a run can hold
 */
export function serialTasks(
  log: Log,
  source: string,
  { first = Infinity, stretch = 1, logUnit = 1 }: Reading = {},
): Workload {
  const dropped = new Map<string, number>()
  const odd = new Map<string, number>()
  const tasks = choose(log.entries, first, dropped, source)
  const origin = tasks[0]?.submit
  if (origin === undefined) throw new UsageError(source, 'at least one serial job', `none of ${log.entries.length}`)
  const jobs = tasks.map((entry): Job => {
    const { number, submit, run, requestedTime } = entry
    const time = (seconds: number): Time => {
      const inUnits = timeOf(seconds / logUnit)
      if (inUnits === undefined) throw new UsageError(source, `times up to ${MAX_UNITS} units`, `more in job ${number}`)
      return inUnits
    }
    for (const reason of odditiesOf(entry)) count(odd, reason)
    const estimate = requestedTime > 0 ? requestedTime : run
    const arrival = time((submit - origin) * stretch)
    return { id: String(number), arrival, work: time(run), estimate: time(estimate) }
  })
  const excess = excessOf(log)
  if (excess) count(odd, `rows ${excess > 0 ? 'more' : 'fewer'} than the header counts`, Math.abs(excess))
  return { jobs, dropped, odd }
}
