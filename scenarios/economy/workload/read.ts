/**
 * Reads jobs of the economy from files: CSV with a header `id,arrival,user,class,processors,service` and any of `deposit` and
 * `actual`, times in minutes and deposits in dollars; or a log in the Standard Workload Format.
 */
import { CLASSES, type Class } from '../../../actors/economy/messages.ts'
import { isAddress } from '../../../lib/core/address.ts'
import { decimal } from '../../../lib/core/format.ts'
import { add, type Tally } from '../../../lib/core/tally.ts'
import { type FileReading, isLog, textOf } from '../../../lib/workload/file.ts'
import { firstOf } from '../../../lib/workload/job.ts'
import type { Reading } from '../../../lib/workload/reading.ts'
import { type Columns, type Row, readTable } from '../../../lib/workload/rows.ts'
import { isCutShort, type Kind, select } from '../../../lib/workload/select.ts'
import { type Entry, type Log, processorsOf, readLog } from '../../../lib/workload/swf.ts'
import { type EconomyJob, inOrder } from './job.ts'

export interface EconomyWorkload {
  readonly jobs: readonly EconomyJob[]
  /** The users, in the order of their first jobs. */
  readonly users: readonly string[]
  /** The number of records that were left out, by reason. */
  readonly dropped: Tally
  /** The number of oddities of the source and of the records that were kept, by kind. */
  readonly odd: Tally
}

const workload = (
  unordered: readonly Omit<EconomyJob, 'id'>[],
  { dropped, odd }: Pick<EconomyWorkload, 'dropped' | 'odd'>,
): EconomyWorkload => {
  const jobs = inOrder(unordered)
  return { jobs, users: [...new Set(jobs.map(({ user }) => user))], dropped, odd }
}

type Column = 'id' | 'arrival' | 'user' | 'class' | 'processors' | 'service' | 'deposit' | 'actual'

const COLUMNS: Columns<Column> = {
  required: ['id', 'arrival', 'user', 'class', 'processors', 'service'],
  optional: ['deposit', 'actual'],
}

/** The largest values that a file may have. */
const MOST = { processors: 1_000_000, deposit: 1_000_000_000 } as const

const userOf = (row: Row<Column>): string =>
  isAddress(`user@${row.text('user')}`) ? row.text('user') : row.fail('user', 'the name of a user, such as u1')

const classOf = (row: Row<Column>): Class =>
  CLASSES.find((one) => String(one) === row.text('class')) ?? row.fail('class', '1, 2 or 3')

function processorsIn(row: Row<Column>): number {
  const wanted = decimal(row.text('processors'))
  if (wanted !== undefined && Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST.processors) return wanted
  return row.fail('processors', `a whole number from 1 to ${MOST.processors}`)
}

const jobOf = (row: Row<Column>, stretch: number): Omit<EconomyJob, 'id'> => ({
  user: userOf(row),
  class: classOf(row),
  arrival: row.time('arrival', stretch),
  processors: processorsIn(row),
  service: row.duration('service', 'minutes'),
  ...(row.text('actual') && { actual: row.duration('actual', 'minutes') }),
  deposit: row.text('deposit') ? row.amount('deposit', MOST.deposit) : 0,
  label: row.text('id'),
})

/**
 * Reads a CSV text. An empty deposit is 0, and an empty `actual` means as declared. Rows are sorted by arrival.
 *
 * @param source the name of the text in errors, such as `--workload jobs.csv`
 * @throws UsageError with line and column
 */
export function readCsv(
  content: string,
  source: string,
  { first, maxRows, stretch = 1 }: Reading = {},
): EconomyWorkload {
  const rows = readTable(content, source, COLUMNS, (row) => jobOf(row, stretch), maxRows)
  const { jobs, dropped } = firstOf(rows, first)
  return workload(jobs, { dropped, odd: new Map() })
}

const PARALLEL: Kind = {
  name: 'job with a run time and processors',
  reasonAgainst(entry) {
    if (entry.run === 0) return 'with zero run time'
    return Number.isInteger(processorsOf(entry)) ? undefined : 'with a part of a processor'
  },
}

/** The class of a job by its width, with the limits of the paper's classes. */
const classFor = (processors: number): Class => {
  if (processors <= 16) return 1
  return processors <= 32 ? 2 : 3
}

/**
 * The jobs of a log, whatever their width. The run time is both the declared and the actual service, because the policies
 * take it to be known. Seconds become minutes (or units of `logUnit` seconds) from the first submission on. Users are `u1`,
 * `u2`, ... in the order of their first jobs; all jobs without a user share one. Labels are the job numbers of the log.
 *
 * @throws UsageError if no job is left, a job number occurs twice, or the log is longer than a run can be
 */
export function jobsOfLog(log: Log, source: string, reading: Reading = {}): EconomyWorkload {
  const { entries, dropped, odd, arrivalOf, timeOf } = select(log, source, PARALLEL, {
    ...reading,
    logUnit: reading.logUnit ?? 60,
  })
  const users = new Map<number, string>()
  const userFor = ({ user }: Entry): string => {
    const key = Math.max(-1, user)
    const known = users.get(key) ?? `u${users.size + 1}`
    users.set(key, known)
    return known
  }
  const jobs = entries.map((entry) => {
    if (entry.user < 0) add(odd, 'without a user')
    if (isCutShort(entry)) add(odd, 'failed or cancelled while they ran')
    const processors = processorsOf(entry)
    return {
      user: userFor(entry),
      class: classFor(processors),
      arrival: arrivalOf(entry),
      processors,
      service: Math.max(1, timeOf(entry.run, entry)),
      deposit: 0,
      label: String(entry.number),
    }
  })
  return workload(jobs, { dropped, odd })
}

/**
 * Reads a workload: a log if the name ends in `.swf` or `.swf.gz`, else CSV.
 *
 * @throws UsageError that names the flag `--workload`, the file and, where there is one, line and column
 */
export function readWorkload(path: string, reading: FileReading = {}): EconomyWorkload {
  const source = `--workload ${path}`
  const content = textOf(path, source, reading.maxBytes)
  return isLog(path) ? jobsOfLog(readLog(content, source, reading), source, reading) : readCsv(content, source, reading)
}
