/** The serial jobs of a log as tasks. */

import { add } from '../core/tally.ts'
import type { Job, Workload } from './job.ts'
import type { Reading } from './reading.ts'
import { isCutShort, type Kind, select } from './select.ts'
import { type Entry, type Log, processorsOf } from './swf.ts'

const SERIAL: Kind = {
  name: 'serial job',
  reasonAgainst: (entry) => (processorsOf(entry) === 1 ? undefined : 'not serial'),
}

/** The oddity of an entry that is used as a task; undefined if there is none. */
function odditiesOf(entry: Entry): string[] {
  const { run, requestedTime } = entry
  const odd: string[] = []
  if (run === 0) odd.push('with zero run time')
  if (requestedTime <= 0) odd.push('without a requested time (the estimate is the run time)')
  else if (run > requestedTime) odd.push('ran longer than requested')
  if (isCutShort(entry)) odd.push('failed or cancelled while they ran')
  return odd
}

/**
 * The serial jobs of a log as tasks: the run time is the work at speed 1, the requested time the estimate (else the
 * run time), and time starts at the first submit of a task. Ids are the log's job numbers.
 *
 * @throws UsageError if none is left, a job number comes twice, or the log spans more time than a run can hold
 */
export function serialTasks(log: Log, source: string, reading: Reading = {}): Workload {
  const { entries, dropped, odd, arrivalOf, timeOf } = select(log, source, SERIAL, reading)
  const jobs = entries.map((entry): Job => {
    const { number, run, requestedTime } = entry
    for (const reason of odditiesOf(entry)) add(odd, reason)
    const estimate = requestedTime > 0 ? requestedTime : run
    return {
      id: String(number),
      arrival: arrivalOf(entry),
      work: timeOf(run, entry),
      estimate: timeOf(estimate, entry),
    }
  })
  return { jobs, dropped, odd }
}
