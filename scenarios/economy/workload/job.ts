/** The jobs of the economy, whether generated or read from a file. */
import type { Class } from '../../../actors/economy/messages.ts'
import type { Time } from '../../../lib/core/time.ts'
import { byArrival } from '../../../lib/workload/job.ts'

export interface EconomyJob {
  /** The number 0, 1, 2, ... in order of arrival. Jobs that arrive together keep the order of their source. */
  readonly id: number
  /** `u1`, `u2`, ... */
  readonly user: string
  readonly class: Class
  readonly arrival: Time
  /** The number of processors, all at once for the whole service; an integer >= 1. */
  readonly processors: number
  /** The declared service. */
  readonly service: Time
  /** The actual service; absent: as declared. */
  readonly actual?: Time
  /** Dollars that go from the user's savings to the expense account at once. */
  readonly deposit: number
  /** The id in the file that it was read from. */
  readonly label?: string
}

/** Sorts jobs by arrival and gives them ids. */
export const inOrder = (jobs: readonly Omit<EconomyJob, 'id'>[]): EconomyJob[] =>
  byArrival(jobs).map((job, id) => ({ id, ...job }))
