/** The jobs of the economy: what a user submits, whether generated or read. */
import type { Class } from '../../../actors/economy/messages.ts'
import type { Time } from '../../../lib/core/time.ts'
import { byArrival } from '../../../lib/workload/job.ts'

export interface EconomyJob {
  /** 0, 1, 2, ... in order of arrival; jobs that arrive together keep the order of their source. */
  readonly id: number
  /** `u1`, `u2`, ... */
  readonly user: string
  readonly class: Class
  readonly arrival: Time
  /** All at once, for the whole of its service; an integer >= 1. */
  readonly processors: number
  /** As declared. */
  readonly service: Time
  /** What it really takes; absent: as declared. */
  readonly actual?: Time
  /** Dollars that go from its user's savings into its expense account at once. */
  readonly deposit: number
  /** Its id in the file it was read from. */
  readonly label?: string
}

/** Gives jobs their order and their ids. */
export const inOrder = (jobs: readonly Omit<EconomyJob, 'id'>[]): EconomyJob[] =>
  byArrival(jobs).map((job, id) => ({ id, ...job }))
