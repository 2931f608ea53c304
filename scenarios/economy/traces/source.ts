/** The jobs of the comparison: from a log, from a CSV file, or generated. */
import { decimal } from '../../../lib/core/format.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import { isLog, textOf } from '../../../lib/workload/file.ts'
import { type Log, readLog } from '../../../lib/workload/swf.ts'
import { generateEconomyJobs, PROCESSORS } from '../workload/generate.ts'
import { type EconomyWorkload, jobsOfLog, readCsv } from '../workload/read.ts'

/** The source of jobs, as plain data. */
export type Source = {
  /** The file; null: jobs are generated as in the paper, for ten users. */
  readonly file: string | null
  /** The number of jobs to take from the file; null: all. */
  readonly first: number | null
  readonly stretch: number
  /** The seed of generated jobs. */
  readonly seed: number
  readonly load: number
  /** Minutes of arrivals of generated jobs. */
  readonly span: number
}

export interface Comparable extends EconomyWorkload {
  /** The processors of the machine of the log, or as many as the widest job needs. */
  readonly processors: number
}

const USERS = 10

function sizeOf({ header }: Log): number | undefined {
  const said = decimal(header.get('MaxProcs')?.[0] ?? header.get('MaxNodes')?.[0] ?? '')
  return said !== undefined && Number.isInteger(said) && said >= 1 ? said : undefined
}

const widest = ({ jobs }: EconomyWorkload): number =>
  jobs.reduce((most, { processors }) => Math.max(most, processors), 1)

/**
 * Reads or generates the jobs.
 *
 * @throws UsageError for a file that cannot be read, and for generated jobs that are too many or none
 */
export function jobsFrom({ file, first, stretch, ...generated }: Source): Comparable {
  if (file === null) {
    const jobs = generateEconomyJobs({ ...generated, processors: PROCESSORS, users: USERS })
    const users = Array.from({ length: USERS }, (_, i) => `u${i + 1}`)
    if (jobs.length === 0) throw UsageError.invalid('--span', 'long enough for a job to arrive', String(generated.span))
    return { jobs, users, dropped: new Map(), odd: new Map(), processors: PROCESSORS }
  }
  const source = `--workload ${file}`
  const reading = { first: first ?? undefined, stretch }
  const content = textOf(file, source)
  if (!isLog(file)) {
    const workload = readCsv(content, source, reading)
    return { ...workload, processors: widest(workload) }
  }
  const log = readLog(content, source, reading)
  const workload = jobsOfLog(log, source, reading)
  return { ...workload, processors: sizeOf(log) ?? widest(workload) }
}
