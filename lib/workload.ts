/** The API for workloads: jobs from files and logs, generated ones, and their results as CSV. */

export { type FileReading, readWorkload } from './workload/file.ts'
export { type Generated, generateJobs } from './workload/generate.ts'
export { byArrival, dealtInTurn, firstOf, type Job, type OwnedJob, type Workload, withClients } from './workload/job.ts'
export { type JobRow, jobsCsv } from './workload/jobs-out.ts'
export { offeredLoad } from './workload/load.ts'
export type { Reading } from './workload/reading.ts'
export { type Entry, type Log, processorsOf, readLog } from './workload/swf.ts'
